// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// A library of photos and videos: a folder with a database and the files of the assets.
///
/// A library object can be used from any thread, and several processes may have the same library
/// open. Reading never blocks. Changes are made in blocks, one after the other; see
/// `performChanges(_:)`.
public final class PhotoLibrary: Sendable {
  /// The settings of a library for this program.
  public typealias Configuration = LibraryConfiguration

  /// The reader of the library, for objects that only read and may outlive the library object.
  let reader: LibraryReader
  /// The migration of an older database when the library was opened; nil if none was needed.
  public let migration: LibraryMigration?
  private let writer: LockedValue<DatabaseQueue?>
  let maintenanceSchedule = MaintenanceSchedule()
  let feed = ChangeFeed()

  /// The unique identifier of the library; a UUID.
  public var identifier: String { reader.identifier }

  /// The folder of the library, with symbolic links resolved.
  public var url: URL { URL(filePath: layout.root) }

  /// Opens a library.
  ///
  /// A library of an older version is migrated after its database was copied and the copy was
  /// verified; see `migration`. One of a newer version is rejected and not changed.
  ///
  /// - Throws: `LibraryError`.
  public convenience init(
    at url: URL, configuration: Configuration = Configuration()
  ) throws(LibraryError) {
    try self.init(LibraryLayout(at: url), configuration)
  }

  /// Creates an empty library in a folder that is new or empty, and opens it.
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
      layout, busyTimeout: configuration.busyTimeout, at: configuration.clock())
    reader = try LibraryReader(layout, configuration)
    writer = LockedValue(nil)
    reader.updateSearchForm()
  }

  // MARK: Reading

  var configuration: Configuration { reader.configuration }
  var layout: LibraryLayout { reader.layout }
  var access: LibraryAccess { reader.access }

  /// Runs a closure in one read transaction; it sees the library as of one commit.
  func read<Value>(
    _ body: (LibraryDatabase) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value { try reader.read(body) }

  // MARK: Writing

  var openedWriter: DatabaseQueue? { writer.withLock { $0 } }

  /// Returns the only writer, opened on first use.
  func openWriter() throws(LibraryError) -> DatabaseQueue {
    let (path, busyTimeout, layout) = (layout.database, configuration.busyTimeout, layout)
    let result: Result<DatabaseQueue, LibraryError> = writer.withLock { writer in
      if let writer { return .success(writer) }
      guard LibraryAccess.permits(layout, writing: true) else {
        return .failure(.readOnly(layout.root))
      }
      do throws(DatabaseError) {
        let connection = try Connection(path, .readWrite, busyTimeout: busyTimeout)
        try connection.execute(
          """
          PRAGMA synchronous = FULL;
          PRAGMA secure_delete = FAST;
          PRAGMA cache_size = -64000;
          PRAGMA temp_store = MEMORY
          """)
        Self.cleanUp(layout, connection, historyRetention: configuration.historyRetention)
        let queue = DatabaseQueue(connection, label: "org.photoedit.library")
        writer = queue
        return .success(queue)
      } catch {
        return .failure(LibraryError(error, path: path))
      }
    }
    return try result.get()
  }

  /// The environment variable with the path of this user's library.
  public static let folderVariable = "PHOTOEDIT_LIBRARY"

  private struct Weak: Sendable {
    weak let library: PhotoLibrary?
  }

  private static let open = LockedValue<[String: Weak]>([:])

  /// Returns the library in a folder, the same object for all callers in this process.
  ///
  /// Two paths to the same folder return the same library. The object is released with its last
  /// reference.
  public static func shared(at url: URL) throws(LibraryError) -> PhotoLibrary {
    let path: String
    do throws(FileError) { path = try FileSystem.resolved(url.path) } catch {
      throw error.kind == .missing ? .noLibrary(url.path) : LibraryError(error)
    }
    let result: Result<PhotoLibrary, LibraryError> = open.withLock { open in
      if let known = open[path]?.library { return .success(known) }
      do throws(LibraryError) {
        let library = try PhotoLibrary(at: URL(filePath: path))
        open = open.filter { $0.value.library != nil }
        open[path] = Weak(library: library)
        return .success(library)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Returns the library at the path in the environment variable `PHOTOEDIT_LIBRARY`.
  ///
  /// - Throws: `LibraryError` with `missingResource` if the variable is not set.
  public static func shared() throws(LibraryError) -> PhotoLibrary {
    guard let folder = ProcessInfo.processInfo.environment[folderVariable], !folder.isEmpty else {
      throw LibraryError(
        .missingResource, "\(folderVariable) is not set to a library",
        hint: "set it to a library folder, or use shared(at:)")
    }
    return try shared(at: URL(filePath: folder))
  }
}
