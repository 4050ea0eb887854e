// SPDX-License-Identifier: Apache-2.0
import Database
public import FoundationEssentials
import Storage

/// Makes a second library of the same content in another folder, while the first one is in use.
public struct LibraryBackup: Sendable {
  /// Whether files get a second name where that is possible, instead of being copied.
  ///
  /// A second name costs no space. It protects from deletion and from a damaged database, and not
  /// from a damaged disk.
  public var sharesFiles = true
  /// Whether every file of the backup is read and hashed afterwards.
  public var isVerifiedDeeply = false

  /// Makes a backup that shares files.
  public init() {}

  /// Rounds in which files are taken while others may remove them; the next one keeps them away.
  private static let freeRounds = 3

  /// Writes the backup of a library to a folder that is new or empty.
  ///
  /// - Returns: What a check of the backup found; it was made in any case.
  /// - Throws: `LibraryError`; the folder holds no database then.
  public func run(
    of library: PhotoLibrary, to url: URL
  ) throws(LibraryError) -> LibraryReport {
    let source = library.layout
    let target = LibraryLayout(at: url)
    try LibraryFolder.makeFolders(target)
    let unfinished = target.unfinishedDatabase
    for round in 0...Self.freeRounds {
      if round < Self.freeRounds {
        try snapshot(source, unfinished)
        if try take(source, target, unfinished) { break }
      } else {
        // Somebody changes much: nobody does now.
        try library.holdingWriters { () throws(LibraryError) in
          try snapshot(source, unfinished)
          _ = try take(source, target, unfinished)
        }
      }
    }
    try finish(source, target, unfinished)
    var check = LibraryCheck()
    check.isDeep = isVerifiedDeeply
    return try check.run(target)
  }

  /// Copies the database as of one commit; the statement is `VACUUM INTO`.
  private func snapshot(
    _ source: LibraryLayout, _ path: String
  ) throws(LibraryError) {
    try LibraryFolder.makeDatabaseFile(path)
    let connection = try LibraryFolder.reader(source, patience: 5)
    try LibraryDatabase(connection: connection).run("VACUUM INTO ?", [.text(path)])
  }

  // MARK: Files

  /// Takes the files that a snapshot needs; false when one was removed meanwhile.
  private func take(
    _ source: LibraryLayout, _ target: LibraryLayout, _ snapshot: String
  ) throws(LibraryError) -> Bool {
    let database = try LibraryDatabase(snapshot, .readOnly)
    let files = try database.all(
      "SELECT file FROM resource UNION SELECT file FROM journalFile ORDER BY file"
    ) { $0.text(0) }
    var isComplete = true
    for file in files where LibraryLayout.isFileOfAsset(file) {
      let place = target.path(file)
      if FileSystem.isThere(place) { continue }
      do throws(FileError) {
        let folder = FileSystem.folder(of: place)
        try FileSystem.makeFolder(FileSystem.folder(of: folder))
        try FileSystem.makeFolder(folder)
        if sharesFiles {
          try FileSystem.duplicate(source.path(file), to: place)
        } else {
          try FileSystem.copy(source.path(file), to: place)
        }
      } catch {
        // Gone from the library for good, or superseded a moment ago; the next round tells.
        guard error.kind == .missing else { throw LibraryError(error) }
        isComplete = false
      }
    }
    return isComplete
  }

  /// Gives the database its name when everything beside it is durable.
  private func finish(
    _ source: LibraryLayout, _ target: LibraryLayout, _ unfinished: String
  ) throws(LibraryError) {
    // A database that is open must keep its name, so that all of this is done before.
    try settle(target, unfinished)
    do throws(FileError) {
      if FileSystem.isThere(source.policy), !FileSystem.isThere(target.policy) {
        try FileSystem.copy(source.policy, to: target.policy)
      }
      try FileSystem.syncFileSystem(of: target.root)
      try LibraryFolder.publish(unfinished, in: target)
    } catch {
      throw LibraryError(error)
    }
  }

  private func settle(_ target: LibraryLayout, _ unfinished: String) throws(LibraryError) {
    let database = try LibraryDatabase(unfinished, .readWrite)
    try removeSurplus(target, database)
    let path = target.database
    // Files given up by the library were not taken, and manifests are those of the snapshot.
    try database.connection.transaction(
      isWriting: true, wrap: { LibraryError($0, path: path) }
    ) { () throws(LibraryError) in
      try database.run("DELETE FROM leftover")
      let writer = ManifestWriter(layout: target, database: database)
      for row in try database.all("SELECT id FROM asset WHERE state < 2", [], { $0.int(0) }) {
        try writer.write(.init(objectClass: .asset, row: row))
      }
      for row in try database.all("SELECT id FROM collection WHERE state = 0", [], { $0.int(0) }) {
        try writer.write(.init(objectClass: .assetCollection, row: row))
      }
      try database.run("DELETE FROM staleManifest")
    }
    _ = try database.all("PRAGMA journal_mode = WAL") { $0.text(0) }
  }

  /// Removes what an earlier round took and the last snapshot does not need.
  private func removeSurplus(
    _ target: LibraryLayout, _ database: LibraryDatabase
  ) throws(LibraryError) {
    do throws(FileError) {
      for prefix in try FileSystem.names(in: target.assets) {
        for folder in try FileSystem.names(in: target.assets + "/" + prefix) {
          let relative = "assets/\(prefix)/\(folder)"
          for name in try FileSystem.names(in: target.path(relative)) {
            let isNeeded: Bool
            do throws(LibraryError) {
              isNeeded = try database.refers(to: relative + "/" + name)
            } catch {
              isNeeded = true
            }
            if !isNeeded { try FileSystem.remove(target.path(relative + "/" + name)) }
          }
          FileSystem.removeFolderIfEmpty(target.path(relative))
        }
      }
    } catch {
      throw LibraryError(error)
    }
  }
}

extension PhotoLibrary {
  /// Runs a body while no program can commit.
  func holdingWriters(_ body: () throws(LibraryError) -> Void) throws(LibraryError) {
    let writer = try openWriter()
    guard !writer.isCurrent else { throw .nestedBlock }
    let path = layout.database
    try writer.sync { connection throws(LibraryError) in
      try connection.transaction(isWriting: true, wrap: { LibraryError($0, path: path) }, body)
    }
  }
}
