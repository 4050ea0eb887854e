// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("History", .seeded)
struct HistoryReplayTests {
  /// The visible values of every existing object, by identifier.
  private typealias State = [String: String]

  private static func state(_ library: PhotoLibrary) throws -> State {
    try library.read { database throws(LibraryError) in
      var state: State = [:]
      let assets = try database.all("SELECT \(Asset.selection) FROM asset WHERE state = 0") { row in
        (Asset(row).localIdentifier, values(row))
      }
      for (name, text) in assets { state[name] = text }
      let collections = try database.all(
        "SELECT id, class, uuid, title, modificationDate FROM collection WHERE state = 0"
      ) { row in (row.int(0), Int(row.int(1)), row.blob(2), values(row)) }
      for (row, number, uuid, text) in collections {
        guard let objectClass = ObjectClass(rawValue: number),
          let name = LocalIdentifier(bytes: uuid, objectClass)
        else { continue }
        let members = try database.all(
          objectClass == .assetCollection
            ? "SELECT asset FROM member WHERE album = ? ORDER BY position"
            : "SELECT id FROM collection WHERE parent = ? AND state = 0 ORDER BY position",
          [.integer(row)]
        ) { $0.int(0) }
        state[name.description] = text + "\(members)"
      }
      return state
    }
  }

  private static func values(_ row: Row) -> String {
    (0..<row.count).map { "\(row.value($0))" }.joined(separator: "|")
  }

  /// Applies changes to an earlier state; the values of the named objects are unknown afterwards.
  private static func replay(
    _ changes: PersistentChanges, on before: State, _ context: Comment
  ) throws -> (state: State, named: Set<String>) {
    var (state, named) = (before, Set<String>())
    for change in changes {
      for objectClass in ObjectClass.allCases {
        let details = try change.changeDetails(for: objectClass)
        let sets = [
          details.insertedLocalIdentifiers, details.updatedLocalIdentifiers,
          details.deletedLocalIdentifiers,
        ]
        let all = sets.reduce(into: Set<String>()) { $0.formUnion($1) }
        try #require(all.count == sets.map(\.count).reduce(0, +), context)
        try #require(all.allSatisfy { LocalIdentifier($0)?.objectClass == objectClass }, context)
        named.formUnion(all)
        for name in sets[0] { try #require(state.updateValue("", forKey: name) == nil, context) }
        for name in sets[1] { try #require(state[name] != nil, context) }
        for name in sets[2] { try #require(state.removeValue(forKey: name) != nil, context) }
      }
    }
    try #require(changes.failure == nil, context)
    return (state, named)
  }

  @Test(arguments: [1, 2, 3])
  func `replaying all changes on an earlier state gives the current state`(seed: Int) throws {
    var generator = RequestGenerator(seed: seed)
    let runner = try LibraryRunner()
    let library = runner.folder.library
    var model = LibraryModel()
    var known: [(token: PersistentChangeToken, state: State)] = []
    var commits = 0
    for round in 0..<150 {
      if round % 15 == 0 { known.append((try library.currentChangeToken, try Self.state(library))) }
      let block = generator.block(model)
      let expected = model.after(block)
      let before = try runner.folder.version()
      _ = try runner.carryOut(block)
      if case .success(let after) = expected { model = after }
      commits += Int(try runner.folder.version() - before)
      generator.recordOrders(model)
    }
    #expect(commits > 50)
    let now = try Self.state(library)
    for (token, before) in known {
      let context: Comment = "seed \(seed), \(token.mark)"
      let changes = try library.fetchPersistentChanges(since: token)
      let (state, named) = try Self.replay(changes, on: before, context)
      #expect(Set(state.keys) == Set(now.keys), context)
      let wrong = state.filter { !named.contains($0.key) && now[$0.key] != $0.value }
      #expect(wrong.isEmpty, context)
    }
    let all = try library.fetchPersistentChanges()
    #expect(all.count(where: { _ in true }) == commits)
  }

  @Test func `each commit is one change with the token that follows it`() throws {
    let folder = try TestLibrary()
    let start = try folder.library.currentChangeToken
    let first = try folder.addAsset()
    let between = try folder.library.currentChangeToken
    let album = try folder.addAlbum([first])
    let changes = Array(try folder.library.fetchPersistentChanges(since: start))
    #expect(changes.map(\.changeToken) == [between, try folder.library.currentChangeToken])
    #expect(changes[0].date < changes[1].date)
    #expect(
      try changes[0].changeDetails(for: .asset).insertedLocalIdentifiers
        == [first.localIdentifier])
    #expect(try changes[0].changeDetails(for: .assetCollection).isEmpty)
    #expect(
      try changes[1].changeDetails(for: .assetCollection).insertedLocalIdentifiers
        == [album.localIdentifier])
    let rest = try folder.library.fetchPersistentChanges(since: between)
    #expect(rest.map(\.changeToken) == [changes[1].changeToken])
    #expect(
      try folder.library.fetchPersistentChanges(since: changes[1].changeToken).map(\.date) == [])
  }

  @Test func `trashing reports a deletion, restoring an insertion, purging nothing`() throws {
    let folder = try TestLibrary()
    let asset = try folder.addAsset()
    let start = try folder.library.currentChangeToken
    func details() throws -> PersistentObjectChangeDetails? {
      try Array(folder.library.fetchPersistentChanges(since: start)).last?
        .changeDetails(for: .asset)
    }
    try folder.library.performChangesAndWait { try $0.delete([asset]) }
    #expect(try details()?.deletedLocalIdentifiers == [asset.localIdentifier])
    try folder.library.performChangesAndWait { try $0.restore([asset]) }
    #expect(try details()?.insertedLocalIdentifiers == [asset.localIdentifier])
    #expect(try details()?.deletedLocalIdentifiers == [])
    try folder.library.performChangesAndWait { try $0.delete([asset]) }
    try folder.library.performChangesAndWait { try $0.purge([asset]) }
    #expect(try details()?.isEmpty == true)
    #expect(try folder.library.fetchPersistentChanges(since: start).map(\.date).count == 4)
  }

  @Test func `an object inserted and deleted in one commit is not reported`() throws {
    let folder = try TestLibrary()
    let start = try folder.library.currentChangeToken
    let record = PhotoProperties(
      originalFilename: "a", addedAt: folder.library.configuration.clock())
    try folder.edit { commit throws(LibraryError) in
      let row = try commit.insert(record)
      try commit.trash(row)
    }
    let other = PhotoProperties(
      originalFilename: "b", addedAt: folder.library.configuration.clock())
    let identifier = LocalIdentifier(new: .asset)
    try folder.edit { commit throws(LibraryError) in
      let row = try commit.insert(other, as: identifier)
      try commit.touchAsset(row)
    }
    let changes = Array(try folder.library.fetchPersistentChanges(since: start))
    #expect(try changes[0].changeDetails(for: .asset).isEmpty)
    let details = try changes[1].changeDetails(for: .asset)
    #expect(details.insertedLocalIdentifiers == [identifier.description])
    #expect(details.updatedLocalIdentifiers == [])
  }

  @Test func `a long history is read in batches, in order and without gaps`() throws {
    let folder = try TestLibrary()
    let asset = try folder.addAsset()
    try folder.addCommits(3_000, of: asset)
    // One commit exceeds the batch size.
    let many = try folder.addAssets(LibraryReader.historyBatch.objects + 1)
    _ = try folder.addAsset()
    var numbers: [Int64] = []
    var inserted = 0
    for change in try folder.library.fetchPersistentChanges() {
      numbers.append(change.changeToken.mark.number)
      inserted += try change.changeDetails(for: .asset).insertedLocalIdentifiers.count
    }
    #expect(numbers == Array(1...3_003))
    #expect(inserted == many.count + 2)
  }
}

extension TestLibrary {
  /// Adds commits that each change one asset, directly in the database.
  func addCommits(_ count: Int, of asset: Asset) throws {
    let columns = Asset.storedColumns.joined(separator: ", ")
    let first = try version() + 1
    try tamper(
      """
      BEGIN;
      WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(count))
        INSERT INTO change (id, date) SELECT \(first) + i, 1000100 + i * 0.001 FROM n;
      INSERT INTO changedObject (change, class, object, kind, isContent)
        SELECT id, 1, \(asset.row), 2, 0 FROM change WHERE id >= \(first);
      INSERT INTO assetHistory (change, id, \(columns), state)
        SELECT change.id, asset.id, \(columns.replacing("uuid", with: "asset.uuid")), state
        FROM change, asset WHERE change.id >= \(first) AND asset.id = \(asset.row);
      COMMIT
      """)
  }
}
