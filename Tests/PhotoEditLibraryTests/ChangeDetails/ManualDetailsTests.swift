// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Manually compared fetch results", .seeded)
struct ManualDetailsTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func name(_ asset: Asset) -> String { asset.localIdentifier }

  @Test func `a manually filtered result can be updated with details`() throws {
    let assets = try folder.addAssets(6) { i, record in record.isFavorite = i < 4 }
    let fetched = try library.fetchAssets()
    let shown = FetchResult(fetched.filter(\.isFavorite))
    var rows = shown.map { "\($0.originalFilename) \($0.title ?? "")" }
    try library.performChangesAndWait { changes in
      try changes.change(assets[0]).setFavorite(false)
      try changes.change(assets[2]).setTitle("new")
      try changes.change(assets[5]).setFavorite(true)
      try changes.change(assets[4]).setTitle("unseen")
    }
    let after = try library.fetchAssets()
    let details = FetchResultChangeDetails(
      from: fetched, to: after, changedObjects: [0, 2, 4, 5].map { after[$0] })
    #expect(details.changedIndexes == [0, 2, 4, 5] && !details.hasMoves)
    #expect(details.removedIndexes == [] && details.insertedIndexes == [])

    let filtered = FetchResult(after.filter(\.isFavorite))
    let difference = FetchResultChangeDetails(
      from: shown, to: filtered, changedObjects: details.changedObjects)
    #expect(difference.hasIncrementalChanges)
    #expect(difference.removedIndexes == [0] && difference.removedObjects == [assets[0]])
    #expect(difference.insertedIndexes == [3] && difference.insertedObjects == [assets[5]])
    #expect(difference.changedIndexes == [1] && difference.changedObjects[0].title == "new")
    rows = difference.applying(to: rows) { "\($0.originalFilename) \($0.title ?? "")" }
    #expect(rows == ["1.jpg ", "2.jpg new", "3.jpg ", "5.jpg "])
  }

  @Test func `objects show the state of their own result despite later changes`() throws {
    let assets = try folder.addAssets(3)
    let before = try library.fetchAssets()
    try library.performChangesAndWait { changes in
      try changes.delete([assets[0]])
      try changes.change(assets[1]).setTitle("first")
    }
    let late = try folder.addAsset()
    let after = try library.fetchAssets()
    try library.performChangesAndWait { changes in
      for asset in [assets[1], late] { try changes.change(asset).setTitle("second") }
    }
    let details = FetchResultChangeDetails(from: before, to: after, changedObjects: [assets[1]])
    #expect(details.removedObjects.map(\.trashedDate) == [nil])
    #expect(details.changedObjects.map(\.title) == ["first"])
    #expect(details.insertedObjects.map(\.title) == [nil])
    #expect(details.applying(to: Array(before)).map(\.title) == ["first", nil, nil])
  }

  @Test func `comparing by row and by identifier gives the same details`() throws {
    _ = try folder.addAssets(40)
    var random = SeededNumbers(6)
    for _ in 0..<20 {
      let rows = try library.fetchAssets().rows
      let lists = (0..<2).map { _ in
        Array(rows.shuffled(using: &random).prefix(random.below(rows.count)))
      }
      let stored = lists.map {
        FetchResult<Asset>(ChunkedRowList($0), at: 1_000, in: library.reader)
      }
      let given = stored.map { FetchResult(Array($0)) }
      let changed = Array(stored[1].prefix(5)) + Array(stored[0].prefix(5))
      let byRow = FetchResultChangeDetails(
        from: stored[0], to: stored[1], changedObjects: changed)
      let byName = FetchResultChangeDetails(from: given[0], to: given[1], changedObjects: changed)
      let mixed = FetchResultChangeDetails(
        from: stored[0], to: given[1], changedObjects: changed)
      #expect(byRow.difference == byName.difference && byRow.difference == mixed.difference)
      #expect(byRow.changedIndexes == byName.changedIndexes)
      #expect(byRow.changedIndexes == mixed.changedIndexes)
      #expect(byRow.applying(to: Array(stored[0])) == Array(stored[1]))
    }
  }

  @Test func `only listed objects in both results count as changed`() throws {
    let other = try TestLibrary()
    let external = try other.addAsset()
    let assets = try folder.addAssets(4)
    #expect(external.row == assets[0].row)
    let (before, after) = (try result([0, 1, 2], of: assets), try result([3, 1, 0], of: assets))
    let all = FetchResultChangeDetails(from: before, to: after, changedObjects: assets)
    #expect(all.changedIndexes == [1, 2])
    let none = FetchResultChangeDetails(from: before, to: after)
    #expect(none.changedIndexes == [] && none.changedObjects == [])
    for objects in [[], [assets[2]], [assets[3]], [external]] {
      let details = FetchResultChangeDetails(from: before, to: after, changedObjects: objects)
      #expect(details.changedIndexes == [])
    }
    let twice = FetchResultChangeDetails(
      from: before, to: after, changedObjects: [assets[0], assets[0]])
    #expect(twice.changedIndexes == [2])
  }

  private func result(_ indexes: [Int], of assets: [Asset]) throws -> FetchResult<Asset> {
    FetchResult(
      ChunkedRowList(indexes.map { assets[$0].row }), at: try folder.version(), in: library.reader)
  }

  @Test func `assets of two libraries are distinguished by identifier`() throws {
    let other = try TestLibrary()
    let (mine, external) = (try folder.addAsset(), try other.addAsset())
    #expect(mine.row == external.row)
    let details = FetchResultChangeDetails(
      from: try library.fetchAssets(), to: try other.library.fetchAssets())
    #expect(details.removedObjects == [mine] && details.insertedObjects == [external])
  }

  @Test func `equal results have empty incremental details`() throws {
    _ = try folder.addAssets(2)
    let result = try library.fetchAssets()
    let details = FetchResultChangeDetails(from: result, to: result)
    #expect(details.hasIncrementalChanges && details.isEmpty)
    #expect(details.removedIndexes == [] && details.changedIndexes == [])
    #expect(details.applying(to: ["a", "b"], making: name) == ["a", "b"])
    #expect(
      !FetchResultChangeDetails(from: result, to: result, changedObjects: [result[0]]).isEmpty)
  }

  @Test func `smart albums without rows are compared by identifier`() throws {
    let all = try library.fetchAssetCollections(with: .smartAlbum)
    #expect(all.rows.contains(0) && all.count > 3)
    let details = FetchResultChangeDetails(
      from: all, to: FetchResult(all.reversed()), changedObjects: [all[1]])
    #expect(details.moves.count == all.count - 1)
    #expect(details.changedIndexes == [all.count - 2])
    #expect(details.applying(to: Array(all)) == all.reversed())
  }

  // MARK: Not incremental

  private func expectNoSteps(
    _ details: FetchResultChangeDetails<some FetchedObject>,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(!details.hasIncrementalChanges && !details.hasMoves, sourceLocation: location)
    let indexes = [details.removedIndexes, details.insertedIndexes, details.changedIndexes]
    #expect(indexes == [nil, nil, nil], sourceLocation: location)
    let counts = [
      details.removedObjects.count, details.insertedObjects.count, details.changedObjects.count,
      details.moves.count, details.batchMoves.count, details.sequentialMoves.count,
    ]
    #expect(counts.allSatisfy { $0 == 0 }, sourceLocation: location)
    #expect(!details.isEmpty, "equality of the results is unknown", sourceLocation: location)
    // An array that matches neither result is replaced.
    let names = details.applying(to: ["x"]) { $0.localIdentifier }
    #expect(
      names == details.fetchResultAfterChanges.map(\.localIdentifier), sourceLocation: location)
  }

  @Test func `a result that opted out has no incremental details`() throws {
    let assets = try folder.addAssets(2)
    var options = FetchOptions<Asset>()
    options.wantsIncrementalChangeDetails = false
    let (plain, expected) = (try library.fetchAssets(options), try library.fetchAssets())
    _ = try folder.addAsset()
    let after = try library.fetchAssets()
    expectNoSteps(FetchResultChangeDetails(from: plain, to: after, changedObjects: assets))
    // The option of the later result applies to the next details.
    #expect(FetchResultChangeDetails(from: expected, to: plain).hasIncrementalChanges)
  }

  @Test func `details of results with duplicate objects are not incremental`() {
    expectNoSteps(FetchResultChangeDetails(from: FetchResult("ABA"), to: FetchResult("AB")))
    expectNoSteps(FetchResultChangeDetails(from: FetchResult("AB"), to: FetchResult("ABB")))
  }

  @Test func `details with more than ten thousand operations are not incremental`() {
    let numbers = (0..<10_001).map { Letter($0) }
    let empty = FetchResult<Letter>([])
    let many = FetchResultChangeDetails(from: FetchResult(numbers), to: empty)
    expectNoSteps(many)
    let fewer = FetchResultChangeDetails(from: FetchResult(numbers.dropLast()), to: empty)
    #expect(fewer.removedIndexes == Array(0..<10_000))
    // The limit also applies to known differences.
    let known = ListDifference(
      beforeCount: 10_001, afterCount: 0, removed: Array(0..<10_001), inserted: [], runs: [])
    expectNoSteps(
      FetchResultChangeDetails(
        before: FetchResult(numbers), after: empty, difference: known, changed: []))
  }

  // MARK: Single objects

  @Test func `details without an object after the change report a deletion`() throws {
    let asset = try folder.addAsset()
    let missing = ObjectChangeDetails(from: asset, to: nil, assetContentChanged: false)
    #expect(missing.objectWasDeleted && missing.objectBeforeChanges == asset)
    let edited = ObjectChangeDetails(from: asset, to: asset, assetContentChanged: true)
    #expect(!edited.objectWasDeleted && edited.assetContentChanged)
    #expect(edited.objectAfterChanges == asset)
  }
}
