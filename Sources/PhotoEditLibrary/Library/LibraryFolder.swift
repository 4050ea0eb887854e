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
  static func check(_ layout: LibraryLayout, patience: Double) throws(LibraryError) {
    guard FileSystem.isThere(layout.database) else { throw .noLibrary(layout.root) }
    let state: SchemaState
    do throws(DatabaseError) {
      let connection = try Connection(layout.database, .readOnly, patience: patience)
      state = try LibrarySchema.migrations.state(of: connection)
    } catch {
      throw LibraryError(error, path: layout.database)
    }
    switch state {
    case .current: return
    case .newer(let version):
      throw .newerLibrary(
        layout.root, version: version, known: LibrarySchema.migrations.steps.count)
    case .empty: throw .foreignDatabase(layout.database, "it is empty")
    case .foreign(let reason): throw .foreignDatabase(layout.database, reason)
    case .older:
      do throws(DatabaseError) {
        let connection = try Connection(layout.database, .readWrite, patience: patience)
        try LibrarySchema.migrations.apply(to: connection)
      } catch {
        throw LibraryError(error, path: layout.database)
      }
    }
  }
}
