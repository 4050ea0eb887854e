// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The pruning of old commits, in short steps.
///
/// First a mark records which commits have expired; then their rows are removed, dependent rows
/// before the commits themselves. Dates are compared starting from the oldest commit, up to the
/// first that is retained: a commit dated by a fast clock retains those that follow it. The age is
/// measured from the newest commit, or from the one before it if there is a long interval between
/// the two, which may be a real pause or an error of the clock. Thus no commit expires too early.
extension LibraryMaintenance {
  /// The maximum numbers of rows removed per table and of commits examined in one step.
  static let historyStep = (rows: 1_000, commits: 50_000)

  private static let historyTables = [
    ("assetHistory", "id, change"), ("collectionHistory", "id, change"),
    ("memberHistory", "album, change, asset"), ("changedObject", "change, class, object"),
  ]

  /// Returns whether commits have expired or rows of expired commits remain.
  func isHistoryDue() throws(LibraryError) -> Bool {
    guard let historyRetention else { return false }
    let history = LibraryHistory(database: database)
    let (expired, newest) = (try history.expired(), try history.newest())
    let isLeft = try database.has(
      "SELECT 1 FROM change WHERE id <= ? LIMIT 1", [.integer(expired.number)])
    if isLeft { return true }
    let oldest = try history.marks(
      after: expired.number, through: newest.number.addingSaturated(-1), limit: 1)
    let start = try ageStart(history, historyRetention)
    return oldest.contains { $0.seconds < start - historyRetention }
  }

  /// Performs one step; returns true if there may be more.
  func pruneHistory() throws(LibraryError) -> Bool {
    guard let historyRetention, try isHistoryDue() else { return false }
    return try database.transaction { () throws(LibraryError) in
      let history = LibraryHistory(database: database)
      let expired = try expireOld(history, historyRetention)
      try removeRows(upTo: expired)
      return try isHistoryDue()
    }
  }

  /// Returns the date from which the age of commits is measured, in seconds since 1970.
  private func ageStart(
    _ history: LibraryHistory, _ retention: Double
  ) throws(LibraryError) -> Double {
    let newest = try history.newest()
    let previous = try history.mark(
      "SELECT id, date FROM change WHERE id < ? ORDER BY id DESC LIMIT 1",
      [.integer(newest.number)])
    guard let previous, newest.seconds - previous.seconds > retention + 86_400 else {
      return newest.seconds
    }
    return previous.seconds
  }

  /// Advances the mark past the old commits; the newest commit is always retained.
  private func expireOld(
    _ history: LibraryHistory, _ retention: Double
  ) throws(LibraryError) -> Int64 {
    let (before, newest) = (try history.expired(), try history.newest())
    let end = try database.first(
      "SELECT id FROM change WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?",
      [.integer(before.number), .init(Self.historyStep.commits)]
    ) { $0.int(0) }
    let limit = min(newest.number, end ?? newest.number)
    let firstRetained = try database.first(
      "SELECT id FROM change WHERE id > ? AND id < ? AND date >= ? ORDER BY id LIMIT 1",
      [
        .integer(before.number), .integer(limit),
        .real(try ageStart(history, retention) - retention),
      ]
    ) { $0.int(0) }
    let last = try history.mark(
      "SELECT id, date FROM change WHERE id < ? ORDER BY id DESC LIMIT 1",
      [.integer(firstRetained ?? limit)])
    guard let last, last.number > before.number else { return before.number }
    try history.expire(upTo: last)
    return last.number
  }

  private func removeRows(upTo expired: Int64) throws(LibraryError) {
    var rest: Int64?
    for (table, key) in Self.historyTables {
      try database.run(
        """
        DELETE FROM \(table) WHERE (\(key)) IN (
          SELECT \(key) FROM \(table) WHERE change <= ? ORDER BY change LIMIT ?)
        """, [.integer(expired), .init(Self.historyStep.rows)])
      let oldest = try database.first(
        "SELECT min(change) FROM \(table) WHERE change <= ?", [.integer(expired)]
      ) { $0.optionalInt(0) }
      if let oldest = oldest ?? nil { rest = min(rest ?? oldest, oldest) }
    }
    // A commit is removed only when nothing refers to it, so that no step exceeds its limit.
    try database.run(
      """
      DELETE FROM change WHERE id IN (
        SELECT id FROM change WHERE id < ? ORDER BY id LIMIT ?)
      """, [.integer(rest ?? expired.addingSaturated(1)), .init(Self.historyStep.rows)])
  }
}

extension HistoryMark {
  /// The date in seconds since 1970.
  fileprivate var seconds: Double { Double(bitPattern: date) }
}
