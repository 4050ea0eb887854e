// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import PhotoEditLibrary

@Suite("Fetching albums and folders")
struct FetchCollectionTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  @Test(.requirement("fetch-methods"))
  func `every collection fetch in an empty library returns an empty result`() throws {
    let asset = try folder.addAsset { $0.isHidden = true }
    let removed = LocalIdentifier(new: .assetCollection).description
    #expect(try library.fetchAssetCollections(with: .album).isEmpty)
    #expect(try library.fetchAssetCollections(with: .moment).isEmpty)
    #expect(try library.fetchAssetCollections(withLocalIdentifiers: [removed, "x"]).isEmpty)
    for kind in AssetCollection.Kind.allCases {
      #expect(try library.fetchAssetCollections(containing: asset, with: kind).isEmpty)
    }
    #expect(try library.fetchTopLevelUserCollections().isEmpty)
    for kind in CollectionList.Kind.allCases {
      #expect(try library.fetchCollectionLists(with: kind).isEmpty)
    }
    let list = try folder.addFolder("empty")
    #expect(try library.fetchCollections(in: list).isEmpty)
    #expect(try library.fetchMoments(in: list).isEmpty && library.fetchMoments().isEmpty)
    #expect(try library.fetchCollectionLists(containing: .list(list)).isEmpty)
  }

  @Test(.requirement("fetch-methods"))
  func `albums are fetched by type and subtype in order of creation`() throws {
    let titles = ["b", "a", "b"]
    let albums = try titles.map { try folder.addAlbum($0) }
    let imported = try folder.addAlbum("camera", subtype: 6)
    #expect(try Array(library.fetchAssetCollections(with: .album)) == albums + [imported])
    let regular = try library.fetchAssetCollections(with: .album, subtype: .albumRegular)
    #expect(Array(regular) == albums && regular.map(\.localizedTitle) == titles)
    #expect(try library.fetchAssetCollections(with: .album, subtype: .albumImported).count == 1)
    #expect(try library.fetchAssetCollections(with: .album, subtype: .albumCloudShared).isEmpty)
    let sorted = FetchOptions(
      sortDescriptors: [FetchSort(AssetCollectionKey.localizedTitle, ascending: false)],
      fetchLimit: 2)
    #expect(
      try Array(library.fetchAssetCollections(with: .album, options: sorted))
        == [imported, albums[2]])
  }

  @Test(.requirement("fetch-methods"))
  func `a fetch by identifiers returns collections of the first one's type`() throws {
    let albums = [try folder.addAlbum("a"), try folder.addAlbum("b")]
    let smart = try library.fetchAssetCollections(with: .smartAlbum)
    let names = [albums[1], smart[2], albums[0], albums[1], smart[0]].map(\.localIdentifier)
    #expect(
      try Array(library.fetchAssetCollections(withLocalIdentifiers: names))
        == [albums[1], albums[0]])
    #expect(
      try Array(library.fetchAssetCollections(withLocalIdentifiers: names.dropFirst()))
        == [smart[2], smart[0]])
  }

  @Test(.requirement("fetch-methods"))
  func `a fetch by asset returns albums and moments but no smart albums`() throws {
    let assets = try folder.addAssets(2) { $1.creationDate = Date(timeIntervalSince1970: 1) }
    let albums = [try folder.addAlbum("a", assets), try folder.addAlbum("b", [assets[0]])]
    #expect(try Array(library.fetchAssetCollections(containing: assets[0], with: .album)) == albums)
    #expect(
      try Array(library.fetchAssetCollections(containing: assets[1], with: .album)) == [albums[0]])
    #expect(try library.fetchAssetCollections(containing: assets[0], with: .smartAlbum).isEmpty)
    let moment = try library.fetchAssetCollections(containing: assets[1], with: .moment)
    #expect(try Array(moment) == Array(library.fetchMoments()) && moment.count == 1)
  }

  @Test(.requirement("folders"))
  func `folders contain albums and folders, each with one parent`() throws {
    let outer = try folder.addFolder("outer", position: 1)
    let inner = try folder.addFolder("inner", in: outer, position: 0)
    let album = try folder.addAlbum("album", in: outer, position: -5)
    let deep = try folder.addAlbum("deep", in: inner)
    let top = try folder.addAlbum("top", position: 0)
    #expect(try Array(library.fetchTopLevelUserCollections()) == [.assets(top), .list(outer)])
    #expect(
      try Array(library.fetchCollections(in: outer)) == [.assets(album), .list(inner)])
    #expect(try Array(library.fetchCollections(in: inner)) == [.assets(deep)])
    #expect(try Array(library.fetchCollectionLists(containing: .assets(deep))) == [inner])
    #expect(try Array(library.fetchCollectionLists(containing: .list(inner))) == [outer])
    #expect(try library.fetchCollectionLists(containing: .assets(top)).isEmpty)
    #expect(
      try Array(library.fetchCollectionLists(with: .folder, subtype: .regularFolder))
        == [outer, inner])
    #expect(try library.fetchCollectionLists(with: .folder, subtype: .momentListYear).isEmpty)
    #expect(
      try Array(
        library.fetchCollectionLists(withLocalIdentifiers: [inner, outer].map(\.localIdentifier)))
        == [inner, outer])
    let options = FetchOptions(
      predicate: CollectionKey.localizedTitle.contains("n"),
      sortDescriptors: [FetchSort(CollectionKey.localIdentifier)])
    #expect(try Array(library.fetchCollections(in: outer, options: options)) == [.list(inner)])
    let named = FetchOptions(predicate: CollectionKey.localIdentifier == .assets(album))
    #expect(try Array(library.fetchCollections(in: outer, options: named)) == [.assets(album)])
    let lists = FetchOptions(predicate: CollectionListKey.localizedTitle == "inner")
    #expect(try Array(library.fetchCollectionLists(with: .folder, options: lists)) == [inner])
  }

  @Test(.requirement("folders"))
  func `predicates on mixed collections match the same in the database and in memory`() throws {
    let asset = try folder.addAsset { $0.creationDate = Date(timeIntervalSince1970: 7) }
    _ = try folder.addFolder("f")
    _ = try folder.addAlbum("a", [asset])
    _ = try folder.addAlbum("empty")
    let all = Array(try library.fetchTopLevelUserCollections())
    let date = Date(timeIntervalSince1970: 7)
    for predicate in [
      CollectionKey.startDate == date, CollectionKey.endDate != date, CollectionKey.startDate.isNil,
      !(CollectionKey.endDate >= date), CollectionKey.localIdentifier != all[0],
      CollectionKey.localIdentifier.isIn(all.prefix(2)),
    ] {
      let options = FetchOptions(predicate: predicate)
      let found = try library.fetchTopLevelUserCollections(options)
      #expect(Array(found) == options.apply(to: all), "\(predicate)")
    }
  }

  @Test(.requirement("smart-albums")) func `an album has exact counts and dates`() throws {
    let assets = try folder.addAssets(4) { i, record in
      record.creationDate = [5, 1, nil, 9][i].map { Date(timeIntervalSince1970: $0) }
      record.isHidden = i == 3
    }
    let album = try folder.addAlbum("a", assets)
    #expect(album.estimatedAssetCount == 3)
    #expect(album.startDate == assets[1].creationDate && album.endDate == assets[0].creationDate)
    let counted = FetchOptions(predicate: AssetCollectionKey.estimatedAssetCount == 3)
    #expect(try library.fetchAssetCollections(with: .album, options: counted).count == 1)
  }
}
