// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// A library of photos and movies: a folder with a database and the files of the assets.
///
/// One object serves any number of threads; any number of programs may have the same library open.
/// Reading waits for nobody. Changes are made in blocks, one after the other; see
/// `performChanges(_:)`.
public final class PhotoLibrary: Sendable {
  /// Marks what the library is and how it behaves for this program.
  public struct Configuration: Sendable {
    /// What the program is called in the library's policy, in reverse-DNS style.
    public var client = "org.photoedit"
    /// How many superseded edits of an asset are kept.
    public var journalDepth = 20
    /// Seconds for which commits are kept in the history, counted back from the newest one.
    ///
    /// What is older is forgotten when there is time; the newest commit always stays. Every program
    /// that writes to a library prunes by its own number, so that the smallest one holds.
    public var historyRetention = 30 * 86_400.0
    /// Seconds to wait for another program that writes.
    public var patience = 5.0
    /// Asked where the policy of the library says that somebody is to be asked.
    public var authorization: (any AuthorizationProvider)?
    /// Who is asked before anything is deleted; nil when the program has asked already.
    public var confirmation: (any ConfirmationProvider)?
    /// Gets the errors that observers of changes throw.
    public var observerFailure: (@Sendable (any Error) -> Void)?
    /// Gives the date of a commit.
    public var clock: @Sendable () -> Date = { Date() }

    /// Makes the usual configuration.
    public init() {}
  }

  let layout: LibraryLayout
  let configuration: Configuration
  let access: LibraryAccess
  /// Tells this library from any other; a UUID.
  public let identifier: String
  /// What opening the library did to a database of an older version; nil when it was of this one.
  public let migration: LibraryMigration?
  let readers: ReaderPool
  /// Readers that see an earlier commit.
  let pastReaders: ReaderPool
  /// The file that was opened.
  let database: FileIdentity?
  private let writer: Guarded<SerialConnection?>
  let upkeepSchedule = UpkeepSchedule()
  /// Whoever wants to know of changes.
  let feed = ChangeFeed()

  /// The folder of the library, without symbolic links on the way.
  public var url: URL { URL(filePath: layout.root) }

  /// Opens a library.
  ///
  /// A library of an older version is brought up to date after a copy of its database was made and
  /// verified; `migration` says so. One of a newer version is refused and left as it is.
  ///
  /// - Throws: `LibraryError`.
  public convenience init(
    at url: URL, configuration: Configuration = Configuration()
  ) throws(LibraryError) {
    try self.init(LibraryLayout(at: url), configuration)
  }

  /// Makes an empty library in a folder that is new or empty, and opens it.
  public static func create(
    at url: URL, configuration: Configuration = Configuration()
  ) throws(LibraryError) -> PhotoLibrary {
    let layout = LibraryLayout(at: url)
    try LibraryFolder.create(layout)
    return try PhotoLibrary(layout, configuration)
  }

  private init(
    _ layout: LibraryLayout, _ configuration: Configuration
  ) throws(LibraryError) {
    migration = try LibraryFolder.check(
      layout, patience: configuration.patience, at: configuration.clock())
    self.layout = layout
    self.configuration = configuration
    access = LibraryAccess(layout, client: configuration.client)
    let database = layout.database
    self.database = FileIdentity(database)
    let open: @Sendable () throws(DatabaseError) -> Connection = { () throws(DatabaseError) in
      let connection = try Connection(
        database, LibraryFolder.readingMode(layout), patience: configuration.patience)
      // No memory map: a file that somebody cuts off would end the program.
      try connection.execute("PRAGMA cache_size = -16000; PRAGMA cell_size_check = ON")
      return connection
    }
    readers = ReaderPool(open: open)
    pastReaders = ReaderPool(kept: 1) { () throws(DatabaseError) in
      let connection = try open()
      try connection.execute("PRAGMA temp_store = MEMORY; " + PastLibrary.schema)
      return connection
    }
    writer = Guarded(nil)
    identifier = try readers.read(wrap: { LibraryError($0, path: database) }) {
      connection throws(LibraryError) in
      try LibraryDatabase(connection: connection).first(
        "SELECT value FROM property WHERE key = 'identifier'"
      ) { $0.text(0) } ?? ""
    }
  }

  // MARK: Reading

  /// Runs a body in one read transaction; it sees the library as of one commit.
  func read<Value>(
    _ body: (LibraryDatabase) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try checkAvailable()
    return try readers.read(wrap: { LibraryError($0, path: self.layout.database) }) {
      connection throws(LibraryError) in
      try body(LibraryDatabase(connection: connection))
    }
  }

  // MARK: Writing

  /// The writer, where it was needed already.
  var openedWriter: SerialConnection? { writer.withLock { $0 } }

  /// The one writer, opened when it is needed first.
  func openWriter() throws(LibraryError) -> SerialConnection {
    let (path, patience, layout) = (layout.database, configuration.patience, layout)
    let result: Result<SerialConnection, LibraryError> = writer.withLock { writer in
      if let writer { return .success(writer) }
      guard LibraryAccess.permits(layout, writing: true) else {
        return .failure(.readOnly(layout.root))
      }
      do throws(DatabaseError) {
        let connection = try Connection(path, .readWrite, patience: patience)
        try connection.execute(
          """
          PRAGMA synchronous = FULL;
          PRAGMA secure_delete = FAST;
          PRAGMA cache_size = -64000;
          PRAGMA temp_store = MEMORY
          """)
        Self.cleanUp(layout, connection, historyRetention: configuration.historyRetention)
        let made = SerialConnection(connection, label: "org.photoedit.library")
        writer = made
        return .success(made)
      } catch {
        return .failure(LibraryError(error, path: path))
      }
    }
    return try result.get()
  }
}
