// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A fetch of assets from the library, a smart album or an album.
///
/// Besides all members, it finds out whether given assets are members, and their sort keys, so that
/// a result can follow a commit at a cost that depends only on the commit.
struct MemberQuery: Sendable {
  enum Container: Sendable {
    case library
    case smartAlbum(SmartAlbum)
    /// The row of an album.
    case album(Int64)
  }

  let options: FetchOptions<Asset>
  let container: Container
  /// The rule of a fetch method; nil for none.
  let rule: PredicateNode?
  /// Indicates whether the order is reversed if the options do not sort.
  var isLatestFirst = false

  init(_ options: FetchOptions<Asset>, rule: PredicateNode? = nil) {
    self.options = options
    self.rule = rule
    container = .library
  }

  /// Creates a query for the assets of an album or a smart album; nil for other collections.
  init?(_ options: FetchOptions<Asset>, in collection: AssetCollection) {
    guard !collection.isTransient else { return nil }
    switch collection.kind {
    case .album:
      guard let row = collection.row else { return nil }
      container = .album(row)
    case .smartAlbum:
      guard let album = SmartAlbum.of(collection.subtype) else { return nil }
      container = .smartAlbum(album)
    case .moment: return nil
    }
    self.options = options
    rule = nil
  }

  func rows(_ session: FetchSession) throws(LibraryError) -> [Int64] {
    var query = query(session)
    query.access = session.isNewest ? .lists : .none
    guard case .album(let album) = container else { return try query.rows(session.database) }
    guard session.seesUserCollections else { return [] }
    return try query.rows(album: album, session.database)
  }

  private func query(_ session: FetchSession) -> AssetQuery {
    var query = AssetQuery(
      scope: AssetScope(options, session, otherwise: album == nil ? .own : .any), rule: rule,
      options: options)
    if case .smartAlbum(let album) = container { query.rule = album.condition(at: session.date) }
    query.isLatestFirst = isLatestFirst
    return query
  }

  // MARK: Following

  /// Indicates whether members enter and leave only by commits and independently of each other: not
  /// with time, and not because of a limit.
  var canFollow: Bool {
    guard options.fetchLimit == 0, !isLatestFirst else { return false }
    // Albums and files change without their assets.
    if options.predicate?.node.columns.contains(where: { $0.kind == .external }) == true {
      return false
    }
    if case .smartAlbum(let album) = container { return !album.dependsOnTime }
    return true
  }

  /// The row of the album; nil for the library and for smart albums.
  var album: Int64? { if case .album(let row) = container { row } else { nil } }

  var order: FetchOrder { FetchOrder(options.sortDescriptors) }

  /// The sort key of an asset: the values by which it is sorted, and its row.
  typealias SortPosition = (values: [DatabaseValue], tiebreaker: Int64)

  /// Returns the sort keys of those of the given assets that are members.
  func sortPositions(
    of rows: some Sequence<Int64>, _ session: FetchSession
  ) throws(LibraryError) -> [Int64: SortPosition] {
    guard album == nil || session.seesUserCollections else { return [:] }
    let statement =
      SQLFragment("SELECT \(keys.joined(separator: ", ")) FROM \(source) AND ")
      + .all(query(session).conditions)
    var found: [Int64: SortPosition] = [:]
    for row in rows {
      found[row] = try session.database.first(
        statement.text, sourceValues(row) + statement.values
      ) { (values: sortValues($0), tiebreaker: row) }
    }
    return found
  }

  /// Returns the sort key of a member, without checking the conditions; nil if its row does not
  /// exist.
  func sortPosition(of row: Int64, _ session: FetchSession) throws(LibraryError) -> SortPosition? {
    try session.database.first(
      "SELECT \(keys.joined(separator: ", ")) FROM \(source)", sourceValues(row)
    ) { (values: sortValues($0), tiebreaker: row) }
  }

  /// Returns the row that follows a sort key in the order, if a database index finds it directly.
  ///
  /// Nil if there is no such index, or if the index finds no successor.
  func successor(
    of sortPosition: SortPosition, _ session: FetchSession
  ) throws(LibraryError) -> Int64? {
    let query = query(session)
    guard album == nil, query.rule == nil || isWholeLibrary, options.predicate == nil,
      query.scope.visibilities.count == 1, keys.count == 1, Self.indexedKeys.contains(keys[0]),
      let value = sortPosition.values.first, value != .null
    else { return nil }
    let (sign, direction) = order.ascending == [true] ? (">", "") : ("<", " DESC")
    let statement =
      SQLFragment("SELECT id FROM asset WHERE ") + .all(query.conditions)
      + SQLFragment(
        """
         AND (\(keys[0]), id) \(sign) (?, ?)
        ORDER BY \(keys[0])\(direction), id\(direction) LIMIT 1
        """, [value, .integer(sortPosition.tiebreaker)])
    return try session.database.integers(statement.text, statement.values).first
  }

  /// Keys that have an index in the table, after the visibility.
  private static let indexedKeys: Set<String> = ["addedDate", "creationDate", "modificationDate"]

  /// Indicates whether the smart album contains all assets.
  private var isWholeLibrary: Bool {
    if case .smartAlbum(let album) = container {
      album.subtype == .smartAlbumUserLibrary
    } else {
      false
    }
  }

  private func sortValues(_ row: Row) -> [DatabaseValue] { keys.indices.map { row.value($0) } }

  private var isByPosition: Bool { album != nil && options.sortDescriptors.isEmpty }

  private var keys: [String] {
    if isByPosition { return ["position"] }
    if options.sortDescriptors.isEmpty { return ["addedDate"] }
    return options.sortDescriptors.map { Asset.source.expressions[$0.column.name] ?? "NULL" }
  }

  private var source: String {
    album == nil
      ? "asset WHERE id = ?" : "member CROSS JOIN asset ON id = asset WHERE album = ? AND asset = ?"
  }

  private func sourceValues(_ row: Int64) -> [DatabaseValue] {
    (album.map { [.integer($0)] } ?? []) + [.integer(row)]
  }
}
