// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditSQLite
import PhotoEditStorage

/// The query of a result, which can be repeated as of any commit in the history.
struct FetchQuery<Object: FetchedObject>: Sendable {
  typealias RowFinder = @Sendable (FetchSession) throws(LibraryError) -> [Int64]
  typealias ObjectFinder = @Sendable (FetchSession) throws(LibraryError) -> [Object]

  enum Finder: Sendable {
    /// Finds rows; their objects are read on access.
    case rows(RowFinder)
    /// Creates objects without rows, such as smart albums.
    case objects(ObjectFinder)
  }

  let finder: Finder
  /// The query for following members incrementally; nil if the fetch must be repeated.
  var members: MemberQuery?
  let wantsDetails: Bool

  /// Returns the result as of the session's commit; empty for a program without read access.
  func find(
    _ library: LibraryReader, _ session: FetchSession
  ) throws(LibraryError) -> FetchResult<Object> {
    let (version, grant) = (session.version, session.grant)
    switch finder {
    case .rows(let find):
      let rows = grant.canRead ? try find(session) : []
      return FetchResult(ChunkedRowList(rows), at: version, in: library, grant: grant, query: self)
    case .objects(let find):
      let objects = grant.canRead ? try find(session) : []
      return FetchResult(objects, at: version, in: library, grant: grant, query: self)
    }
  }
}

/// A read transaction of a fetch, and the access of the program.
struct FetchSession {
  let database: LibraryDatabase
  /// The commit as of which the database is read.
  let version: Int64
  /// Indicates whether that is the newest commit, so that the tables are read directly.
  let isNewest: Bool
  let grant: AccessGrant
  let isChangeable: Bool
  /// The only visible assets, as a JSON array of rows; nil for all.
  let visibleRows: String?
  /// Seconds since 1970.
  let date: Double

  init(_ library: LibraryReader, _ database: LibraryDatabase) throws(LibraryError) {
    try self.init(
      library, database, version: try database.version(), isNewest: true,
      date: library.configuration.clock().timeIntervalSince1970)
  }

  init(
    _ library: LibraryReader, _ database: LibraryDatabase, version: Int64, isNewest: Bool,
    date: Double
  ) throws(LibraryError) {
    self.database = database
    self.version = version
    self.isNewest = isNewest
    self.date = date
    grant = library.access.grant
    isChangeable = library.canChange(grant)
    guard case .limited(let visible) = grant else {
      visibleRows = grant.canRead ? nil : "[]"
      return
    }
    var rows: [Int64] = []
    for text in visible {
      guard let identifier = LocalIdentifier(text, as: .asset) else { continue }
      if let row = try database.row(of: identifier) { rows.append(row) }
    }
    visibleRows = "[" + rows.sorted().map(String.init).joined(separator: ",") + "]"
  }

  /// Creates a session to read the objects of an earlier fetch, which specify their own commit and
  /// have passed its access check.
  init(objectsOf library: LibraryReader, _ database: LibraryDatabase) throws(LibraryError) {
    self.database = database
    version = try database.version()
    isNewest = true
    date = library.configuration.clock().timeIntervalSince1970
    grant = library.access.grant
    isChangeable = library.canChange(grant)
    visibleRows = nil
  }

  /// Indicates whether the program can see user-created albums and folders.
  var seesUserCollections: Bool { visibleRows == nil }
}

extension PhotoLibrary {
  /// Checks the options and runs a fetch of rows in one read transaction.
  func fetch<Object>(
    _ options: FetchOptions<Object>, hasChangeDetails: Bool = true,
    _ find: @escaping FetchQuery<Object>.RowFinder
  ) throws(LibraryError) -> FetchResult<Object> {
    try options.check()
    return try fetch(
      FetchQuery(
        finder: .rows(find),
        wantsDetails: options.wantsIncrementalChangeDetails && hasChangeDetails))
  }

  /// Checks the options, runs a fetch of objects in one read transaction, and applies the options.
  func fetch<Object>(
    computed options: FetchOptions<Object>, hasChangeDetails: Bool = true,
    _ find: @escaping FetchQuery<Object>.ObjectFinder
  ) throws(LibraryError) -> FetchResult<Object> {
    try options.check()
    return try fetch(
      FetchQuery(
        finder: .objects { session throws(LibraryError) in
          options.apply(to: try find(session))
        },
        wantsDetails: options.wantsIncrementalChangeDetails && hasChangeDetails))
  }

  func fetch(
    _ options: FetchOptions<Asset>, of query: MemberQuery
  ) throws(LibraryError) -> FetchResult<Asset> {
    try options.check()
    return try fetch(
      FetchQuery(
        finder: .rows { session throws(LibraryError) in try query.rows(session) },
        members: query, wantsDetails: options.wantsIncrementalChangeDetails))
  }

  private func fetch<Object>(
    _ query: FetchQuery<Object>
  ) throws(LibraryError) -> FetchResult<Object> {
    try read { database throws(LibraryError) in
      try query.find(reader, FetchSession(reader, database))
    }
  }

  /// Runs fetches outside the cooperative thread pool, which database reads would block.
  ///
  /// ```swift
  /// let favorites = try await library.fetch { library in
  ///   try library.fetchAssets(in: library.fetchAssetCollections(with: .smartAlbum)[0])
  /// }
  /// ```
  ///
  /// - Throws: Any error that the body throws; `LibraryError` with `userCancelled` if the task was
  ///   already canceled.
  public func fetch<Value: Sendable>(
    _ body: @escaping @Sendable (PhotoLibrary) throws -> Value
  ) async throws -> Value {
    if Task.isCancelled { throw LibraryError(EditingError.cancelled) }
    return try await blocking { _ in try body(self) }
  }

  /// Runs fetches outside the cooperative thread pool; see the other overload.
  public func fetch<Value: Sendable>(
    _ body: @escaping @Sendable (PhotoLibrary) throws(LibraryError) -> Value
  ) async throws(LibraryError) -> Value {
    if Task.isCancelled { throw LibraryError(EditingError.cancelled) }
    return try await blocking { _ throws(LibraryError) in try body(self) }
  }
}
