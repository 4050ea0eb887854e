// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Changes and their details", .seeded)
struct ChangeTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  /// The change that covers everything a closure commits.
  private func change(_ body: () throws -> Void) throws -> LibraryChange {
    let base = try folder.version()
    try body()
    return LibraryChange(in: library, from: base, through: try folder.version())
  }

  // MARK: Objects

  @Test func `property changes, content changes and deletions are distinguished`() throws {
    let assets = try folder.addAssets(2)
    let property = try change {
      try library.performChangesAndWait { try $0.change(assets[0]).setFavorite(true) }
    }
    let details = try #require(try property.changeDetails(for: assets[0]))
    #expect(!details.objectBeforeChanges.isFavorite)
    #expect(details.objectAfterChanges?.isFavorite == true)
    #expect(!details.assetContentChanged && !details.objectWasDeleted)
    #expect(try property.changeDetails(for: assets[1]) == nil)

    let content = try change {
      try folder.edit { commit throws(LibraryError) in
        try commit.touchAsset(assets[0].row, isContent: true)
      }
    }
    #expect(try content.changeDetails(for: assets[0])?.assetContentChanged == true)

    // An object of another library has the same row.
    let other = try TestLibrary()
    #expect(try content.changeDetails(for: other.addAsset()) == nil)

    let deletion = try change {
      try library.performChangesAndWait { try $0.delete([assets[0]]) }
    }
    let deleted = try #require(try deletion.changeDetails(for: assets[0]))
    #expect(deleted.objectWasDeleted && deleted.objectAfterChanges == nil)
    // Details of a change do not depend on later commits.
    #expect(try property.changeDetails(for: assets[0])?.objectWasDeleted == false)
  }

  @Test func `an album changes with its members, their visibility and its deletion`() throws {
    let assets = try folder.addAssets(3)
    let album = try folder.addAlbum([assets[0]])
    let other = try folder.addAlbum([], title: "other")
    let filled = try change {
      try library.performChangesAndWait { try $0.change(album).addAssets([assets[1]]) }
    }
    #expect(try filled.changeDetails(for: album)?.objectAfterChanges?.estimatedAssetCount == 2)
    #expect(try filled.changeDetails(for: other) == nil)
    let full = try #require(
      try library.fetchAssetCollections(withLocalIdentifiers: [album.localIdentifier]).first)
    let hidden = try change {
      try library.performChangesAndWait { try $0.change(assets[1]).setHidden(true) }
    }
    // The membership is unchanged, but one member fewer is visible.
    let details = try #require(try hidden.changeDetails(for: full))
    #expect(details.objectBeforeChanges.estimatedAssetCount == 2)
    #expect(details.objectAfterChanges?.estimatedAssetCount == 1)
    #expect(try filled.changeDetails(for: full)?.objectAfterChanges?.estimatedAssetCount == 2)
    let removed = try change { try library.performChangesAndWait { try $0.delete([album]) } }
    #expect(try removed.changeDetails(for: album)?.objectWasDeleted == true)
  }

  // MARK: Results

  @Test func `an unaffected fetch result has no change details`() throws {
    let assets = try folder.addAssets(3)
    let videos = try library.fetchAssets(with: .video)
    let all = try library.fetchAssets()
    let change = try change {
      try library.performChangesAndWait { try $0.change(assets[1]).setFavorite(true) }
    }
    #expect(try change.changeDetails(for: videos) == nil)
    let details = try #require(try change.changeDetails(for: all))
    #expect(details.changedIndexes == [1] && details.changedObjects.first?.isFavorite == true)
    #expect(details.removedIndexes == [] && details.insertedIndexes == [] && !details.hasMoves)
    #expect(!details.fetchResultBeforeChanges[1].isFavorite)
    // The result after the change already includes it.
    #expect(try change.changeDetails(for: details.fetchResultAfterChanges) == nil)
    #expect(try change.changeDetails(for: FetchResult(assets)) == nil)
  }

  @Test func `a removal from a limited result inserts the next object`() throws {
    let assets = try folder.addAssets(5)
    let first = try library.fetchAssets(FetchOptions(fetchLimit: 3))
    let change = try change { try library.performChangesAndWait { try $0.delete([assets[0]]) } }
    let details = try #require(try change.changeDetails(for: first))
    #expect(details.removedIndexes == [0] && details.insertedIndexes == [2])
    #expect(details.insertedObjects == [assets[3]])
  }

  @Test func `a result that opted out of details gets only the new result`() throws {
    let assets = try folder.addAssets(3)
    var options = FetchOptions<Asset>()
    options.wantsIncrementalChangeDetails = false
    let all = try library.fetchAssets(options)
    let change = try change { try library.performChangesAndWait { try $0.delete([assets[0]]) } }
    let details = try #require(try change.changeDetails(for: all))
    #expect(!details.hasIncrementalChanges && details.removedIndexes == nil)
    #expect(details.changedObjects.isEmpty)
    #expect(Array(details.fetchResultAfterChanges) == Array(assets[1...]))
    let later = try self.change {
      try library.performChangesAndWait { _ = try $0.createAlbum(title: "a") }
    }
    #expect(try later.changeDetails(for: details.fetchResultAfterChanges) == nil)
  }

  @Test(.requirement("side-effects-in-same-change"))
  func `an asset that is no longer a favorite leaves the Favorites album`() throws {
    let assets = try folder.addAssets(4) { i, record in record.isFavorite = i > 0 }
    let album = try #require(
      try library.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumFavorites).first)
    let members = try library.fetchAssets(in: album)
    let albums = try library.fetchAssetCollections(with: .smartAlbum)
    let change = try change {
      try library.performChangesAndWait { try $0.change(assets[2]).setFavorite(false) }
    }
    #expect(try change.changeDetails(for: members)?.removedIndexes == [1])
    let counts = try #require(try change.changeDetails(for: albums))
    #expect(counts.changedObjects.map(\.subtype) == [.smartAlbumFavorites])
    #expect(try change.changeDetails(for: album)?.objectAfterChanges?.estimatedAssetCount == 2)
  }

  @Test func `a change updates a result only to its own commit`() throws {
    let assets = try folder.addAssets(3)
    let all = try library.fetchAssets()
    let first = try change { try library.performChangesAndWait { try $0.delete([assets[0]]) } }
    let second = try change { try library.performChangesAndWait { try $0.delete([assets[1]]) } }
    let details = try #require(try first.changeDetails(for: all))
    #expect(Array(details.fetchResultAfterChanges) == Array(assets[1...]))
    #expect(try second.changeDetails(for: all)?.removedIndexes == [0, 1])
    #expect(
      try second.changeDetails(for: details.fetchResultAfterChanges)?.removedIndexes == [0])
    let restored = try change { try library.performChangesAndWait { try $0.restore([assets[0]]) } }
    #expect(try restored.changeDetails(for: all)?.removedIndexes == [1])
  }

  @Test func `without history, details have a new result but are not incremental`() throws {
    let assets = try folder.addAssets(3)
    let all = try library.fetchAssets()
    let change = try change { try library.performChangesAndWait { try $0.delete([assets[0]]) } }
    let last = try folder.version()
    try folder.edit { commit throws(LibraryError) in
      let history = LibraryHistory(database: commit.database)
      try history.expire(
        upTo: history.mark("SELECT id, date FROM change WHERE id = ?", [.integer(last)]) ?? .start)
    }
    let details = try #require(try change.changeDetails(for: all))
    #expect(!details.hasIncrementalChanges)
    #expect(Array(details.fetchResultAfterChanges) == Array(assets[1...]))
  }

  @Test func `two library objects and the history report the same changes`() throws {
    var generator = RequestGenerator(seed: 11)
    let runner = try LibraryRunner()
    let mine = runner.folder.library
    let other = try PhotoLibrary(at: mine.url)
    var model = LibraryModel()
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    for _ in 0..<80 {
      let block = generator.block(model)
      let results = (try mine.fetchAssets(options), try other.fetchAssets(options))
      let token = try mine.currentChangeToken
      let version = try runner.folder.version()
      guard case .success(let after) = model.after(block), try runner.carryOut(block) == nil
      else { continue }
      model = after
      for change in try other.fetchPersistentChanges(since: token) {
        let history = try change.changeDetails(for: .asset)
        let (first, second) = (
          try LibraryChange(in: mine, from: version, through: version + 1).changeDetails(
            for: results.0),
          try LibraryChange(in: other, from: version, through: version + 1).changeDetails(
            for: results.1)
        )
        let names = { (objects: [Asset]?) in Set((objects ?? []).map(\.localIdentifier)) }
        #expect(history.insertedLocalIdentifiers == names(first?.insertedObjects))
        #expect(history.updatedLocalIdentifiers == names(first?.changedObjects))
        #expect(history.deletedLocalIdentifiers == names(first?.removedObjects))
        #expect(first?.difference == second?.difference)
        #expect(first?.changedIndexes == second?.changedIndexes)
      }
    }
  }

  // MARK: Permissions

  private func policy(_ text: String) throws {
    try text.write(toFile: library.layout.policy, atomically: true, encoding: .utf8)
  }

  @Test(.requirement("late-grant-fills-results"))
  func `a grant fills a result that was empty without permission`() throws {
    let assets = try folder.addAssets(3)
    try policy(#"{"schemaVersion": 1, "default": "none"}"#)
    let all = try library.fetchAssets()
    #expect(all.isEmpty)
    try policy(#"{"schemaVersion": 1, "default": "readWrite"}"#)
    let version = try folder.version()
    let change = LibraryChange(in: library, from: version, through: version)
    #expect(change.isOfAuthorization)
    let details = try #require(try change.changeDetails(for: all))
    #expect(Array(details.fetchResultAfterChanges) == assets)
    #expect(!details.hasIncrementalChanges)
  }

  @Test(.requirement("limited-access"))
  func `a new selection of assets is reported as insertions and removals`() throws {
    let assets = try folder.addAssets(3)
    func select(_ indexes: [Int]) throws {
      let names = indexes.map { "\"\(assets[$0].localIdentifier)\"" }.joined(separator: ",")
      try policy(
        #"""
        {"schemaVersion": 1, "clients": {"org.photoedit":
          {"level": "limited", "assets": [\#(names)]}}}
        """#)
    }
    try select([0, 1])
    let all = try library.fetchAssets()
    #expect(all.count == 2)
    try select([1, 2])
    let version = try folder.version()
    let details = try #require(
      try LibraryChange(in: library, from: version, through: version).changeDetails(for: all))
    #expect(details.removedIndexes == [0] && details.insertedIndexes == [1])
  }
}
