// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The comparison of the search tables with the rows of assets, and their repair.
extension SearchTables {
  /// Returns what differs, one sentence each.
  ///
  /// The text of an older form does not count: the library updates it when it is opened.
  func differences() throws(LibraryError) -> [String] {
    var found: [String] = []
    if try isCurrent() {
      try compare("full-text index", &found) { () throws(LibraryError) in try differingTexts() }
    }
    for (name, statement) in Self.comparisons {
      try compare(name, &found) { () throws(LibraryError) in
        try database.first(statement) { Int($0.int(0)) } ?? 0
      }
    }
    return found
  }

  private func compare(
    _ name: String, _ found: inout [String], _ count: () throws(LibraryError) -> Int
  ) throws(LibraryError) {
    do throws(LibraryError) {
      let count = try count()
      if count > 0 {
        found.append(
          "the \(name) differs from the assets in \(count) \(count == 1 ? "row" : "rows")")
      }
    } catch {
      guard error.isDamage else { throw error }
      found.append("the \(name) cannot be read: \(error.message)")
    }
  }

  /// Returns the number of assets whose words in the index differ from those of their texts.
  private func differingTexts() throws(LibraryError) -> Int {
    var sums: [Int64: UInt64] = [:]
    try database.run(
      """
      CREATE VIRTUAL TABLE IF NOT EXISTS temp.asset_words
      USING fts5vocab(main, asset_text, instance)
      """)
    try database.each("SELECT DISTINCT doc, term FROM temp.asset_words") { row in
      sums[row.int(0), default: 0] &+= Self.hash(row.text(1).utf8)
    }
    var count = 0
    let texts = LibrarySchema.text.map { "words(coalesce(\($0.1), ''))" }
    try database.each(
      "SELECT id, \(texts.joined(separator: " || ' ' || ")) FROM asset WHERE state < 2"
    ) { row in
      let words = Set(row.text(1).utf8.split(separator: UInt8(ascii: " ")).map(Array.init))
      let sum = words.reduce(0) { $0 &+ Self.hash($1) }
      if (sums.removeValue(forKey: row.int(0)) ?? 0) != sum { count += 1 }
    }
    return count + sums.count
  }

  /// The FNV-1a hash of a word, which is the same in every process.
  private static func hash(_ word: some Sequence<UInt8>) -> UInt64 {
    word.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
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
      "DROP TABLE asset_text", LibrarySchema.createText(), LibrarySchema.fillDays,
    ] {
      try database.run(statement)
    }
    try fillTexts()
    for row in try database.integers(
      "SELECT id FROM asset WHERE state < 2 AND keywords IS NOT NULL")
    { try updateKeywords(of: row) }
    return true
  }

  private static let comparisons = {
    let days = "SELECT day, visibility, mediaType, count FROM asset_day WHERE count <> 0"
    let counted =
      """
      SELECT coalesce(day, \(LibrarySchema.undated)), visibility, mediaType, count(*) FROM asset
      WHERE state = 0 GROUP BY 1, 2, 3
      """
    return [
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
