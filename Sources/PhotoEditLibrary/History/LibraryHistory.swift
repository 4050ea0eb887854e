// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A commit, identified by its number and the bits of its date, which differ if a number is reused.
struct HistoryMark: Sendable, Hashable {
  var number: Int64
  /// The bits of the seconds since 1970; 0 for the mark before the first commit.
  var date: UInt64

  static let start = HistoryMark(number: 0, date: 0)
}

/// The commits in the history, as seen by one transaction.
///
/// Numbers increase; a repair may leave a gap. Commits up to a mark have expired; their rows may
/// still exist, because they are removed in small steps, but are ignored.
struct LibraryHistory {
  let database: LibraryDatabase

  /// The property with the newest expired commit: its number and the bits of its date.
  private static let expiredKey = "forgottenHistory"

  // MARK: Bounds

  /// Returns the newest commit; the start for an empty history.
  func newest() throws(LibraryError) -> HistoryMark {
    try mark("SELECT id, date FROM change ORDER BY id DESC LIMIT 1") ?? .start
  }

  /// Returns the newest expired commit; the start if none has expired.
  func expired() throws(LibraryError) -> HistoryMark {
    let text = try database.first(
      "SELECT value FROM property WHERE key = ?", [.text(Self.expiredKey)]
    ) { $0.text(0) }
    let fields = (text ?? "").split(separator: " ")
    guard fields.count == 2, let number = Int64(fields[0]), let date = UInt64(fields[1]) else {
      return .start
    }
    return HistoryMark(number: number, date: date)
  }

  func expire(upTo mark: HistoryMark) throws(LibraryError) {
    try database.run(
      "INSERT OR REPLACE INTO property (key, value) VALUES (?, ?)",
      [.text(Self.expiredKey), .text("\(mark.number) \(mark.date)")])
  }

  func mark(_ sql: String, _ values: [DatabaseValue] = []) throws(LibraryError) -> HistoryMark? {
    try database.first(sql, values) {
      HistoryMark(number: $0.int(0), date: $0.real(1).bitPattern)
    }
  }

  /// Throws an error for a mark from which the history does not continue.
  func check(_ mark: HistoryMark) throws(LibraryError) {
    let newest = try newest()
    guard mark.number <= newest.number else {
      throw .tokenNewerThanLibrary(mark.number, newest: newest.number)
    }
    let expired = try expired()
    guard mark.number >= expired.number else {
      throw .prunedToken(mark.number, oldest: expired.number.addingSaturated(1))
    }
    let known =
      mark.number == expired.number
      ? expired
      : try self.mark("SELECT id, date FROM change WHERE id = ?", [.integer(mark.number)])
    guard known == mark else { throw .tokenOfOtherHistory(mark.number) }
  }

  // MARK: Commits

  /// An object of a commit, and its change as seen by clients that ignore the trash.
  struct Object: Sendable, Hashable {
    let change: Int64
    let identifier: LocalIdentifier
    let kind: ChangeKind
  }

  /// Returns the commits after one and up to another, the oldest first.
  func marks(
    after: Int64, through: Int64, limit: Int
  ) throws(LibraryError) -> [HistoryMark] {
    try database.all(
      "SELECT id, date FROM change WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
      [.integer(after), .integer(through), .init(limit)]
    ) { HistoryMark(number: $0.int(0), date: $0.real(1).bitPattern) }
  }

  /// Returns the objects touched by the commits after one and up to another, by commit; objects
  /// that were not visible are omitted.
  ///
  /// - Parameter limit: The maximum number of rows to read.
  /// - Returns: The objects, and the commit whose rows may be incomplete; nil if all were read.
  func objects(
    after: Int64, through: Int64, limit: Int = .max
  ) throws(LibraryError) -> (objects: [Object], incompleteCommit: Int64?) {
    var (count, last) = (0, Int64(0))
    let found = try database.all(
      Self.touched, [.integer(after), .integer(through), .init(limit)]
    ) { row -> Object? in
      count += 1
      last = row.int(0)
      return Self.object(row)
    }
    return (found.compactMap { $0 }, count == limit ? last : nil)
  }

  /// Selects touched objects, with their identifier and their state before the commit.
  private static let touched =
    """
    SELECT o.change, o.class, o.kind,
      CASE o.class WHEN 1 THEN (SELECT uuid FROM asset WHERE id = o.object)
        ELSE (SELECT uuid FROM collection WHERE id = o.object) END,
      CASE o.class
        WHEN 1 THEN (SELECT state FROM assetHistory h WHERE h.id = o.object AND h.change = o.change)
        ELSE (SELECT state FROM collectionHistory h WHERE h.id = o.object AND h.change = o.change)
      END
    FROM changedObject o WHERE o.change > ? AND o.change <= ?
    ORDER BY o.change, o.class, o.object LIMIT ?
    """

  /// Returns an object that was visible before its commit or is visible after it.
  private static func object(_ row: Row) -> Object? {
    guard let objectClass = ObjectClass(rawValue: Int(row.int(1))),
      let recorded = ChangeKind(rawValue: row.int(2)),
      let identifier = LocalIdentifier(bytes: row.blob(3), objectClass)
    else { return nil }
    // Objects in the trash are not visible: purging them is not a deletion.
    let wasThere = row.optionalInt(4) == 0
    let kind: ChangeKind
    switch (recorded, wasThere) {
    case (.deleted, true): kind = .deleted
    case (.deleted, false), (.updated, false): return nil
    case (.inserted, false): kind = .inserted
    case (.inserted, true), (.updated, true): kind = .updated
    }
    return Object(change: row.int(0), identifier: identifier, kind: kind)
  }
}
