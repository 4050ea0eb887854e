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

/// The assets that the options of a fetch include, before any predicate.
///
/// The column `visibility` holds the reasons for exclusion as bits: hidden 1, unpicked member of a
/// burst 2, trashed or deleted 4, not from the user's library 8.
struct AssetScope {
  let visibilities: [Int]
  /// The included sources; nil for all that `visibilities` includes.
  let sources: SourceType?
  /// The only visible assets, as a JSON array of rows; nil for all.
  let visibleRows: String?
  var includesTrash = false
  /// Indicates whether the assets are found by their row numbers instead of an index of visibility.
  var avoidsIndexes = false

  static let everyVisibility = Array(0..<16)

  /// The default sources if the options do not specify any.
  enum Sources {
    case own
    case any
  }

  /// Creates the scope of fetch options.
  ///
  /// - Parameter isWhole: Whether hidden assets and all members of a burst are always included.
  init(
    _ options: FetchOptions<Asset>, _ session: FetchSession, otherwise sources: Sources,
    isWhole: Bool = false
  ) {
    let requested = options.includeAssetSourceTypes
    let hasOwn = requested.isEmpty || requested.contains(.userLibrary)
    let hasOthers =
      requested.isEmpty ? sources == .any : !requested.subtracting(.userLibrary).isEmpty
    let includesTrash = options.predicate?.node.columns.contains(.trashed) == true
    self.includesTrash = includesTrash
    visibilities = Self.everyVisibility.filter { value in
      (value & 1 == 0 || isWhole || options.includeHiddenAssets)
        && (value & 2 == 0 || isWhole || options.includeAllBurstAssets)
        && (value & 4 == 0 || includesTrash) && (value & 8 == 0 ? hasOwn : hasOthers)
    }
    self.sources = requested.isEmpty || !hasOthers ? nil : requested
    visibleRows = session.visibleRows
  }

  /// Creates the scope of a default fetch, or of hidden assets only.
  init(_ session: FetchSession, otherwise sources: Sources, hiddenAlone: Bool = false) {
    visibilities = hiddenAlone ? [1] : sources == .own ? [0] : [0, 8]
    self.sources = nil
    visibleRows = session.visibleRows
  }

  var conditions: [SQLFragment] {
    var conditions = [visibility]
    if includesTrash { conditions.append(SQLFragment("state < 2")) }
    if let sources {
      conditions.append(SQLFragment("(sourceType & ?) <> 0", [.init(sources.rawValue)]))
    }
    if let visibleRows {
      conditions.append(SQLFragment("id IN (SELECT value FROM json_each(?))", [.text(visibleRows)]))
    }
    return conditions
  }

  /// The condition on the table of days; nil if it cannot be expressed.
  var countedByDay: String? {
    guard sources == nil, visibleRows == nil, !includesTrash else { return nil }
    return "visibility IN (\(Self.list(visibilities)))"
  }

  private var visibility: SQLFragment {
    // A unary plus keeps SQLite from using an index.
    let column = avoidsIndexes ? "+visibility" : "visibility"
    return switch visibilities.count {
    case 0: SQLFragment("0")
    case 1: SQLFragment("\(column) = \(visibilities[0])")
    default: SQLFragment("\(column) IN (\(Self.list(visibilities)))")
    }
  }

  /// The condition for excluded assets, which are few; nil if it cannot be expressed.
  var exclusion: String? {
    guard sources == nil, visibleRows == nil, visibilities.contains(0) else { return nil }
    let others = Self.everyVisibility.filter { !visibilities.contains($0) }
    return "visibility IN (\(Self.list(others)))"
  }

  private static func list(_ values: [Int]) -> String {
    values.map(String.init).joined(separator: ", ")
  }
}
