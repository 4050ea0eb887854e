// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The tables `keyword`, `asset_keyword`, `asset_text` and `asset_day`, which follow from the rows of
/// assets.
struct SearchTables {
  let database: LibraryDatabase

  func fillTexts() throws(LibraryError) {
    try database.run("INSERT INTO asset_text (asset_text) VALUES ('delete-all')")
    try database.run(LibrarySchema.insertTexts() + " FROM asset WHERE state < 2")
    try database.run(Self.noteForm, [.text(Self.form)])
  }

  func updateKeywords(of row: Int64) throws(LibraryError) {
    let column = try database.first(
      "SELECT keywords FROM asset WHERE id = ? AND state < 2", [.integer(row)]
    ) { $0.optionalText(0) }
    let keywords = TextList(column ?? nil).items.map { Array($0.utf8) }
    let stored = try database.all(
      """
      SELECT keyword.id, keyword.name FROM asset_keyword JOIN keyword ON keyword.id = keyword
      WHERE asset = ?
      """, [.integer(row)]
    ) { (id: $0.int(0), name: Array($0.text(1).utf8)) }
    for (id, name) in stored where !keywords.contains(name) {
      try database.run(
        "DELETE FROM asset_keyword WHERE keyword = ? AND asset = ?", [.integer(id), .integer(row)])
      try database.run(
        """
        DELETE FROM keyword
        WHERE id = ? AND id NOT IN (SELECT keyword FROM asset_keyword WHERE keyword = ?)
        """, [.integer(id), .integer(id)])
    }
    for name in keywords where !stored.contains(where: { $0.name == name }) {
      let text = DatabaseValue.text(String(decoding: name, as: UTF8.self))
      try database.run("INSERT OR IGNORE INTO keyword (name) VALUES (?)", [text])
      try database.run(
        """
        INSERT OR IGNORE INTO asset_keyword (keyword, asset)
        SELECT id, ? FROM keyword WHERE name = ?
        """, [.integer(row), text])
    }
  }

  // MARK: The form in which `searchable` stores text in the full-text index

  /// The number of the form; it increases when the form changes.
  ///
  /// 2: Greek letters have no diacritics. 3: Korean, Thai and others are found by parts of words.
  /// 4: Cyrillic letters, kana, and letters of Arabic and of other widths, have one form. A library
  /// without the number has form 1.
  static let form = "4"

  static let noteForm =
    "INSERT OR REPLACE INTO property (key, value) VALUES ('searchForm', ?)"

  func form() throws(LibraryError) -> Int {
    let form = try database.first("SELECT value FROM property WHERE key = 'searchForm'") {
      Int($0.text(0)) ?? 1
    }
    return form ?? 1
  }

  /// Indicates whether the text in the index has the current form, or one of a later version.
  func isCurrent() throws(LibraryError) -> Bool { try form() >= (Int(Self.form) ?? 1) }
}

extension LibraryReader {
  /// Updates the form of the text in the full-text index of a library that may be written.
  ///
  /// Failures are left to the next opening of the library: only words with letters whose form
  /// changed are not found until then.
  func updateSearchForm() {
    do throws(LibraryError) {
      let isCurrent = try read { database throws(LibraryError) in
        try SearchTables(database: database).isCurrent()
      }
      guard !isCurrent, LibraryAccess.permits(layout, writing: true) else { return }
      let database = try LibraryDatabase(layout.database, .readWrite)
      try database.transaction { () throws(LibraryError) in
        try SearchTables(database: database).fillTexts()
      }
    } catch {}
  }
}

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
