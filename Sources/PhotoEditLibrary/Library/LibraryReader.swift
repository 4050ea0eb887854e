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
  /// The identity of the opened database file.
  private let database: FileIdentity?

  init(
    _ layout: LibraryLayout, _ configuration: LibraryConfiguration
  ) throws(LibraryError) {
    self.layout = layout
    access = LibraryAccess(layout, client: configuration.client)
    self.configuration = configuration
    let database = layout.database
    self.database = FileIdentity(database)
    let open: @Sendable () throws(DatabaseError) -> Connection = { () throws(DatabaseError) in
      let connection = try Connection(
        database, LibraryFolder.readingMode(layout), busyTimeout: configuration.busyTimeout)
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
    guard let found = FileIdentity(layout.database) else { return .offline(layout.root) }
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
