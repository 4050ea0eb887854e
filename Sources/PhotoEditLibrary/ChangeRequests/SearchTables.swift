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
