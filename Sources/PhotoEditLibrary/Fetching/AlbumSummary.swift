// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// How many assets a default fetch of a collection gives, and when they were taken.
struct AlbumSummary: Hashable {
  var count = 0
  /// Seconds since 1970.
  var start: Double?
  var end: Double?

  /// Nothing at all.
  init() {}

  /// Up to this many, the dates of all are looked at.
  private static let fewAssets = 10_000

  /// Counts the assets of a condition.
  ///
  /// The first and last date of many are found along the index of dates, which meets one soon; those
  /// of few by looking at each.
  init(_ condition: SQLText, _ database: LibraryDatabase) throws(LibraryError) {
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
    _ condition: SQLText, _ direction: String, _ database: LibraryDatabase
  ) throws(LibraryError) -> Double? {
    try database.first(
      """
      SELECT creationDate FROM asset WHERE \(condition.text) AND creationDate IS NOT NULL
      ORDER BY creationDate\(direction) LIMIT 1
      """, condition.values
    ) { $0.real(0) }
  }

  /// Whether an album has so many members that looking at each takes long.
  static func isLarge(_ album: Int64, _ database: LibraryDatabase) throws(LibraryError) -> Bool {
    try database.first(
      "SELECT 1 FROM member WHERE album = ? LIMIT 1 OFFSET ?",
      [.integer(album), .init(fewAssets)]
    ) { _ in true } ?? false
  }

  /// Counts the members of an album as it is.
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
    // Few assets are not let in, and many are members: those few are looked up.
    count = Int(
      try database.first(
        """
        SELECT count(*) FROM member WHERE album = ?
          AND asset NOT IN (SELECT id FROM asset WHERE visibility NOT IN (0, 8) AND visibility > 0)
        """, [.integer(album)]
      ) { $0.int(0) } ?? 0)
    for visibility in ["0", "8"] {
      let condition = SQLText(
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

  /// Counts the members of an album as it was at a commit.
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

  /// Whether neither the members of an album nor any asset among them changed after a commit.
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

  /// Members that did not move since, and those that were there before they moved.
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
