// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Updates the tables for finding assets, in the commit that changes the assets.
extension ChangeTransaction {
  /// Updates the words, the keywords and the days of all assets of a commit, whose history is
  /// written.
  func updateSearch(_ change: Int64) throws(LibraryError) {
    guard touchedObjects.keys.contains(where: { $0.objectClass == .asset }) else { return }
    let tables = SearchTables(database: database)
    if try tables.form() == Int(SearchTables.form) {
      try database.run(Self.deleteTexts, [.integer(change)])
      try database.run(Self.insertTexts, [.integer(change), .integer(change)])
    } else {
      try tables.fillTexts()
    }
    for row in try database.integers(Self.tagged, [.integer(change), .integer(change)]) {
      try tables.updateKeywords(of: row)
    }
    try database.run(Self.updateDays, [.integer(change), .integer(change)])
  }

  private static let touched = "(SELECT object FROM changedObject WHERE change = ? AND class = 1)"

  /// The condition that an asset is not indexed as it was before the commit.
  private static let isChanged =
    (["asset.state = 2", "h.state = 2"]
    + LibrarySchema.text.map { "asset.\($0.1) IS NOT h.\($0.1)" }).joined(separator: " OR ")

  /// Removes the words from before the commit; an index without texts needs them to find the words.
  private static let deleteTexts =
    """
    INSERT INTO asset_text (asset_text, rowid,
        \(LibrarySchema.text.map(\.0).joined(separator: ", ")))
      SELECT 'delete', h.id, \(LibrarySchema.searchable("h"))
      FROM assetHistory AS h JOIN asset ON asset.id = h.id
      WHERE h.change = ? AND h.state < 2 AND (\(isChanged))
    """

  private static let insertTexts =
    """
    \(LibrarySchema.insertTexts())
      FROM asset LEFT JOIN assetHistory AS h ON h.id = asset.id AND h.change = ?
      WHERE asset.id IN \(touched) AND asset.state < 2 AND (h.id IS NULL OR \(isChanged))
    """

  /// Selects the assets that have or had keywords.
  private static let tagged =
    """
    SELECT asset.id FROM asset LEFT JOIN assetHistory AS h ON h.id = asset.id AND h.change = ?
    WHERE asset.id IN \(touched) AND (asset.keywords IS NOT NULL OR h.keywords IS NOT NULL)
    """

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
