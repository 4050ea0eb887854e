// SPDX-License-Identifier: Apache-2.0

/// The migration to a full-text index that contains only the words of each asset.
///
/// The texts themselves are in `asset`, and their state before a commit is in `assetHistory`, so
/// that a commit can remove their words from the index. Phrases are found in the texts of the assets
/// that have all their words.
extension LibrarySchema {
  static let words =
    """
    DROP TABLE asset_text;
    \(createText);
    \(insertTexts) FROM asset WHERE state < 2;
    INSERT OR REPLACE INTO property (key, value) VALUES ('searchForm', '\(SearchTables.form)');
    """

  /// Creates the full-text index, with the identifiers of assets as row numbers.
  static let createText =
    """
    CREATE VIRTUAL TABLE asset_text USING fts5(
      \(text.map(\.0).joined(separator: ", ")),
      content = '', columnsize = 0, detail = none,
      tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3')
    """

  /// The number of characters of the longest beginnings of words that the index lists.
  static let longestPrefix = 3

  /// Inserts the words of assets; the tables and conditions follow.
  static let insertTexts =
    """
    INSERT INTO asset_text (rowid, \(text.map(\.0).joined(separator: ", ")))
      SELECT asset.id, \(searchable("asset"))
    """

  /// The texts in a table, in the form that is indexed.
  static func searchable(_ table: String) -> String {
    text.map { "searchable(\(table).\($0.1))" }.joined(separator: ", ")
  }
}
