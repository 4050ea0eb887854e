// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The comparison of the search tables with the rows of assets, and their repair.
extension SearchTables {
  /// Returns what differs, one sentence each.
  ///
  /// The text of an older form does not count: the library updates it when it is opened.
  func differences() throws(LibraryError) -> [String] {
    var found: [String] = []
    let isCurrent = try isCurrent()
    for (name, statement) in Self.comparisons where isCurrent || name != Self.index {
      let count: Int64
      do throws(LibraryError) { count = try database.first(statement) { $0.int(0) } ?? 0 } catch {
        guard error.isDamage else { throw error }
        found.append("the \(name) cannot be read: \(error.message)")
        continue
      }
      if count > 0 { found.append("the \(name) differs from the assets in \(count) rows") }
    }
    return found
  }

  /// Returns the reason why the full-text index is damaged; nil if it is intact.
  ///
  /// SQLite checks the index only on a connection that may write.
  func damage() throws(LibraryError) -> String? {
    do throws(LibraryError) {
      try database.run("INSERT INTO asset_text (asset_text) VALUES ('integrity-check')")
      return nil
    } catch {
      guard error.isDamage else { throw error }
      return "the full-text index is damaged: \(error.message)"
    }
  }

  /// Fills the tables again from the rows of assets, if they differ, are damaged or contain text
  /// of an older form.
  ///
  /// - Returns: Whether they were filled.
  func repair() throws(LibraryError) -> Bool {
    if try isCurrent(), try differences().isEmpty, try damage() == nil { return false }
    for statement in [
      "DELETE FROM asset_keyword", "DELETE FROM keyword", "DELETE FROM asset_day",
      "DROP TABLE asset_text", LibrarySchema.createText, LibrarySchema.fillDays,
    ] {
      try database.run(statement)
    }
    for row in try database.integers("SELECT id FROM asset WHERE state < 2") { try update(row) }
    try database.run(Self.noteForm, [.text(Self.form)])
    return true
  }

  /// The SQL condition for an asset whose indexed text differs.
  static let columns = LibrarySchema.text
    .map { "text.\($0.0) IS NOT searchable(asset.\($0.1))" }.joined(separator: " OR ")

  private static let index = "full-text index"

  private static let comparisons = {
    let days = "SELECT day, visibility, mediaType, count FROM asset_day WHERE count <> 0"
    let counted =
      """
      SELECT coalesce(day, \(LibrarySchema.undated)), visibility, mediaType, count(*) FROM asset
      WHERE state = 0 GROUP BY 1, 2, 3
      """
    return [
      (
        index,
        """
        SELECT (SELECT count(*) FROM asset LEFT JOIN asset_text AS text ON text.rowid = asset.id
            WHERE state < 2 AND (text.rowid IS NULL OR \(columns)))
          + (SELECT count(*) FROM asset_text
            WHERE rowid NOT IN (SELECT id FROM asset WHERE state < 2))
        """
      ),
      (
        "keyword index",
        """
        SELECT (SELECT count(*) FROM asset WHERE state < 2 AND keywords IS NOT (
            SELECT group_concat(name, char(10)) FROM (
              SELECT name FROM asset_keyword JOIN keyword ON keyword.id = asset_keyword.keyword
              WHERE asset_keyword.asset = asset.id ORDER BY name)))
          + (SELECT count(*) FROM asset_keyword
            WHERE asset NOT IN (SELECT id FROM asset WHERE state < 2))
        """
      ),
      (
        "table of days",
        """
        SELECT (SELECT count(*) FROM (\(days) EXCEPT \(counted)))
          + (SELECT count(*) FROM (\(counted) EXCEPT \(days)))
        """
      ),
    ]
  }()
}
