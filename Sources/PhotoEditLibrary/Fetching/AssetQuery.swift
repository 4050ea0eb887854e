// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The statements that find assets: all assets of a scope, the members of an album, given
/// identifiers.
struct AssetQuery {
  var scope: AssetScope
  /// The rule of a smart album or of a fetch method; nil for none.
  var rule: PredicateNode?
  let options: FetchOptions<Asset>
  /// Indicates whether the order is reversed if the options do not sort.
  var isLatestFirst = false
  /// The use of the search tables, which show the newest commit only.
  var access = SearchAccess.none

  /// The conditions that assets must meet.
  var conditions: [SQLFragment] {
    scope.conditions
      + [rule, options.predicate?.node].compactMap {
        $0?.sql(for: Asset.source, access: access)
      }
  }

  /// The statement for all assets, in the order in which they were added to the library.
  var statement: SQLFragment {
    SQLFragment("SELECT id FROM asset WHERE ") + .all(conditions)
      + SQLFragment(options.order(isLatestFirst ? "addedDate DESC, id DESC" : "addedDate, id"))
      + options.limit
  }

  /// Returns the rows of all assets.
  func rows(_ database: LibraryDatabase) throws(LibraryError) -> [Int64] {
    let statement = try planned(database).statement
    return try database.integers(statement.text, statement.values)
  }

  /// The number of assets from which a condition does not narrow a search.
  private static let manyMatches = 20_000

  /// Returns the query with the best use of the search tables.
  ///
  /// SQLite does not know the number of matches. If they are few, they are read by their row numbers
  /// and sorted; it would walk through all assets in the order of the result instead.
  func planned(_ database: LibraryDatabase) throws(LibraryError) -> AssetQuery {
    guard access != .none, let node = options.predicate?.node else { return self }
    var query = self
    var (isSearch, isSlow) = (false, false)
    for part in node.conjuncts {
      guard let matches = part.searchMatches else { continue }
      isSearch = true
      if case .words(_, let text) = part { isSlow = isSlow || WordQuery(text).isSlowForSingleRows }
      let count = try database.first(
        "SELECT count(*) FROM (\(matches.text) LIMIT \(Self.manyMatches))", matches.values
      ) { Int($0.int(0)) }
      if count ?? 0 < Self.manyMatches {
        query.scope.avoidsIndexes = true
        return query
      }
    }
    if isSearch, !isSlow, options.fetchLimit > 0 { query.access = .probes }
    return query
  }

  /// Returns the rows of the members of an album.
  func rows(album: Int64, _ database: LibraryDatabase) throws(LibraryError) -> [Int64] {
    if let rows = try rows(largeAlbum: album, database) { return rows }
    let statement =
      SQLFragment(
        "SELECT id FROM member CROSS JOIN asset ON id = asset WHERE album = ? AND ",
        [.integer(album)]) + .all(conditions) + SQLFragment(options.order("position"))
      + options.limit
    return try database.integers(statement.text, statement.values)
  }

  /// The maximum number of excluded assets that are kept in memory.
  private static let fewExcluded = 100_000

  /// Returns the members of a large album without reading each asset; nil if this is not faster.
  private func rows(
    largeAlbum album: Int64, _ database: LibraryDatabase
  ) throws(LibraryError) -> [Int64]? {
    guard let exclusion = scope.exclusion, rule == nil, options.predicate == nil,
      options.sortDescriptors.isEmpty, options.fetchLimit == 0,
      try AlbumSummary.isLarge(album, database)
    else { return nil }
    let excluded = Set(
      try database.integers(
        "SELECT id FROM asset WHERE \(exclusion) LIMIT ?", [.init(Self.fewExcluded + 1)]
      ))
    guard excluded.count <= Self.fewExcluded else { return nil }
    let rows = try database.integers(
      "SELECT asset FROM member WHERE album = ? ORDER BY position", [.integer(album)]
    )
    return excluded.isEmpty ? rows : rows.filter { !excluded.contains($0) }
  }

  /// Returns the included assets among given rows or identifiers, in the given order unless the
  /// options sort.
  ///
  /// - Parameters:
  ///   - column: `id` or `uuid`.
  ///   - keys: Values of the column; duplicates are ignored.
  func rows(
    _ column: String, _ keys: some Sequence<DatabaseValue>, _ database: LibraryDatabase
  ) throws(LibraryError) -> [Int64] {
    let columns = options.sortDescriptors.map { Asset.source.expressions[$0.column.name] ?? "NULL" }
    let statement =
      SQLFragment(
        "SELECT \((["id"] + columns).joined(separator: ", ")) FROM asset WHERE \(column) = ?")
      + SQLFragment(" AND ") + .all(conditions)
    let isSorted = !columns.isEmpty
    var seen: Set<Int64> = []
    var found: [(values: [DatabaseValue], tiebreaker: Int64)] = []
    for key in keys {
      if !isSorted, options.fetchLimit > 0, found.count == options.fetchLimit { break }
      let row = try database.first(statement.text, [key] + statement.values) { row in
        (values: columns.indices.map { row.value($0 + 1) }, tiebreaker: row.int(0))
      }
      if let row, seen.insert(row.tiebreaker).inserted { found.append(row) }
    }
    if isSorted { found.sort(by: FetchOrder(options.sortDescriptors).precedes) }
    let rows = found.map(\.tiebreaker)
    return options.fetchLimit == 0 ? rows : Array(rows.prefix(options.fetchLimit))
  }
}
