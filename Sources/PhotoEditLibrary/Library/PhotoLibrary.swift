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
  /// How a library behaves for this program.
  public typealias Configuration = LibraryConfiguration

  /// What reads the library; whoever only reads takes this along and not the library.
  let reader: LibraryReader
  /// What opening the library did to a database of an older version; nil when it was of this one.
  public let migration: LibraryMigration?
  private let writer: Guarded<SerialConnection?>
  let upkeepSchedule = UpkeepSchedule()
  /// Whoever wants to know of changes.
  let feed = ChangeFeed()

  /// Tells this library from any other; a UUID.
  public var identifier: String { reader.identifier }

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
    reader = try LibraryReader(layout, configuration)
    writer = Guarded(nil)
  }

  // MARK: Reading

  var configuration: Configuration { reader.configuration }
  var layout: LibraryLayout { reader.layout }
  var access: LibraryAccess { reader.access }

  /// Runs a body in one read transaction; it sees the library as of one commit.
  func read<Value>(
    _ body: (LibraryDatabase) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value { try reader.read(body) }

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
