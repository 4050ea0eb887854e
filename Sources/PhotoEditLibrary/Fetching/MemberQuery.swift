// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The assets of the library, of a smart album or of an album, as a fetch asks for them.
///
/// Besides all members it tells of single assets whether they are members and where they stand in the
/// order, so that a result can follow a commit at the cost of the commit.
struct MemberQuery: Sendable {
  enum Place: Sendable {
    case library
    case smartAlbum(SmartAlbum)
    /// The row of an album.
    case album(Int64)
  }

  let options: FetchOptions<Asset>
  let place: Place
  /// The rule of a method; nil for none.
  let rule: PredicateNode?
  /// Whether the order is turned round where the options do not sort.
  var isLatestFirst = false

  /// The assets of the library.
  init(_ options: FetchOptions<Asset>, rule: PredicateNode? = nil) {
    self.options = options
    self.rule = rule
    place = .library
  }

  /// The assets of an album or a smart album; nil for other collections.
  init?(_ options: FetchOptions<Asset>, in collection: AssetCollection) {
    guard !collection.isTransient else { return nil }
    switch collection.kind {
    case .album:
      guard let row = collection.row else { return nil }
      place = .album(row)
    case .smartAlbum:
      guard let album = SmartAlbum.of(collection.subtype) else { return nil }
      place = .smartAlbum(album)
    case .moment: return nil
    }
    self.options = options
    rule = nil
  }

  /// The members as of the session's commit.
  func rows(_ session: FetchSession) throws(LibraryError) -> [Int64] {
    guard case .album(let album) = place else { return try query(session).rows(session.database) }
    guard session.seesUserCollections else { return [] }
    return try query(session).rows(album: album, session.database)
  }

  private func query(_ session: FetchSession) -> AssetQuery {
    var query = AssetQuery(
      scope: AssetScope(options, session, otherwise: album == nil ? .own : .any), rule: rule,
      options: options)
    if case .smartAlbum(let album) = place { query.rule = album.condition(at: session.date) }
    query.isLatestFirst = isLatestFirst
    return query
  }

  // MARK: Following

  /// Whether members come and go by commits alone and each for itself: not by the clock, and not
  /// because a limit lets the next one in.
  var canFollow: Bool {
    guard options.fetchLimit == 0, !isLatestFirst else { return false }
    if case .smartAlbum(let album) = place { return !album.dependsOnTime }
    return true
  }

  /// The row of the album; nil for the library and for smart albums.
  var album: Int64? { if case .album(let row) = place { row } else { nil } }

  /// Compares places in the order of the result.
  var order: FetchOrder { FetchOrder(options.sortDescriptors) }

  /// Where an asset stands: the values by which it is sorted, and its row.
  typealias Standing = (values: [SQLValue], tie: Int64)

  /// Those of some assets that are members, with their places in the order.
  func standings(
    of rows: some Sequence<Int64>, _ session: FetchSession
  ) throws(LibraryError) -> [Int64: Standing] {
    guard album == nil || session.seesUserCollections else { return [:] }
    let statement =
      SQLText("SELECT \(keys.joined(separator: ", ")) FROM \(source) AND ")
      + .all(query(session).conditions)
    var found: [Int64: Standing] = [:]
    for row in rows {
      found[row] = try session.database.first(
        statement.text, sourceValues(row) + statement.values
      ) { (values: standing($0), tie: row) }
    }
    return found
  }

  /// Where a member stands; nil when it is not there at all.
  func standing(of row: Int64, _ session: FetchSession) throws(LibraryError) -> Standing? {
    try session.database.first(
      "SELECT \(keys.joined(separator: ", ")) FROM \(source)", sourceValues(row)
    ) { (values: standing($0), tie: row) }
  }

  /// The row that follows a place in the order, where an index of the database finds it at once.
  ///
  /// Nil where there is no such index, or where nothing follows that the index would find.
  func successor(
    of standing: Standing, _ session: FetchSession
  ) throws(LibraryError) -> Int64? {
    let query = query(session)
    guard album == nil, query.rule == nil || isWholeLibrary, options.predicate == nil,
      query.scope.visibilities.count == 1, keys.count == 1, Self.indexedKeys.contains(keys[0]),
      let value = standing.values.first, value != .null
    else { return nil }
    let (sign, direction) = order.ascending == [true] ? (">", "") : ("<", " DESC")
    let statement =
      SQLText("SELECT id FROM asset WHERE ") + .all(query.conditions)
      + SQLText(
        """
         AND (\(keys[0]), id) \(sign) (?, ?)
        ORDER BY \(keys[0])\(direction), id\(direction) LIMIT 1
        """, [value, .integer(standing.tie)])
    return try session.database.integers(statement.text, statement.values).first
  }

  /// Keys by which the table has an index, behind the visibility.
  private static let indexedKeys: Set<String> = ["addedDate", "creationDate", "modificationDate"]

  /// Whether the smart album is the one of all assets.
  private var isWholeLibrary: Bool {
    if case .smartAlbum(let album) = place {
      album.subtype == .smartAlbumUserLibrary
    } else {
      false
    }
  }

  private func standing(_ row: Row) -> [SQLValue] { keys.indices.map { row.value($0) } }

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

  private func sourceValues(_ row: Int64) -> [SQLValue] {
    (album.map { [.integer($0)] } ?? []) + [.integer(row)]
  }
}
