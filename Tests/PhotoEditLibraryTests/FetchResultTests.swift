// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import Testing

@testable import PhotoEditLibrary

@Suite("Fetch results")
struct FetchResultTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  @Test(.requirement("immutable-models"))
  func `fetched values do not change with the library`() throws {
    let asset = try folder.addAsset()
    try library.performChangesAndWait { try $0.change(asset).setFavorite(true) }
    #expect(!asset.isFavorite)
    let after = try #require(try library.fetchAssets().first)
    #expect(after.isFavorite && after == asset && after.hashValue == asset.hashValue)
  }

  @Test(.requirement("fetch-result-is-a-snapshot"))
  func `objects loaded later show the state at the fetch`() throws {
    let assets = try folder.addAssets(5)
    let result = try library.fetchAssets()
    try library.performChangesAndWait { changes in
      try changes.change(assets[0]).setFavorite(true)
      try changes.change(assets[1]).setTitle("new")
    }
    try library.performChangesAndWait { try $0.change(assets[0]).setTitle("later") }
    try folder.setState(1, of: assets[2])
    try folder.setState(1, of: assets[3])
    try folder.setState(2, of: assets[3])
    let late = try folder.addAsset()
    #expect(result.count == 5)
    #expect(result.map(\.localIdentifier) == assets.map(\.localIdentifier))
    #expect(!result[0].isFavorite && result[0].title == nil && result[1].title == nil)
    #expect(result[2].trashedDate == nil && result[3].trashedDate == nil)
    #expect(!result.contains(late) && result.contains(assets[3]))
    #expect(try library.fetchAssets().count == 4)
    #expect(result.failure == nil)
  }

  @Test(.requirement("fetch-result-is-a-snapshot"))
  func `every accessor returns the same member`() throws {
    let assets = try folder.addAssets(FetchedMembers<Asset>.batchLength * 2 + 7)
    let result = try library.fetchAssets()
    #expect(result.first == assets.first && result.last == assets.last)
    #expect(Array(result) == assets)
    for index in [0, 99, 100, 199, 200, 206] {
      #expect(result[index] == assets[index])
      #expect(try result.object(at: index) == assets[index])
      #expect(result.index(of: assets[index]) == index)
    }
    #expect(try result.objects(at: [206, 0, 100]) == [206, 0, 100].map { assets[$0] })
    #expect(Array(result[150..<153]) == Array(assets[150..<153]))
    #expect(result.index(of: assets[100], in: 101..<207) == nil)
    #expect(result.index(of: assets[100], in: 100..<9_999) == 100)
    for index in [-1, 207, Int.min, Int.max] {
      let error = #expect(throws: LibraryError.self) { try result.object(at: index) }
      #expect(error?.code == .changeNotSupported)
    }
  }

  @Test(.requirement("fetch-result-is-a-snapshot"))
  func `enumerations run forward, backward and over indexes, and can stop`() throws {
    let assets = try folder.addAssets(5)
    let result = try library.fetchAssets()
    var seen: [Int] = []
    result.enumerateObjects { object, index, stop in
      #expect(object == assets[index])
      seen.append(index)
      stop = index == 2
    }
    #expect(seen == [0, 1, 2])
    seen = []
    result.enumerateObjects(.reverse) { _, index, _ in seen.append(index) }
    #expect(seen == [4, 3, 2, 1, 0])
    seen = []
    result.enumerateObjects(at: [3, 1, 3], .reverse) { _, index, _ in seen.append(index) }
    #expect(seen == [3, 1])
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try result.enumerateObjects { _, _, _ throws(Stop) in throw Stop() }
    }
  }

  @Test(.requirement("fetch-result-is-a-snapshot"))
  func `a limited number of loaded objects is kept`() throws {
    let members = FetchedMembers<Asset>.maximumCachedBatches + 3
    _ = try folder.addAssets(members * FetchedMembers<Asset>.batchLength)
    let rows = try library.fetchAssets().rows
    let kept = FetchedMembers<Asset>(rows, at: 1, in: library.reader)
    for index in stride(from: 0, to: rows.count, by: 50) { _ = try kept.read(index) }
    #expect(kept.batchCount == FetchedMembers<Asset>.maximumCachedBatches)
    #expect(try kept.read(0).row == rows[0])
  }

  @Test(.requirement("fetch-result-is-a-snapshot"))
  func `members are counted by their media type at the fetch`() throws {
    let assets = try folder.addAssets(9) { i, record in
      record.mediaType = i % 3 == 0 ? .video : .image
      record.isHidden = i == 8
    }
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = true
    let result = try library.fetchAssets(options)
    try folder.set("mediaType", 3, of: assets[0])
    try folder.set("mediaType", 2, of: assets[1])
    try folder.setState(2, of: assets[3])
    #expect(try result.countOfAssets(with: .video) == 3)
    #expect(try result.countOfAssets(with: .image) == 6)
    #expect(try result.countOfAssets(with: .audio) == 0)
    #expect(try library.fetchAssets(options).countOfAssets(with: .audio) == 1)
    #expect(try FetchResult(assets.prefix(4)).countOfAssets(with: .video) == 2)
  }

  @Test(.requirement("fetch-result-is-a-snapshot"))
  func `a result of given objects finds them by identifier`() throws {
    let assets = try folder.addAssets(3)
    let result = FetchResult([assets[2], assets[0]])
    #expect(result.index(of: assets[0]) == 1 && result.index(of: assets[1]) == nil)
    #expect(!result.wantsIncrementalChangeDetails)
    let smart = try library.fetchAssetCollections(with: .smartAlbum)
    #expect(smart.index(of: smart[5]) == 5)
  }

  @Test(.requirement("fetch-result-is-a-snapshot"))
  func `a result does not contain an asset of another library`() throws {
    let other = try TestLibrary()
    let (mine, external) = (try folder.addAsset(), try other.addAsset())
    #expect(mine.row == external.row)
    #expect(try !library.fetchAssets().contains(external))
  }

  @Test(.requirement("fetch-result-is-a-snapshot"))
  func `a fetched album has its count and dates at the fetch`() throws {
    let assets = try folder.addAssets(4) { i, record in
      record.creationDate = Date(timeIntervalSince1970: Double(i))
    }
    let album = try folder.addAlbum("before", Array(assets.prefix(3)))
    let row = try #require(album.row)
    let result = try library.fetchAssetCollections(with: .album)
    try folder.edit { commit throws(LibraryError) in
      try commit.touchCollection(.assetCollection, row)
      try commit.database.run("UPDATE collection SET title = 'after' WHERE id = ?", [.integer(row)])
      try TestLibrary.take(assets[2], outOf: row, commit)
      try TestLibrary.put(assets[3], in: row, at: 9 << 20, commit)
    }
    try library.performChangesAndWait { changes in
      try changes.change(assets[0]).setHidden(true)
      try changes.change(assets[1]).setCreationDate(nil)
    }
    let before = try #require(result.first)
    #expect(before.localizedTitle == "before" && before.estimatedAssetCount == 3)
    #expect(before.startDate == assets[0].creationDate && before.endDate == assets[2].creationDate)
    let now = try #require(try library.fetchAssetCollections(with: .album).first)
    #expect(now.localizedTitle == "after" && now.estimatedAssetCount == 2)
    #expect(now.startDate == assets[3].creationDate && now.endDate == assets[3].creationDate)
    #expect(try library.fetchAssets(in: before).map { $0 } == [assets[1], assets[3]])
  }

  @Test(.requirement("library-availability"))
  func `an unreadable library returns empty objects and reports the failure`() throws {
    let asset = try folder.addAsset()
    let result = try library.fetchAssets()
    library.reader.readers.closeIdle()
    try FileManager.default.removeItem(atPath: library.layout.root)
    #expect(result[0].localIdentifier.isEmpty && !result[0].canPerform(.delete))
    #expect(result.map(\.mediaType) == [.unknown])
    #expect(result.failure != nil)
    #expect(throws: LibraryError.self) { try result.object(at: 0) }
    #expect(!result.contains(asset))
  }
}
