// SPDX-License-Identifier: Apache-2.0

/// The migration for finding assets: keywords, ratings, camera data, text, and days.
///
/// All new columns may be NULL: manifests of older versions do not have them. The tables `keyword`,
/// `asset_keyword`, `asset_text` and `asset_day` repeat what the rows of `asset` contain, in the form
/// that a search needs; every commit updates them.
extension LibrarySchema {
  /// The day on the calendar at the place of capture, counted from 1970-01-01; NULL without a date.
  ///
  /// A time without a known offset is stored as if it were UTC, so that its day is the day on the
  /// camera's clock.
  static let day = "CAST(floor((creationDate + coalesce(utcOffset, 0)) / 86400.0) AS INTEGER)"

  /// The number of undated assets' day in `asset_day`, after all others.
  static let undated = 1_000_000_000

  /// The columns of `asset_text` in this migration and their values from a row of `asset`.
  private static let firstText = [
    ("title", "title"), ("caption", "caption"), ("filename", "originalFilename"),
    ("keywords", "keywords"), ("people", "people"), ("place", "place"), ("camera", "camera"),
  ]

  /// The columns of `asset_text` after the migrations that add some properties.
  private static func text(
    adding added: some Sequence<PhotoProperty>
  ) -> [(String, String)] {
    firstText + added.filter(\.isSearchable).map { ($0.name, $0.columns[0]) }
  }

  /// The columns of `asset_text` and their values from a row of `asset`.
  static let text = text(adding: PhotoProperties.added)

  /// The properties in these columns.
  static let searched = text.compactMap { text in
    PhotoProperties.catalog.first { $0.columns == [text.1] }
  }

  static let searchColumns = [
    "keywords TEXT", "rating INTEGER", "label TEXT", "people TEXT", "place TEXT", "camera TEXT",
    "lens TEXT", "iso INTEGER", "fNumber REAL", "focalLength REAL", "fileSize INTEGER",
    "utcOffset INTEGER",
  ]

  /// Adds columns, with their types, to the tables of assets and of their history.
  private static func addition(of columns: [String]) -> String {
    ["asset", "assetHistory"].flatMap { table in
      columns.map { "ALTER TABLE \(table) ADD COLUMN \($0);" }
    }.joined(separator: "\n")
  }

  static let search = {
    return addition(of: searchColumns) + """

      ALTER TABLE asset ADD COLUMN day INTEGER AS (\(day)) VIRTUAL;

      CREATE TABLE keyword (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
      CREATE TABLE asset_keyword (
        keyword INTEGER NOT NULL REFERENCES keyword,
        asset INTEGER NOT NULL REFERENCES asset,
        PRIMARY KEY (keyword, asset)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX keywordByAsset ON asset_keyword (asset);

      \(createStoredText);
      INSERT INTO asset_text (rowid, title, caption, filename)
        SELECT id, searchable(title), searchable(caption), searchable(originalFilename)
        FROM asset WHERE state < 2;

      -- The number of assets in the library by day, visibility and type.
      CREATE TABLE asset_day (
        day INTEGER NOT NULL,
        visibility INTEGER NOT NULL,
        mediaType INTEGER NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (day, visibility, mediaType)
      ) STRICT, WITHOUT ROWID;
      \(fillDays);
      """
  }()

  /// Creates the full-text index of this migration, which stores the text and its positions.
  private static let createStoredText =
    """
    CREATE VIRTUAL TABLE asset_text USING fts5(
      \(firstText.map(\.0).joined(separator: ", ")),
      tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')
    """

  static let fillDays =
    """
    INSERT INTO asset_day (day, visibility, mediaType, count)
      SELECT coalesce(day, \(undated)), visibility, mediaType, count(*) FROM asset
      WHERE state = 0 GROUP BY 1, 2, 3
    """

  // MARK: The migration for regions of photos and for the fields that the user set

  /// The columns of the migration, with their types; all may be NULL.
  ///
  /// `userFields` contains the bits of `AssetFields`, and NULL if an older version imported the
  /// asset.
  static let regionColumns = ["regions TEXT", "userFields INTEGER"]

  /// The columns for values that an older version did not read from files.
  static let searchColumnNames = Set(
    (searchColumns + ["regions TEXT"]).map { String($0.prefix { $0 != " " }) })

  static let regions = addition(of: regionColumns)
}

/// The migration to a full-text index that contains only the words of each asset.
///
/// The texts themselves are in `asset`, and their state before a commit is in `assetHistory`, so
/// that a commit can remove their words from the index. Phrases are found in the texts of the assets
/// that have all their words.
extension LibrarySchema {
  static let words =
    refill(firstText) + """

      INSERT OR REPLACE INTO property (key, value) VALUES ('searchForm', '\(SearchTables.form)');
      """

  /// Creates the full-text index again, with the words of all assets.
  private static func refill(_ text: [(String, String)]) -> String {
    """
    DROP TABLE asset_text;
    \(createText(text));
    \(insertTexts(text)) FROM asset WHERE state < 2;
    """
  }

  /// Creates the full-text index, with the identifiers of assets as row numbers.
  static func createText(_ text: [(String, String)] = text) -> String {
    """
    CREATE VIRTUAL TABLE asset_text USING fts5(
      \(text.map(\.0).joined(separator: ", ")),
      content = '', columnsize = 0, detail = none,
      tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3')
    """
  }

  /// The number of characters of the longest beginnings of words that the index lists.
  static let longestPrefix = 3

  /// Inserts the words of assets; the tables and conditions follow.
  static func insertTexts(_ text: [(String, String)] = text) -> String {
    """
    INSERT INTO asset_text (rowid, \(text.map(\.0).joined(separator: ", ")))
      SELECT asset.id, \(searchable("asset", text))
    """
  }

  /// The texts in a table, in the form that is indexed.
  static func searchable(_ table: String, _ text: [(String, String)] = text) -> String {
    text.map { "searchable(\(table).\($0.1))" }.joined(separator: ", ")
  }

  // MARK: The migrations for added properties

  /// Adds the columns of a property, and its words to the full-text index.
  static func adding(_ property: PhotoProperty) -> String {
    let columns = addition(of: property.columns.map { "\($0) \(property.columnType.rawValue)" })
    guard property.isSearchable else { return columns }
    let earlier = PhotoProperties.added.prefix { $0 !== property }
    return columns + "\n" + refill(text(adding: earlier + [property]))
  }
}
