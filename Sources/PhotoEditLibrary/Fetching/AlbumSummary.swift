// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The number of assets in a default fetch of a collection, and the range of their dates.
struct AlbumSummary: Hashable {
  var count = 0
  /// Seconds since 1970.
  var start: Double?
  var end: Double?
  /// The offsets from UTC of the first and the last asset of a moment; nil if unknown.
  var startOffset: Int?
  var endOffset: Int?

  init() {}

  /// The maximum number of assets whose dates are all read.
  private static let fewAssets = 10_000

  /// Summarizes the assets that meet a condition.
  ///
  /// For many assets, the first and last date are found quickly with the index of dates; for few,
  /// every date is read.
  init(_ condition: SQLFragment, _ database: LibraryDatabase) throws(LibraryError) {
    count = Int(
      try database.first("SELECT count(*) FROM asset WHERE \(condition.text)", condition.values) {
        $0.int(0)
      } ?? 0)
    guard count > 0 else { return }
    if count <= Self.fewAssets {
      let dates = try database.first(
        "SELECT min(creationDate), max(creationDate) FROM asset WHERE \(condition.text)",
        condition.values
      ) { ($0.optionalReal(0), $0.optionalReal(1)) }
      (start, end) = dates ?? (nil, nil)
      return
    }
    start = try Self.firstDate(condition, "", database)
    end = try Self.firstDate(condition, " DESC", database)
  }

  private static func firstDate(
    _ condition: SQLFragment, _ direction: String, _ database: LibraryDatabase
  ) throws(LibraryError) -> Double? {
    try database.first(
      """
      SELECT creationDate FROM asset WHERE \(condition.text) AND creationDate IS NOT NULL
      ORDER BY creationDate\(direction) LIMIT 1
      """, condition.values
    ) { $0.real(0) }
  }

  /// Returns whether an album has too many members to read each of them.
  static func isLarge(_ album: Int64, _ database: LibraryDatabase) throws(LibraryError) -> Bool {
    try database.has(
      "SELECT 1 FROM member WHERE album = ? LIMIT 1 OFFSET ?",
      [.integer(album), .init(fewAssets)])
  }

  private init(album: Int64, _ database: LibraryDatabase) throws(LibraryError) {
    guard try Self.isLarge(album, database) else {
      let found = try database.first(
        """
        SELECT count(*), min(creationDate), max(creationDate)
        FROM member CROSS JOIN asset ON id = asset WHERE album = ? AND visibility IN (0, 8)
        """, [.integer(album)]
      ) { (count: Int($0.int(0)), start: $0.optionalReal(1), end: $0.optionalReal(2)) }
      (count, start, end) = found ?? (0, nil, nil)
      return
    }
    // Usually few assets are excluded, and many are members: the excluded ones are looked up.
    count = Int(
      try database.first(
        """
        SELECT count(*) FROM member WHERE album = ?
          AND asset NOT IN (SELECT id FROM asset WHERE visibility NOT IN (0, 8) AND visibility > 0)
        """, [.integer(album)]
      ) { $0.int(0) } ?? 0)
    for visibility in ["0", "8"] {
      let condition = SQLFragment(
        """
        visibility = \(visibility)
          AND EXISTS (SELECT 1 FROM member WHERE member.asset = asset.id AND album = ?)
        """, [.integer(album)])
      if let date = try Self.firstDate(condition, "", database) { start = min(start ?? date, date) }
      if let date = try Self.firstDate(condition, " DESC", database) {
        end = max(end ?? date, date)
      }
    }
  }

  init(
    album: Int64, at version: Int64, _ database: LibraryDatabase
  ) throws(LibraryError) {
    if try Self.isUnchanged(album, since: version, database) {
      try self.init(album: album, database)
      return
    }
    self.init()
    let members = try database.integers(
      Self.earlierMembers, [.integer(album), .integer(version)]
    )
    for member in members {
      guard let (visibility, date) = try Self.asset(member, at: version, database),
        visibility & ~8 == 0
      else { continue }
      count += 1
      guard let date else { continue }
      start = min(start ?? date, date)
      end = max(end ?? date, date)
    }
  }

  /// Returns whether neither the members of an album nor any asset among them changed after a
  /// commit.
  private static func isUnchanged(
    _ album: Int64, since version: Int64, _ database: LibraryDatabase
  ) throws(LibraryError) -> Bool {
    try database.first(
      """
      SELECT NOT EXISTS (SELECT 1 FROM memberHistory WHERE album = ?1 AND change > ?2)
        AND NOT EXISTS (
          SELECT 1 FROM changedObject AS changed CROSS JOIN member
            ON member.asset = changed.object AND member.album = ?1
          WHERE changed.change > ?2 AND changed.class = 1)
      """, [.integer(album), .integer(version)]
    ) { $0.bool(0) } ?? true
  }

  /// Members that have not moved since then, and those that were members before they moved.
  private static let earlierMembers =
    """
    SELECT asset FROM member
    WHERE album = ?1
      AND asset NOT IN (SELECT asset FROM memberHistory WHERE album = ?1 AND change > ?2)
    UNION ALL
    SELECT asset FROM (
      SELECT asset, before, min(change) FROM memberHistory
      WHERE album = ?1 AND change > ?2 GROUP BY asset)
    WHERE before IS NOT NULL
    """

  private static func asset(
    _ row: Int64, at version: Int64, _ database: LibraryDatabase
  ) throws(LibraryError) -> (visibility: Int64, date: Double?)? {
    let now = try database.first(
      "SELECT visibility, creationDate, lastChange FROM asset WHERE id = ?", [.integer(row)]
    ) { (visibility: $0.int(0), date: $0.optionalReal(1), change: $0.int(2)) }
    guard let now else { return nil }
    if now.change > version,
      let before = try database.first(
        """
        SELECT \(LibrarySchema.visibility), creationDate
        FROM assetHistory WHERE id = ? AND change > ? ORDER BY change LIMIT 1
        """, [.integer(row), .integer(version)],
        { (visibility: $0.int(0), date: $0.optionalReal(1)) })
    {
      return before
    }
    return (now.visibility, now.date)
  }
}
