// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import Testing

@testable import PhotoEditLibrary

@Suite("Fetching assets")
struct FetchMethodTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func names(_ objects: some Sequence<Asset>) -> [String] { objects.map(\.localIdentifier) }

  @Test(.requirement("fetch-methods"))
  func `every asset fetch in an empty library returns an empty result`() throws {
    let removed = LocalIdentifier(new: .asset).description
    let album = try folder.addAlbum("empty")
    #expect(try library.fetchAssets().isEmpty)
    #expect(try library.fetchAssets(with: .image).isEmpty)
    #expect(try library.fetchAssets(withBurstIdentifier: "b").isEmpty)
    #expect(try library.fetchAssets(withLocalIdentifiers: [removed]).isEmpty)
    #expect(try library.fetchAssets(in: album).isEmpty)
    #expect(try library.fetchKeyAssets(in: album)?.isEmpty == true)
    #expect(try library.fetchAssets().first == nil && library.fetchAssets().last == nil)
  }

  @Test(.requirement("fetch-methods")) func `assets are fetched by media type`() throws {
    let assets = try folder.addAssets(6) { $1.mediaType = $0 % 3 == 0 ? .video : .image }
    let videos = try library.fetchAssets(with: .video)
    #expect(names(videos) == names([assets[0], assets[3]]))
    #expect(try library.fetchAssets(with: .image).count == 4)
    #expect(try library.fetchAssets(with: .audio).isEmpty)
  }

  @Test(.requirement("fetch-methods"))
  func `assets are fetched by identifier in the caller's order, including hidden ones`() throws {
    let assets = try folder.addAssets(4) { $1.isHidden = $0 == 1 }
    let expected = [3, 1, 3, 0].map { assets[$0].localIdentifier } + ["nonsense", "", "a'b"]
    #expect(
      names(try library.fetchAssets(withLocalIdentifiers: expected))
        == names([3, 1, 0].map { assets[$0] }))
    var options = FetchOptions<Asset>(fetchLimit: 2)
    #expect(
      names(try library.fetchAssets(withLocalIdentifiers: expected, options: options))
        == names([assets[3], assets[1]]))
    options.sortDescriptors = [FetchSort(AssetKey.localIdentifier)]
    let sorted = [0, 1, 3].map { assets[$0].localIdentifier }.sorted()
    #expect(
      names(try library.fetchAssets(withLocalIdentifiers: expected, options: options))
        == Array(sorted.prefix(2)))
    options.predicate = AssetKey.isHidden == true
    #expect(
      names(try library.fetchAssets(withLocalIdentifiers: expected, options: options))
        == [assets[1].localIdentifier])
  }

  @Test(.requirement("stable-local-identifiers"))
  func `an identifier of another class matches nothing`() throws {
    let asset = try folder.addAsset()
    let album = try folder.addAlbum("a", [asset])
    #expect(try library.fetchAssets(withLocalIdentifiers: [album.localIdentifier]).isEmpty)
    #expect(
      try library.fetchAssetCollections(withLocalIdentifiers: [asset.localIdentifier]).isEmpty)
    #expect(try library.fetchCollectionLists(withLocalIdentifiers: [album.localIdentifier]).isEmpty)
  }

  @Test(.requirement("fetch-methods")) func `assets of an album are fetched in its order`() throws {
    let assets = try folder.addAssets(5)
    let album = try folder.addAlbum("a", [assets[3], assets[0], assets[4]])
    #expect(names(try library.fetchAssets(in: album)) == names([3, 0, 4].map { assets[$0] }))
    let sorted = FetchOptions(sortDescriptors: [
      FetchSort(AssetKey.creationDate, ascending: false)
    ])
    #expect(
      names(try library.fetchAssets(in: album, options: sorted))
        == names([4, 3, 0].map { assets[$0] }))
    #expect(names(try #require(try library.fetchKeyAssets(in: album))).count == 3)
  }

  @Test(.requirement("source-types"))
  func `assets from other sources are fetched only on request`() throws {
    let assets = try folder.addAssets(3) { i, record in
      record.sourceType = [.userLibrary, .cloudShared, .synced][i]
    }
    #expect(names(try library.fetchAssets()) == [assets[0].localIdentifier])
    var options = FetchOptions<Asset>()
    options.includeAssetSourceTypes = [.userLibrary, .synced]
    #expect(names(try library.fetchAssets(options)) == names([assets[0], assets[2]]))
    options.includeAssetSourceTypes = .cloudShared
    #expect(names(try library.fetchAssets(options)) == [assets[1].localIdentifier])
    let album = try folder.addAlbum("mixed", assets)
    #expect(try library.fetchAssets(in: album).count == 3)
    #expect(album.estimatedAssetCount == 3)
    #expect(
      names(try library.fetchAssets(in: album, options: options)) == [assets[1].localIdentifier])
  }

  @Test(.requirement("fetch-options"))
  func `changing the options does not change a result`() throws {
    _ = try folder.addAssets(3)
    var options = FetchOptions<Asset>(fetchLimit: 2)
    let result = try library.fetchAssets(options)
    options.fetchLimit = 1
    options.predicate = FetchPredicate(always: false)
    #expect(result.count == 2 && Array(result).count == 2)
    #expect(result.wantsIncrementalChangeDetails)
    options.wantsIncrementalChangeDetails = false
    #expect(try !library.fetchAssets(options).wantsIncrementalChangeDetails)
  }

  @Test(.requirement("fetch-options")) func `the fetch limit applies after sorting`() throws {
    let assets = try folder.addAssets(5) { $1.pixelWidth = [3, 1, 5, 2, 4][$0] }
    let options = FetchOptions(
      sortDescriptors: [FetchSort(AssetKey.pixelWidth, ascending: false)], fetchLimit: 2)
    #expect(names(try library.fetchAssets(options)) == names([assets[2], assets[4]]))
    let error = #expect(throws: LibraryError.self) {
      try library.fetchAssets(FetchOptions(fetchLimit: -1))
    }
    #expect(error?.code == .changeNotSupported)
  }

  @Test(.requirement("documented-order"))
  func `assets are fetched in order of addition, which also breaks ties`() throws {
    let date = Date(timeIntervalSince1970: 9)
    let assets = try folder.addAssets(6) { i, record in
      record.addedDate = Date(timeIntervalSince1970: Double([5, 5, 1, 9, 1, 5][i]))
      record.creationDate = i == 3 ? nil : date
    }
    #expect(names(try library.fetchAssets()) == names([2, 4, 0, 1, 5, 3].map { assets[$0] }))
    let up = FetchOptions(sortDescriptors: [FetchSort(AssetKey.creationDate)])
    #expect(names(try library.fetchAssets(up)) == names([3, 0, 1, 2, 4, 5].map { assets[$0] }))
    let down = FetchOptions(sortDescriptors: [FetchSort(AssetKey.creationDate, ascending: false)])
    #expect(names(try library.fetchAssets(down)) == names([5, 4, 2, 1, 0, 3].map { assets[$0] }))
    // The order is the same after VACUUM and in another library object.
    try Connection(library.layout.database, .readWrite).execute("VACUUM")
    let again = try PhotoLibrary(at: library.url)
    #expect(names(try again.fetchAssets()) == names([2, 4, 0, 1, 5, 3].map { assets[$0] }))
    #expect(names(try again.fetchAssets(down)) == names([5, 4, 2, 1, 0, 3].map { assets[$0] }))
  }

  @Test(.requirement("transient-collections"))
  func `assets of a transient collection are fetched like those of an album`() throws {
    let assets = try folder.addAssets(4) { $1.isFavorite = $0 != 1 }
    let collection = AssetCollection.transient(
      title: "now", assets: [assets[2], assets[1], assets[0], assets[2]])
    #expect(collection.estimatedAssetCount == 3 && collection.localizedTitle == "now")
    let all = try library.fetchAssets(in: collection)
    #expect(names(all) == names([2, 1, 0].map { assets[$0] }))
    #expect(!all.wantsIncrementalChangeDetails)
    let favorites = FetchOptions(predicate: AssetKey.isFavorite == true)
    #expect(
      names(try library.fetchAssets(in: collection, options: favorites))
        == names([assets[2], assets[0]]))
    #expect(try library.fetchKeyAssets(in: collection) == nil)
    let list = CollectionList.transient(title: nil, collections: [.assets(collection)])
    #expect(try library.fetchCollections(in: list).map { $0 } == [.assets(collection)])
    #expect(CollectionOperation.allCases.allSatisfy { !list.canPerform($0) })
  }

  @Test func `key assets are nil for transient collections and empty for empty albums`() throws {
    #expect(try library.fetchKeyAssets(in: .transient(title: nil, assets: [Asset]())) == nil)
    #expect(try library.fetchKeyAssets(in: folder.addAlbum("a"))?.isEmpty == true)
  }

  @Test(.requirement("hidden-assets"))
  func `hidden assets are fetched only on request and stay in albums`() throws {
    let assets = try folder.addAssets(3)
    let album = try folder.addAlbum("a", assets)
    try library.performChangesAndWait { try $0.change(assets[1]).setHidden(true) }
    #expect(names(try library.fetchAssets()) == names([assets[0], assets[2]]))
    #expect(try library.fetchAssets(in: album).count == 2)
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = true
    #expect(try library.fetchAssets(in: album, options: options).count == 3)
    let hidden = try #require(
      try library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumAllHidden).first)
    #expect(try library.fetchAssets(in: hidden).isEmpty)
    #expect(names(try library.fetchAssets(in: hidden, options: options)) == names([assets[1]]))
    #expect(hidden.estimatedAssetCount == 1)
  }

  @Test func `a burst fetch returns the representative and user picks, or all assets`() throws {
    let assets = try folder.addAssets(5) { i, record in
      record.burstIdentifier = i == 4 ? nil : "b"
      record.representsBurst = i == 1
      record.burstSelectionTypes = [[.autoPick], [.autoPick], [.userPick], [], []][i]
    }
    #expect(
      names(try library.fetchAssets(withBurstIdentifier: "b")) == names([assets[1], assets[2]]))
    #expect(names(try library.fetchAssets()) == names([1, 2, 4].map { assets[$0] }))
    var options = FetchOptions<Asset>()
    options.includeAllBurstAssets = true
    #expect(try library.fetchAssets(withBurstIdentifier: "b", options: options).count == 4)
    #expect(try library.fetchAssets(options).count == 5)
  }

  @Test(.requirement("no-access-reads-empty"))
  func `a client without read access gets empty results, not errors`() throws {
    let asset = try folder.addAsset()
    let album = try folder.addAlbum("a", [asset])
    let policy = #"{"schemaVersion": 1, "default": "addOnly"}"#
    try policy.write(
      toFile: library.layout.policy, atomically: true, encoding: .utf8)
    #expect(try library.fetchAssets().isEmpty)
    #expect(try library.fetchAssets(in: album).isEmpty)
    #expect(try library.fetchAssets(withLocalIdentifiers: [asset.localIdentifier]).isEmpty)
    #expect(try library.fetchTopLevelUserCollections().isEmpty)
    #expect(try library.fetchAssetCollections(with: .smartAlbum).isEmpty)
  }

  @Test(.requirement("limited-access"))
  func `a limited client sees its assets but no albums`() throws {
    let assets = try folder.addAssets(3) {
      $1.creationDate = Date(timeIntervalSince1970: Double($0))
    }
    let album = try folder.addAlbum("a", assets)
    let policy = """
      {"schemaVersion": 1, "default": "readWrite", "clients": {"org.photoedit":
        {"level": "limited", "assets": ["\(assets[1].localIdentifier)"]}}}
      """
    try policy.write(toFile: library.layout.policy, atomically: true, encoding: .utf8)
    #expect(names(try library.fetchAssets()) == [assets[1].localIdentifier])
    #expect(
      names(try library.fetchAssets(withLocalIdentifiers: names(assets))) == [
        assets[1].localIdentifier
      ])
    #expect(try library.fetchAssets(in: album).isEmpty)
    #expect(try library.fetchTopLevelUserCollections().isEmpty)
    let moments = try library.fetchMoments()
    #expect(moments.map(\.estimatedAssetCount) == [1])
    let recents = try library.fetchAssetCollections(
      with: .smartAlbum, subtype: .smartAlbumUserLibrary)
    #expect(recents.first?.estimatedAssetCount == 1)
  }
}
