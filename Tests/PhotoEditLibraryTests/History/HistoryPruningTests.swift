// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("History pruning")
struct HistoryPruningTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  /// Prunes like the maintenance; returns the number of steps.
  @discardableResult
  private func prune(retention: Double) throws -> Int {
    let layout = library.layout
    return try library.openWriter().sync { connection throws(LibraryError) in
      let maintenance = LibraryMaintenance(
        layout: layout, database: LibraryDatabase(connection: connection),
        historyRetention: retention)
      var steps = 1
      while try maintenance.pruneHistory() { steps += 1 }
      return steps
    }
  }

  private func numbers(_ changes: PersistentChanges) -> [Int64] {
    changes.map(\.changeToken.mark.number)
  }

  @Test func `a token older than the history is rejected, a token at its start is valid`() throws {
    var tokens = [try library.currentChangeToken]
    var assets: [Asset] = []
    for _ in 0..<6 {
      assets.append(try folder.addAsset())
      tokens.append(try library.currentChangeToken)
    }
    // The clock advances two seconds between commits.
    try prune(retention: 4.5)
    #expect(numbers(try library.fetchPersistentChanges()) == [4, 5, 6])
    for token in tokens[..<3] {
      let error = #expect(throws: LibraryError.self) {
        try library.fetchPersistentChanges(since: token)
      }
      #expect(error?.code == .persistentChangeTokenExpired)
      #expect(error?.message.contains("starts at commit 4") == true)
    }
    for (number, token) in tokens.enumerated().dropFirst(3) {
      let found = numbers(try library.fetchPersistentChanges(since: token))
      #expect(found == Array(4...6).filter { $0 > number })
    }
    // The start of the history is checked by date too, although its row is gone.
    let edge = HistoryMark(number: 3, date: 1)
    #expect(throws: LibraryError.self) {
      try library.fetchPersistentChanges(
        since: PersistentChangeToken(edge, in: tokens[0].library))
    }
  }

  @Test func `pruning keeps the newest commit and the current change token`() throws {
    for _ in 0..<3 { _ = try folder.addAsset() }
    let version = try folder.version()
    let token = try library.currentChangeToken
    try prune(retention: -1_000)
    #expect(try folder.version() == version)
    #expect(try library.currentChangeToken == token)
    #expect(numbers(try library.fetchPersistentChanges()) == [version])
    let later = try folder.addAsset()
    let changes = Array(try library.fetchPersistentChanges(since: token))
    #expect(
      try changes.map { try $0.changeDetails(for: .asset).insertedLocalIdentifiers }
        == [[later.localIdentifier]])
  }

  @Test func `pruning removes all rows of old commits, and old fetch results stay readable`() throws
  {
    let assets = try folder.addAssets(3)
    let album = try folder.addAlbum(assets)
    let before = try library.fetchAssets()
    try library.performChangesAndWait { try $0.change(assets[0]).setFavorite(true) }
    try library.performChangesAndWait { try $0.delete([assets[1]]) }
    try folder.change(album) { try $0.setTitle("new") }
    _ = try folder.addAsset()
    try prune(retention: 0)
    for table in ["assetHistory", "collectionHistory", "memberHistory", "changedObject"] {
      let newest = try folder.version()
      #expect(
        try folder.number("SELECT count(*) FROM \(table) WHERE change < \(newest)") == 0, "\(table)"
      )
    }
    #expect(try folder.number("SELECT count(*) FROM change") == 1)
    #expect(try folder.number("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    #expect(before.count == 3)
    for index in 0..<3 {
      #expect(try before.object(at: index).localIdentifier == assets[index].localIdentifier)
    }
  }

  @Test func `many commits are pruned in small steps`() throws {
    let asset = try folder.addAsset()
    try folder.addCommits(10_000, of: asset)
    let layout = library.layout
    let counts = try library.openWriter().sync {
      connection throws(LibraryError) -> [Int64] in
      let database = LibraryDatabase(connection: connection)
      let maintenance = LibraryMaintenance(layout: layout, database: database, historyRetention: 0)
      var counts = [try database.first("SELECT count(*) FROM change") { $0.int(0) } ?? 0]
      while try maintenance.pruneHistory() {
        counts.append(try database.first("SELECT count(*) FROM change") { $0.int(0) } ?? 0)
        // A partially pruned history is never visible.
        let history = LibraryHistory(database: database)
        guard try history.expired().number == 10_000 else { return [] }
      }
      counts.append(try database.first("SELECT count(*) FROM change") { $0.int(0) } ?? 0)
      return counts
    }
    #expect(counts.count > 10)
    #expect(counts.last == 1)
    for (before, after) in zip(counts, counts.dropFirst()) {
      #expect((0...Int64(LibraryMaintenance.historyStep.rows)).contains(before - after))
    }
  }

  @Test func `iteration ends with an expired-token error when the history is pruned`() throws {
    let asset = try folder.addAsset()
    try folder.addCommits(LibraryReader.historyBatch.commits * 2, of: asset)
    let changes = try library.fetchPersistentChanges()
    var count = 0
    for _ in changes {
      count += 1
      if count == 1 { try prune(retention: 0) }
    }
    #expect(count == LibraryReader.historyBatch.commits)
    #expect(changes.failure?.code == .persistentChangeTokenExpired)
    var iterator = changes.makeIterator()
    let error = #expect(throws: LibraryError.self) { try iterator.nextChange() }
    #expect(error?.code == .persistentChangeTokenExpired)
  }

  @Test func `fetching pruned details throws an error instead of returning empty details`() throws {
    _ = try folder.addAssets(LibraryReader.historyBatch.objects + 1)
    _ = try folder.addAsset()
    let change = try #require(Array(try library.fetchPersistentChanges()).first)
    try prune(retention: 0)
    let error = #expect(throws: LibraryError.self) { try change.changeDetails(for: .asset) }
    #expect(error?.code == .persistentChangeDetailsUnavailable)
  }

  @Test func `a library opened for writing prunes by its configured retention`() throws {
    for _ in 0..<3 { _ = try folder.addAsset() }
    var configuration = library.configuration
    configuration.historyRetention = 0
    let other = try PhotoLibrary(at: library.url, configuration: configuration)
    try other.insertRows([PhotoProperties(originalFilename: "a", addedAt: Date())])
    #expect(numbers(try other.fetchPersistentChanges()) == [3, 4])
    #expect(PhotoLibrary.Configuration().historyRetention == 30 * 86_400)
  }

  @Test func `a commit dated in the far future does not expire other commits`() throws {
    for _ in 0..<4 { _ = try folder.addAsset() }
    try folder.tamper("UPDATE change SET date = 4e9 WHERE id = 4")
    try prune(retention: 30 * 86_400)
    #expect(numbers(try library.fetchPersistentChanges()) == [1, 2, 3, 4])
  }

  @Test func `a commit dated in the future keeps the commits after it`() throws {
    for _ in 0..<3 { _ = try folder.addAsset() }
    try folder.tamper("UPDATE change SET date = 9e9 WHERE id = 2")
    _ = try folder.addAsset()
    try prune(retention: 0)
    #expect(numbers(try library.fetchPersistentChanges()) == [2, 3, 4])
  }
}
