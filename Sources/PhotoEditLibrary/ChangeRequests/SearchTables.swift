// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The tables `keyword`, `asset_keyword`, `asset_text` and `asset_day`, which follow from the rows of
/// assets.
struct SearchTables {
  let database: LibraryDatabase

  /// Updates the rows of one asset; those of a purged asset are removed.
  func update(_ row: Int64) throws(LibraryError) {
    let found = try database.first(Self.current, [.integer(row)]) { Self.texts($0) }
    let stored = try database.first(Self.stored, [.integer(row)]) { Self.texts($0) }
    // Compared by bytes: texts that Swift considers equal may have different words.
    if stored?.map({ $0.map { Array($0.utf8) } }) != found?.map({ $0.map { Array($0.utf8) } }) {
      if stored != nil {
        try database.run("DELETE FROM asset_text WHERE rowid = ?", [.integer(row)])
      }
      if let found {
        try database.run(Self.insertion, [.integer(row)] + found.map { .init($0) })
      }
    }
    try updateKeywords(of: row)
  }

  private static func texts(_ row: Row) -> [String?] {
    (0..<columnCount).map { row.optionalText($0) }
  }

  /// Updates the keywords of one asset.
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

  private static let columnCount = LibrarySchema.text.count

  private static let current =
    """
    SELECT \(LibrarySchema.text.map { "searchable(\($0.1))" }.joined(separator: ", "))
    FROM asset WHERE id = ? AND state < 2
    """

  private static let stored =
    "SELECT \(LibrarySchema.text.map(\.0).joined(separator: ", ")) FROM asset_text WHERE rowid = ?"

  private static let insertion =
    """
    INSERT INTO asset_text (rowid, \(LibrarySchema.text.map(\.0).joined(separator: ", ")))
    VALUES (?\(String(repeating: ", ?", count: columnCount)))
    """
}
