// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage

/// Reads an open library as of one commit, with this program's access rights.
///
/// Fetch results, change details, imports and images need only this part of a library, and may
/// outlive the `PhotoLibrary` that created them. Changing and observing a library are not included.
final class LibraryReader: Sendable {
  let layout: LibraryLayout
  let access: LibraryAccess
  /// The unique identifier of the library; a UUID.
  let identifier: String
  let configuration: LibraryConfiguration
  let readers: ReaderPool
  /// Readers that see an earlier commit.
  let pastReaders: ReaderPool
  private let database: FileVersion.Identity?

  init(
    _ layout: LibraryLayout, _ configuration: LibraryConfiguration
  ) throws(LibraryError) {
    self.layout = layout
    access = LibraryAccess(layout, client: configuration.client)
    self.configuration = configuration
    let database = layout.database
    self.database = FileVersion(database)?.identity
    let open: @Sendable () throws(DatabaseError) -> Connection = { () throws(DatabaseError) in
      let connection = try LibraryFolder.connection(layout, configuration.busyTimeout)
      // No memory mapping: if another process truncates the file, this one would crash.
      try connection.execute("PRAGMA cache_size = -16000; PRAGMA cell_size_check = ON")
      return connection
    }
    readers = ReaderPool(open: open)
    pastReaders = ReaderPool(idleLimit: 1) { () throws(DatabaseError) in
      let connection = try open()
      try connection.execute("PRAGMA temp_store = MEMORY; " + HistoricalSnapshot.schema)
      return connection
    }
    identifier = try readers.read(wrap: { LibraryError($0, path: database) }) {
      connection throws(LibraryError) in
      try LibraryDatabase(connection: connection).first(
        "SELECT value FROM property WHERE key = 'identifier'"
      ) { $0.text(0) } ?? ""
    }
  }

  // MARK: Reading

  /// Runs a closure in one read transaction; it sees the library as of one commit.
  func read<Value>(
    _ body: (LibraryDatabase) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try checkAvailable()
    return try readers.read(wrap: { LibraryError($0, path: self.layout.database) }) {
      connection throws(LibraryError) in
      try body(LibraryDatabase(connection: connection))
    }
  }

  // MARK: Availability

  /// The reason why the library can no longer be used, as in `PhotoLibrary.unavailabilityReason`.
  var unavailabilityReason: LibraryError? {
    guard let found = FileVersion(layout.database)?.identity else { return .offline(layout.root) }
    return found == database ? nil : .replaced(layout.root)
  }

  func checkAvailable() throws(LibraryError) {
    if let unavailabilityReason { throw unavailabilityReason }
  }

  // MARK: Visibility

  /// Indicates whether fetches return anything.
  var canRead: Bool { access.grant.canRead }

  /// Returns whether this program may change anything in the library.
  func canChange(_ grant: AccessGrant) -> Bool {
    grant.canRead && LibraryAccess.permits(layout, writing: true)
  }

  /// The only visible assets, by identifier; nil for all.
  var visibleAssets: Set<String>? {
    if case .limited(let assets) = access.grant { assets } else { nil }
  }

  /// Returns whether an asset is visible to this program.
  func canSee(_ identifier: LocalIdentifier) -> Bool {
    canRead && visibleAssets?.contains(identifier.description) != false
  }

  /// Returns the local identifier of an asset if it is visible to this program; otherwise nil.
  func visibleName(_ identifier: LocalIdentifier) -> String? {
    canSee(identifier) ? identifier.description : nil
  }
}

/// A connection to a library's database that reports errors as `LibraryError`.
struct LibraryDatabase {
  let connection: Connection

  func calling<Value>(
    _ body: @autoclosure () throws(DatabaseError) -> Value
  ) throws(LibraryError) -> Value {
    try translating({ failure($0) }, body)
  }

  /// Converts the error of a statement.
  ///
  /// Damaged pages contradict each other, so that statements fail which are valid, and rows lack
  /// what they refer to. SQLite reports the contradiction and not the damage, which is looked for
  /// only then.
  private func failure(_ error: DatabaseError) -> LibraryError {
    if [.error, .constraint].contains(error.code.primary),
      let damage = try? connection.first("PRAGMA integrity_check(1)", [], { $0.text(0) }),
      damage != "ok"
    {
      return .damagedDatabase(connection.path, "\(error.message); \(damage)")
    }
    return LibraryError(error, path: connection.path)
  }

  /// Runs one statement to completion; returns the number of rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: [DatabaseValue] = []) throws(LibraryError) -> Int {
    try calling(connection.run(sql, values))
  }

  func all<Value>(
    _ sql: String, _ values: [DatabaseValue] = [], _ make: (Row) -> Value
  ) throws(LibraryError) -> [Value] {
    try calling(connection.all(sql, values, make))
  }

  func each(_ sql: String, _ body: (Row) -> Void) throws(LibraryError) {
    try calling(connection.each(sql, [], body))
  }

  /// Returns the first column of every row, which contains integers.
  func integers(_ sql: String, _ values: [DatabaseValue] = []) throws(LibraryError) -> [Int64] {
    try calling(connection.integers(sql, values))
  }

  /// Returns the first row, converted by a closure; nil without rows.
  func first<Value>(
    _ sql: String, _ values: [DatabaseValue] = [], _ make: (Row) -> Value
  ) throws(LibraryError) -> Value? {
    try calling(connection.first(sql, values, make))
  }

  func has(_ sql: String, _ values: [DatabaseValue]) throws(LibraryError) -> Bool {
    try first(sql, values) { _ in true } ?? false
  }

  /// Runs a body in a transaction that may write.
  func transaction<Value>(
    _ body: () throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try connection.transaction(
      isWriting: true, wrap: { LibraryError($0, path: connection.path) }, body)
  }

  /// Returns the row of an object that is neither trashed nor deleted.
  func row(of identifier: LocalIdentifier) throws(LibraryError) -> Int64? {
    switch identifier.objectClass {
    case .asset:
      try first("SELECT id FROM asset WHERE uuid = ? AND state = 0", [.blob(identifier.bytes)]) {
        $0.int(0)
      }
    case .assetCollection, .collectionList:
      try first(
        "SELECT id FROM collection WHERE uuid = ? AND class = ? AND state = 0",
        [.blob(identifier.bytes), .integer(Int64(identifier.objectClass.rawValue))]
      ) { $0.int(0) }
    }
  }

  /// Returns the latest commit that this connection sees.
  func version() throws(LibraryError) -> Int64 {
    try first("SELECT coalesce(max(id), 0) FROM change") { $0.int(0) } ?? 0
  }
}

extension LibraryDatabase {
  /// Opens a file, which may be any library database.
  init(_ path: String, _ mode: Connection.Mode) throws(LibraryError) {
    connection = try translating(
      { LibraryError($0 as DatabaseError, path: path) }, Connection(path, mode))
  }
}

extension LibraryDatabase {
  /// Returns what SQLite finds damaged, except for the full-text index: empty if nothing is.
  ///
  /// Since version 3.44, SQLite examines the index too. It is filled again alone, so that it is no
  /// damage of the database; see `SearchTables.damage()`.
  func damages(limit: Int) throws(LibraryError) -> [String] {
    try all("PRAGMA integrity_check(\(limit + 1))") { $0.text(0) }.filter {
      $0 != "ok" && !$0.contains("inverted index for FTS5 table main.asset_text")
    }
  }
}
