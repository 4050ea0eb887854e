// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

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
  /// - Throws: `LibraryError`; what was written is removed again then, so that the same backup can
  ///   be repeated.
  public func run(
    of library: PhotoLibrary, to url: URL
  ) throws(LibraryError) -> LibraryReport {
    let target = LibraryLayout(at: url)
    let files = BackupFiles(target)
    do throws(LibraryError) {
      try make(library, files)
    } catch {
      files.remove()
      throw error
    }
    var check = LibraryCheck()
    check.isDeep = isVerifiedDeeply
    var report = try check.run(target)
    let missing = report.findings.compactMap { $0.kind == .missingFile ? $0.file : nil }
    report.findings += (missing + LibraryLayout.filesBeside).compactMap {
      check.link(at: $0, library.layout)
    }
    return report
  }

  private func make(_ library: PhotoLibrary, _ files: BackupFiles) throws(LibraryError) {
    let (source, target) = (library.layout, files.target)
    try LibraryFolder.makeFolders(target)
    files.isBegun = true
    let unfinished = target.unfinishedDatabase
    for round in 0...Self.freeRounds {
      if round < Self.freeRounds {
        try LibraryFolder.copyDatabase(source, to: unfinished)
        if try take(source, files, unfinished) { break }
      } else {
        // Somebody changes much: nobody does now.
        try library.holdingWriters { () throws(LibraryError) in
          try LibraryFolder.copyDatabase(source, to: unfinished)
          _ = try take(source, files, unfinished)
        }
      }
    }
    try finish(source, files, unfinished)
  }

  // MARK: Files

  /// Takes the files that a snapshot needs; false when one was removed meanwhile.
  private func take(
    _ source: LibraryLayout, _ backup: BackupFiles, _ snapshot: String
  ) throws(LibraryError) -> Bool {
    let target = backup.target
    let database = try LibraryDatabase(snapshot, .readOnly)
    let files = try database.all(
      "SELECT file FROM resource UNION SELECT file FROM journalFile ORDER BY file"
    ) { $0.text(0) }
    var isComplete = true
    for file in files where LibraryLayout.isFileOfAsset(file) {
      let place = target.path(file)
      if FileSystem.isThere(place) { continue }
      do throws(FileError) {
        try backup.makeFolder(of: file)
        let original = try source.place(of: file)
        if sharesFiles {
          try FileSystem.duplicate(original, to: place)
        } else {
          try FileSystem.copy(original, to: place, followsLinks: false)
          // Who may read an export of the backup is known from it.
          FileSystem.share(place, like: original)
        }
        backup.add(file)
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
    _ source: LibraryLayout, _ files: BackupFiles, _ unfinished: String
  ) throws(LibraryError) {
    let target = files.target
    // A database that is open must keep its name, so that all of this is done before.
    try settle(files, unfinished)
    do throws(FileError) {
      if FileSystem.isFileAndNoLink(source.policy), !FileSystem.isThere(target.policy) {
        try FileSystem.copy(source.policy, to: target.policy, followsLinks: false)
        files.add(FileSystem.lastName(of: target.policy))
      }
      try FileSystem.syncFileSystem(of: target.root)
      try LibraryFolder.publish(unfinished, in: target)
    } catch {
      files.hasNamedDatabase = error.kind != .exists && !FileSystem.isThere(unfinished)
      throw LibraryError(error)
    }
  }

  private func settle(_ files: BackupFiles, _ unfinished: String) throws(LibraryError) {
    let target = files.target
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
        files.add(try writer.write(.init(objectClass: .asset, row: row)))
      }
      for row in try database.all("SELECT id FROM collection WHERE state = 0", [], { $0.int(0) }) {
        files.add(try writer.write(.init(objectClass: .assetCollection, row: row)))
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
