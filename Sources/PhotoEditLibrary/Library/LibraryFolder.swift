// SPDX-License-Identifier: Apache-2.0
import Database
import FoundationEssentials
import Storage

/// The folder of a library before it is open: made, checked, brought up to date.
enum LibraryFolder {
  /// Makes the folders and the database of an empty library.
  static func create(_ layout: LibraryLayout) throws(LibraryError) {
    do throws(FileError) {
      if FileSystem.isThere(layout.root) {
        guard FileSystem.isFolder(layout.root), try FileSystem.names(in: layout.root).isEmpty else {
          throw FileError(.exists, path: layout.root, reason: "not empty")
        }
      } else {
        try FileSystem.makeFolder(layout.root)
      }
      for folder in [layout.assets, layout.collections, layout.staging] {
        try FileSystem.makeFolder(folder)
      }
    } catch {
      throw error.kind == .exists ? .libraryExists(layout.root) : LibraryError(error)
    }
    do throws(DatabaseError) {
      let connection = try Connection(layout.database, .create)
      try connection.execute("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL")
      try LibrarySchema.migrations.apply(to: connection)
      try connection.run(
        "INSERT INTO property (key, value) VALUES ('identifier', ?)",
        [.text(UUID().uuidString)])
    } catch {
      throw LibraryError(error, path: layout.database)
    }
    do throws(FileError) { try FileSystem.syncFolder(layout.root) } catch {
      throw LibraryError(error)
    }
  }

  /// Makes sure that there is a library that this version may use.
  ///
  /// Looking leaves no trace: one that is refused keeps every byte, and gets no file beside it.
  static func check(_ layout: LibraryLayout, patience: Double) throws(LibraryError) {
    guard FileSystem.isThere(layout.database) else { throw .noLibrary(layout.root) }
    if let name = NetworkFileSystem.name(of: layout.root) {
      throw .networkFileSystem(layout.root, name)
    }
    guard case .older = try look(layout, patience: patience) else { return }
    guard LibraryAccess.permits(layout, writing: true) else { throw .readOnly(layout.root) }
    do throws(DatabaseError) {
      let connection = try Connection(layout.database, .readWrite, patience: patience)
      try LibrarySchema.migrations.apply(to: connection)
    } catch {
      throw LibraryError(error, path: layout.database)
    }
  }

  /// Refuses what this version must not touch, without a trace.
  @discardableResult
  static func look(
    _ layout: LibraryLayout, patience: Double = 5
  ) throws(LibraryError) -> SchemaState {
    let state: SchemaState
    do throws(DatabaseError) {
      let connection = try Connection(layout.database, lookingMode(layout), patience: patience)
      state = try LibrarySchema.migrations.state(of: connection)
    } catch {
      throw LibraryError(error, path: layout.database)
    }
    switch state {
    case .current, .older: return state
    case .newer(let version):
      throw .newerLibrary(
        layout.root, version: version, known: LibrarySchema.migrations.steps.count)
    case .empty: throw .foreignDatabase(layout.database, "it is empty")
    case .foreign(let reason): throw .foreignDatabase(layout.database, reason)
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
