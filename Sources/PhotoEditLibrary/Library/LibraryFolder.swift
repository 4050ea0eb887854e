// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// Creates, checks and migrates the folder of a library before it is opened.
enum LibraryFolder {
  /// Creates the folders and the database of an empty library.
  ///
  /// `library.db` is always complete: if the process is killed before the end, there is no library,
  /// and the next call uses the remains.
  static func create(_ layout: LibraryLayout) throws(LibraryError) {
    try makeFolders(layout)
    // Two processes may do this at the same time; the first one to rename its file succeeds.
    let unfinished = layout.unfinishedDatabase + "-" + UUID().uuidString
    do throws(LibraryError) {
      try makeDatabase(unfinished)
      do throws(FileError) { try publish(unfinished, in: layout) } catch {
        throw error.kind == .exists ? .libraryExists(layout.root) : LibraryError(error)
      }
    } catch {
      // The original error is thrown; a leftover file does not prevent creating a library.
      do throws(FileError) { try FileSystem.remove(unfinished) } catch {}
      throw error
    }
  }

  /// Creates the folders of a library in a folder that is new, or empty except for leftovers.
  ///
  /// - Parameter continuesBackup: Whether the files of an interrupted backup are leftovers too.
  static func makeFolders(
    _ layout: LibraryLayout, continuesBackup: Bool = false
  ) throws(LibraryError) {
    try translating({ LibraryError.cannotCreate(layout.root, $0) }) { () throws(FileError) in
      if FileSystem.itemExists(layout.root) {
        let isBackup = continuesBackup && FileSystem.itemExists(layout.unfinishedDatabase)
        guard FileSystem.isFolder(layout.root), try isUnused(layout, mayHoldFiles: isBackup) else {
          throw FileError(.exists, path: layout.root, reason: "not empty")
        }
      } else {
        try FileSystem.createFolder(layout.root)
      }
      // The folder may be that of a creation that was killed before this.
      try FileSystem.syncFolder(FileSystem.folder(of: layout.root))
      for folder in LibraryLayout.folders { try FileSystem.createFolder(layout.path(folder)) }
    }
  }

  /// Returns whether a folder is empty except for the leftovers of an interrupted creation.
  private static func isUnused(
    _ layout: LibraryLayout, mayHoldFiles: Bool
  ) throws(FileError) -> Bool {
    for name in try FileSystem.names(in: layout.root) where !isUnfinished(name) {
      let path = layout.path(name)
      if mayHoldFiles, path == layout.policy { continue }
      guard LibraryLayout.folders.contains(name), FileSystem.isFolderAndNoLink(path) else {
        return false
      }
      if !mayHoldFiles, try !FileSystem.names(in: path).isEmpty { return false }
    }
    return true
  }

  private static func isUnfinished(_ name: String) -> Bool {
    name.hasPrefix(LibraryLayout.unfinishedDatabaseName)
  }

  /// Creates the database of an empty library at a temporary path.
  @discardableResult
  static func makeDatabase(_ path: String) throws(LibraryError) -> LibraryDatabase {
    try makeDatabaseFile(path)
    return try translating({ LibraryError($0, path: path) }) { () throws(DatabaseError) in
      let connection = try Connection(path, .create)
      try connection.execute("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL")
      try LibrarySchema.migrations.apply(to: connection)
      try connection.run(
        "INSERT INTO property (key, value) VALUES ('identifier', ?)",
        [.text(UUID().uuidString)])
      try connection.run(SearchTables.noteForm, [.text(SearchTables.form)])
      try connection.run(MaintenanceProgress.noteProtection, [.text("all")])
      try connection.run(MaintenanceProgress.noteNoErasure)
      return LibraryDatabase(connection: connection)
    }
  }

  /// Creates an empty database file that only its owner may read; SQLite would make it readable by
  /// everyone.
  static func makeDatabaseFile(_ path: String) throws(LibraryError) {
    for suffix in LibraryLayout.databaseSuffixes { try inFiles(FileSystem.remove(path + suffix)) }
    _ = try inFiles(OpenFile(creating: path))
  }

  /// Renames a complete, closed database into place and syncs the folder.
  ///
  /// - Throws: `FileError`; also if closing it could not checkpoint its log, which SQLite indicates
  ///   only by leaving the log in place.
  static func publish(_ unfinished: String, in layout: LibraryLayout) throws(FileError) {
    guard !FileSystem.itemExists(unfinished + "-wal") else {
      throw FileError(.io, path: unfinished, reason: "the database could not be written completely")
    }
    try OpenFile(reading: unfinished).sync()
    try FileSystem.renameExclusively(unfinished, to: layout.database)
    for name in try FileSystem.names(in: layout.root) where isUnfinished(name) {
      try FileSystem.remove(layout.path(name))
    }
    try FileSystem.syncFolder(layout.root)
  }

  /// Checks that there is a library that this version supports, and migrates an older one.
  ///
  /// The check does not change anything: a library that is rejected keeps every byte and gets no
  /// new file.
  ///
  /// - Returns: The migration; nil if none was needed.
  static func check(
    _ layout: LibraryLayout, busyTimeout: Double, at date: Date
  ) throws(LibraryError) -> LibraryMigration? {
    guard FileSystem.itemExists(layout.database) else { throw .noDatabase(layout) }
    if let name = NetworkFileSystem.name(of: layout.root) {
      throw .networkFileSystem(layout.root, name)
    }
    return try migrate(layout, busyTimeout: busyTimeout, at: date)
  }

  /// Checks that this version may use the library, without changing anything.
  ///
  /// A database is untrusted until its path, header and schema have been checked; nothing is opened
  /// for writing before then.
  ///
  /// - Returns: `current` or `older`.
  /// - Throws: `LibraryError`; with `isDamage` for a database that a repair sets aside.
  @discardableResult
  static func inspect(
    _ layout: LibraryLayout, busyTimeout: Double = 5
  ) throws(LibraryError) -> SchemaState {
    try checkFiles(layout)
    let state: SchemaState
    do throws(DatabaseError) {
      let connection = try lookingConnection(layout, busyTimeout)
      // Bytes 18 and 19 are the journal mode of the file: 2 is write-ahead logging.
      let header = try connection.header()
      state = try LibrarySchema.migrations.state(of: connection)
      guard state == .empty || header[18...19] == [2, 2] else {
        throw DatabaseError(.corrupt, "it does not use write-ahead logging")
      }
    } catch {
      // The statements are valid, so an SQL error means that the file is damaged.
      throw error.code.primary == .error
        ? .damagedDatabase(layout.database, error.message)
        : LibraryError(error, path: layout.database)
    }
    switch state {
    case .current, .older: return state
    case .newer(let version):
      throw .newerLibrary(
        layout.root, version: version, known: LibrarySchema.migrations.steps.count)
    case .empty: throw .damagedDatabase(layout.database, "the database is empty")
    case .otherApplication(let reason): throw .notALibraryDatabase(layout.database, reason)
    case .damaged(let reason): throw .damagedDatabase(layout.database, reason)
    }
  }

  /// Checks that the database and its log are regular files that belong only to the library.
  private static func checkFiles(_ layout: LibraryLayout) throws(LibraryError) {
    for suffix in LibraryLayout.databaseSuffixes {
      let path = layout.database + suffix
      let entry = try inFiles(FileSystem.entry(at: path))
      let name = FileSystem.lastName(of: path)
      guard let entry else { continue }
      guard suffix != LibraryLayout.journalSuffix else {
        throw .damagedDatabase(
          path, "unexpected rollback journal \(name); it was not used")
      }
      guard entry == .file else {
        throw .damagedDatabase(path, "\(name) is not a regular file; it was not opened")
      }
      // A log that is hard-linked elsewhere would be overwritten there as well.
      guard suffix.isEmpty || FileVersion(path).map({ $0.names == 1 }) ?? true else {
        throw .damagedDatabase(path, "\(name) has another hard link; it was not opened")
      }
    }
  }

  /// Opens a connection for checking a database without creating files next to it.
  ///
  /// Without a write-ahead log no process has it open, so it can be read as immutable.
  private static func lookingConnection(
    _ layout: LibraryLayout, _ busyTimeout: Double
  ) throws(DatabaseError) -> Connection {
    FileSystem.itemExists(layout.database + "-wal")
      ? try Connection.reading(layout.database, busyTimeout: busyTimeout)
      : try Connection(layout.database, .immutable, busyTimeout: busyTimeout)
  }

  /// Opens a read-only connection.
  ///
  /// In a read-only folder readers and writers cannot share memory, but there is no writer either.
  static func reader(
    _ layout: LibraryLayout, busyTimeout: Double
  ) throws(LibraryError) -> Connection {
    try translating(
      { LibraryError($0 as DatabaseError, path: layout.database) },
      connection(layout, busyTimeout))
  }

  /// Opens a read-only connection of a pool; see `reader(_:busyTimeout:)`.
  static func connection(
    _ layout: LibraryLayout, _ busyTimeout: Double
  ) throws(DatabaseError) -> Connection {
    LibraryAccess.permits(layout, writing: true)
      ? try Connection.reading(layout.database, busyTimeout: busyTimeout)
      : try lookingConnection(layout, busyTimeout)
  }
}
