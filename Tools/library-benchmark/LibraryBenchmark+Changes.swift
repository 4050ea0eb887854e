// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEditLibrary
import PhotoEditSQLite
import Synchronization

/// Stores the last change and signals when one arrives.
private final class LastChange: PhotoLibraryChangeObserver {
  private let last = Mutex<LibraryChange?>(nil)
  private let notified = DispatchSemaphore(value: 0)

  func photoLibraryDidChange(_ change: LibraryChange) {
    last.withLock { $0 = change }
    notified.signal()
  }

  /// The next reported change.
  func next() -> LibraryChange? {
    notified.wait()
    return last.withLock { $0 }
  }
}

/// The cost of observing a large library.
extension LibraryBenchmark {
  func measureChanges(_ measure: inout Measure) throws {
    let observer = LastChange()
    try library.register(observer)
    defer { library.unregister(observer) }
    let byDate = FetchOptions<Asset>(sortDescriptors: [
      FetchSort(AssetKey.creationDate, ascending: false)
    ])
    var results = [
      ("all", try library.fetchAssets()), ("all by date", try library.fetchAssets(byDate)),
    ]
    if let album = try library.fetchAssetCollections(with: .album).first {
      results.append(("album of all", try library.fetchAssets(in: album)))
    }
    var seed: UInt64 = 7
    for (count, limit) in [(1, 5.0), (1_000, 50.0)] {
      for kind in Kind.allCases {
        let all = results[0].1
        // Spread over the entire list, at other indexes each time.
        let chosen = try (0..<count).map { i in
          seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return try all.object(at: Int(seed >> 33) % (all.count / count) + i * (all.count / count))
        }
        try library.performChangesAndWait { changes in
          for (i, asset) in chosen.enumerated() { try kind.change(asset, i, changes) }
        }
        guard let change = observer.next() else { return }
        for i in results.indices {
          let name = "details of \(results[i].0), \(count) \(kind.rawValue)"
          let before = results[i].1
          var after = before
          try measure.milliseconds(name, limit: limit, rounds: 3) {
            after = try change.changeDetails(for: before)?.fetchResultAfterChanges ?? before
          }
          results[i].1 = after
        }
      }
    }
    try measureMemory(&measure, observer, results[0].1)
  }

  /// A change of assets, with the number of assets per commit.
  private enum Kind: String, CaseIterable {
    case favorites
    case otherDates = "other dates"
    case hidden
    case deleted

    func change(_ asset: Asset, _ number: Int, _ changes: ChangeContext) throws {
      switch self {
      case .favorites: try changes.change(asset).setFavorite(!asset.isFavorite)
      case .otherDates:
        let date = Date(timeIntervalSince1970: 900_000_000 + Double(number) * 500_000.5)
        try changes.change(asset).setCreationDate(date)
      case .hidden: try changes.change(asset).setHidden(true)
      case .deleted: try changes.delete([asset])
      }
    }
  }

  /// A result that is updated by 200 commits must not grow.
  private func measureMemory(
    _ measure: inout Measure, _ observer: LastChange, _ result: FetchResult<Asset>
  ) throws {
    var result = result
    let before = Measure.residentBytes()
    for i in 0..<200 {
      let asset = try result.object(at: i * 997 % result.count)
      try library.performChangesAndWait { try $0.delete([asset]) }
      guard let details = try observer.next()?.changeDetails(for: result) else { continue }
      result = details.fetchResultAfterChanges
    }
    measure.add(
      "memory of 200 results, one after the other",
      Double(Measure.residentBytes() - before) / 1e6, "MB", limit: 20)
  }

  /// The delay until another library object, as in another process, is notified of a commit.
  func measureLatency(_ measure: inout Measure) throws {
    let other = try PhotoLibrary(at: library.url)
    let observer = LastChange()
    try other.register(observer)
    defer { other.unregister(observer) }
    var worst = 0.0
    for i in 0..<40 {
      var start = ContinuousClock.now
      try library.performChangesAndWait { changes in
        _ = try changes.createAlbum(title: "\(i)")
        start = .now
      }
      _ = observer.next()
      let elapsed = ContinuousClock.now - start
      worst = max(worst, Double(elapsed.components.attoseconds) / 1e15)
    }
    measure.add("a commit and its notification elsewhere, worst of 40", worst, "ms", limit: 100)
  }

  /// Reading 100,000 commits from the beginning.
  func measureHistory(_ measure: inout Measure) throws {
    // The maintenance after the previous measurements writes the manifest of the album of all assets,
    // for which it needs more memory than a reading.
    try library.synchronize()
    let token = try library.currentChangeToken
    try addHistory(100_000)
    func read() throws {
      var (commits, objects) = (0, 0)
      for change in try library.fetchPersistentChanges(since: token) {
        commits += 1
        objects += try change.changeDetails(for: .asset).updatedLocalIdentifiers.count
      }
      // Assets deleted by an earlier measurement are not reported.
      precondition(commits == 100_000 && objects > 90_000)
    }
    try measure.milliseconds("100,000 commits of history", limit: 2_000, rounds: 1) { try read() }
    // The first reading fills the cache of the database, whose size is fixed; meanwhile, the commits
    // are also read for observers.
    try read()
    let before = Measure.residentBytes()
    try read()
    measure.add(
      "memory added by another reading", Double(Measure.residentBytes() - before) / 1e6, "MB",
      limit: 20)
  }

  /// Commits in the form written by the library, in one transaction to avoid syncing each.
  private func addHistory(_ count: Int) throws {
    let connection = try Connection(library.url.path + "/library.db", .readWrite)
    try connection.transaction(isWriting: true, wrap: { $0 }) { () throws(DatabaseError) in
      let columns = PhotoLibrary.historyColumns
      for i in 0..<count {
        try connection.run("INSERT INTO change (date) VALUES (?)", [.real(2e9 + Double(i))])
        let change = DatabaseValue.integer(connection.lastInsertedRow)
        let asset = DatabaseValue.integer(Int64(i * 7 % (self.count - 1) + 1))
        try connection.run(
          "INSERT INTO assetHistory (change, id, \(columns)) "
            + "SELECT ?, id, \(columns) FROM asset WHERE id = ?", [change, asset])
        try connection.run(
          """
          INSERT INTO changedObject (change, class, object, kind, isContent)
          VALUES (?, 1, ?, 2, 0)
          """, [change, asset])
        try connection.run("UPDATE asset SET lastChange = ? WHERE id = ?", [change, asset])
      }
    }
  }
}
