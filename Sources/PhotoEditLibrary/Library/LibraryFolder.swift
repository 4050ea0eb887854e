// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// The folder of a library before it is open: made, checked, brought up to date.
enum LibraryFolder {
  /// Makes the folders and the database of an empty library.
  ///
  /// What is called library.db is always whole: a program that is killed on the way leaves no library,
  /// and the next one makes one of what it left.
  static func create(_ layout: LibraryLayout) throws(LibraryError) {
    try makeFolders(layout)
    // Two programs may do this at once; the one that is first gets the name.
    let unfinished = layout.unfinishedDatabase + "-" + UUID().uuidString
    do throws(LibraryError) {
      try makeDatabase(unfinished)
      do throws(FileError) { try publish(unfinished, in: layout) } catch {
        throw error.kind == .exists ? .libraryExists(layout.root) : LibraryError(error)
      }
    } catch {
      // The error counts; what cannot be removed does not keep anybody from making a library.
      do throws(FileError) { try FileSystem.remove(unfinished) } catch {}
      throw error
    }
  }

  /// Makes the folders of a library in a folder that is new, or empty but for unfinished work.
  static func makeFolders(_ layout: LibraryLayout) throws(LibraryError) {
    do throws(FileError) {
      if FileSystem.isThere(layout.root) {
        guard FileSystem.isFolder(layout.root), try isUnused(layout) else {
          throw FileError(.exists, path: layout.root, reason: "not empty")
        }
      } else {
        try FileSystem.makeFolder(layout.root)
        try FileSystem.syncFolder(FileSystem.folder(of: layout.root))
      }
      for folder in LibraryLayout.folders { try FileSystem.makeFolder(layout.path(folder)) }
    } catch {
      throw .notMade(layout.root, error)
    }
  }

  /// Whether nothing is in a folder but what a program left that was killed while it made a library.
  private static func isUnused(_ layout: LibraryLayout) throws(FileError) -> Bool {
    for name in try FileSystem.names(in: layout.root) where !isUnfinished(name) {
      let path = layout.path(name)
      guard LibraryLayout.folders.contains(name), FileSystem.isFolderAndNoLink(path),
        try FileSystem.names(in: path).isEmpty
      else { return false }
    }
    return true
  }

  private static func isUnfinished(_ name: String) -> Bool {
    name.hasPrefix(LibraryLayout.unfinishedDatabaseName)
  }

  /// Makes the database of an empty library, which has a name of its own.
  @discardableResult
  static func makeDatabase(_ path: String) throws(LibraryError) -> LibraryDatabase {
    try makeDatabaseFile(path)
    do throws(DatabaseError) {
      let connection = try Connection(path, .create)
      try connection.execute("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL")
      try LibrarySchema.migrations.apply(to: connection)
      try connection.run(
        "INSERT INTO property (key, value) VALUES ('identifier', ?)",
        [.text(UUID().uuidString)])
      return LibraryDatabase(connection: connection)
    } catch {
      throw LibraryError(error, path: path)
    }
  }

  /// Makes the empty file of a database, which only its owner may read; one that SQLite makes is
  /// for everybody.
  static func makeDatabaseFile(_ path: String) throws(LibraryError) {
    do throws(FileError) {
      for suffix in LibraryLayout.databaseSuffixes { try FileSystem.remove(path + suffix) }
      _ = try OpenFile(creating: path)
    } catch {
      throw LibraryError(error)
    }
  }

  /// Gives a database that is whole and that nobody has open its name, and makes that durable.
  ///
  /// - Throws: `FileError`; also when closing it could not bring its log into it, of which SQLite says
  ///   nothing but that the log is still there.
  static func publish(_ unfinished: String, in layout: LibraryLayout) throws(FileError) {
    guard !FileSystem.isThere(unfinished + "-wal") else {
      throw FileError(.io, path: unfinished, reason: "the database could not be written as a whole")
    }
    try OpenFile(reading: unfinished).sync()
    try FileSystem.renameExclusively(unfinished, to: layout.database)
    for name in try FileSystem.names(in: layout.root) where isUnfinished(name) {
      try FileSystem.remove(layout.path(name))
    }
    try FileSystem.syncFolder(layout.root)
  }

  /// Makes sure that there is a library that this version may use.
  ///
  /// Looking leaves no trace: one that is refused keeps every byte, and gets no file beside it.
  ///
  /// - Returns: What was done to bring it up to date; nil where nothing was.
  static func check(
    _ layout: LibraryLayout, patience: Double, at date: Date
  ) throws(LibraryError) -> LibraryMigration? {
    guard FileSystem.isThere(layout.database) else { throw .noDatabase(layout) }
    if let name = NetworkFileSystem.name(of: layout.root) {
      throw .networkFileSystem(layout.root, name)
    }
    return try migrate(layout, patience: patience, at: date)
  }

  /// Refuses what this version must not touch, without a trace.
  ///
  /// A database is data from a stranger until its place, its header and its schema have been looked
  /// at; nothing is opened for writing before.
  ///
  /// - Returns: `current` or `older`.
  /// - Throws: `LibraryError`; with `isDamage` for what a repair sets aside.
  @discardableResult
  static func look(
    _ layout: LibraryLayout, patience: Double = 5
  ) throws(LibraryError) -> SchemaState {
    try checkPlaces(layout)
    let state: SchemaState
    do throws(DatabaseError) {
      let connection = try Connection(layout.database, lookingMode(layout), patience: patience)
      // Bytes 18 and 19 say how others write to the file: 2 is write-ahead logging.
      let header = try connection.header()
      state = try LibrarySchema.migrations.state(of: connection)
      guard state == .empty || header[18...19] == [2, 2] else {
        throw DatabaseError(.corrupt, "it does not write ahead, as every library does")
      }
    } catch {
      // The statements are right, so that what SQLite cannot do with them is the file's fault.
      throw error.code.primary == .error
        ? .damagedDatabase(layout.database, error.message)
        : LibraryError(error, path: layout.database)
    }
    switch state {
    case .current, .older: return state
    case .newer(let version):
      throw .newerLibrary(
        layout.root, version: version, known: LibrarySchema.migrations.steps.count)
    case .empty: throw .damagedDatabase(layout.database, "it is empty")
    case .foreign(let reason): throw .foreignDatabase(layout.database, reason)
    case .damaged(let reason): throw .damagedDatabase(layout.database, reason)
    }
  }

  /// Makes sure that the database and its log are files of the library alone.
  private static func checkPlaces(_ layout: LibraryLayout) throws(LibraryError) {
    for suffix in LibraryLayout.databaseSuffixes {
      let path = layout.database + suffix
      let entry = try inFiles(FileSystem.entry(at: path))
      let name = FileSystem.lastName(of: path)
      guard let entry else { continue }
      guard suffix != LibraryLayout.journalSuffix else {
        throw .damagedDatabase(
          path, "\(name) is a rollback journal, which no library has; it was not used")
      }
      guard entry == .file else {
        throw .damagedDatabase(path, "\(name) is a symbolic link or no file; it was not opened")
      }
      // A log that is also another file would be overwritten there.
      guard suffix.isEmpty || FileVersion(path).map({ $0.names == 1 }) ?? true else {
        throw .damagedDatabase(path, "\(name) has a second name elsewhere; it was not opened")
      }
    }
  }

  /// How to look at a database without leaving files beside it.
  ///
  /// Without a journal nobody has it open, so that it can be read as it lies there.
  private static func lookingMode(_ layout: LibraryLayout) -> Connection.Mode {
    FileSystem.isThere(layout.database + "-wal") ? .readOnly : .immutable
  }

  /// Opens a connection that only reads.
  ///
  /// Where nothing can be written, readers cannot share memory with writers either, and no writer
  /// can be there.
  static func reader(
    _ layout: LibraryLayout, patience: Double
  ) throws(LibraryError) -> Connection {
    do throws(DatabaseError) {
      return try Connection(layout.database, readingMode(layout), patience: patience)
    } catch {
      throw LibraryError(error, path: layout.database)
    }
  }

  static func readingMode(_ layout: LibraryLayout) -> Connection.Mode {
    LibraryAccess.permits(layout, writing: true) ? .readOnly : lookingMode(layout)
  }
}
