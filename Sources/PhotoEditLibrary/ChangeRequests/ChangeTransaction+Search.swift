// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Updates the tables for finding assets, in the commit that changes the assets.
extension ChangeTransaction {
  /// Updates the text, the keywords and the days of all assets of a commit, whose history is written.
  ///
  /// New assets take one statement together, because an import adds many of them.
  func updateSearch(_ change: Int64) throws(LibraryError) {
    guard touchedObjects.keys.contains(where: { $0.objectClass == .asset }) else { return }
    let tables = SearchTables(database: database)
    let known = try database.integers(Self.known, [.integer(change)])
    try database.run(Self.insertTexts, [.integer(change)])
    for row in known { try tables.update(row) }
    for row in try database.integers(Self.tagged, [.integer(change)]) {
      try tables.updateKeywords(of: row)
    }
    try database.run(Self.updateDays, [.integer(change), .integer(change)])
  }

  private static let touched =
    "(SELECT object FROM changedObject WHERE change = ? AND class = 1 AND kind = 1)"

  /// Selects the assets that are changed and not new.
  private static let known =
    """
    SELECT object FROM changedObject WHERE change = ? AND class = 1
      AND (kind <> 1 OR EXISTS (SELECT 1 FROM asset_text WHERE rowid = object))
    """

  private static let insertTexts =
    """
    INSERT INTO asset_text (rowid, \(LibrarySchema.text.map(\.0).joined(separator: ", ")))
      SELECT id, \(LibrarySchema.text.map { "searchable(\($0.1))" }.joined(separator: ", "))
      FROM asset WHERE id IN \(touched) AND state < 2
        AND NOT EXISTS (SELECT 1 FROM asset_text WHERE rowid = id)
    """

  /// Selects new assets with keywords.
  private static let tagged =
    "SELECT id FROM asset WHERE id IN \(touched) AND keywords IS NOT NULL AND state < 2"

  /// Moves assets from the days of their previous states to those of their new ones.
  private static let updateDays =
    """
    INSERT INTO asset_day (day, visibility, mediaType, count)
      SELECT day, visibility, mediaType, sum(difference) FROM (
        SELECT coalesce(day, \(LibrarySchema.undated)) AS day, visibility, mediaType,
          1 AS difference
        FROM asset
        WHERE state = 0
          AND id IN (SELECT object FROM changedObject WHERE change = ? AND class = 1)
        UNION ALL
        SELECT coalesce(\(LibrarySchema.day), \(LibrarySchema.undated)),
          \(LibrarySchema.visibility), mediaType, -1
        FROM assetHistory WHERE change = ? AND state = 0)
      GROUP BY 1, 2, 3 HAVING sum(difference) <> 0
    ON CONFLICT (day, visibility, mediaType) DO UPDATE SET count = count + excluded.count
    """
}
