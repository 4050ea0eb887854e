// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// Copies a library to another folder while it is in use.
public struct LibraryBackup: Sendable {
  /// Indicates whether files are hard-linked if possible instead of copied.
  ///
  /// A hard link uses no additional space. It protects against deletion and a damaged database, but
  /// not against a damaged disk.
  public var sharesFiles = true
  /// Indicates whether every file of the backup is read and hashed afterwards.
  public var isVerifiedDeeply = false

  /// Creates a backup that shares files.
  public init() {}

  /// The number of attempts without blocking writers; the following attempt blocks them.
  private static let freeRounds = 3

  /// Writes the backup of a library to a new or empty folder, or to that of a backup that was
  /// killed.
  ///
  /// - Returns: The result of checking the backup, which exists even if problems were found.
  /// - Throws: `LibraryError`; the written files are removed then, so that a retry is possible.
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
    report.findings += (missing + LibraryLayout.auxiliaryFiles).compactMap {
      check.link(at: $0, library.layout)
    }
    return report
  }

  private func make(_ library: PhotoLibrary, _ files: BackupFiles) throws(LibraryError) {
    let (source, target) = (library.layout, files.target)
    try LibraryFolder.makeFolders(target, continuesBackup: true)
    files.hasStarted = true
    let unfinished = target.unfinishedDatabase
    // The log of a backup that was killed does not belong to a new copy.
    try translating(LibraryError.init) { () throws(FileError) in
      for path in files.unfinishedFiles { try FileSystem.remove(path) }
    }
    for round in 0...Self.freeRounds {
      if round < Self.freeRounds {
        try LibraryFolder.copyDatabase(source, to: unfinished)
        if try copySnapshot(source, files, unfinished) { break }
      } else {
        // Other processes write frequently, so they are blocked for the last attempt.
        try library.holdingWriters { () throws(LibraryError) in
          try LibraryFolder.copyDatabase(source, to: unfinished)
          _ = try copySnapshot(source, files, unfinished)
        }
      }
    }
    try finish(source, files, unfinished)
  }

  // MARK: Files

  /// Copies or links the files of a snapshot; returns false if one was removed meanwhile.
  private func copySnapshot(
    _ source: LibraryLayout, _ backup: BackupFiles, _ snapshot: String
  ) throws(LibraryError) -> Bool {
    let target = backup.target
    let database = try LibraryDatabase(snapshot, .readOnly)
    let files = try database.all(
      "SELECT file FROM resource UNION SELECT file FROM journalFile ORDER BY file"
    ) { $0.text(0) }
    var isComplete = true
    for file in files where LibraryLayout.isFileOfAsset(file) {
      let destination = target.path(file)
      if backup.contains(file) { continue }
      do throws(FileError) {
        // A backup that was killed may have left a part of the file.
        try FileSystem.remove(destination)
        try backup.createFolder(of: file)
        let original = try source.path(of: file)
        if sharesFiles {
          try FileSystem.duplicate(original, to: destination)
        } else {
          try FileSystem.copy(original, to: destination, followsLinks: false)
          // Exports from the backup use these permissions.
          FileSystem.share(destination, like: original)
          FileSystem.makeReadOnly(destination)
          // A later time would make the check read the file.
          if let version = FileVersion(original) {
            FileSystem.setModificationTime(of: destination, to: version.modificationTime)
          }
        }
        backup.add(file)
      } catch {
        // The file was deleted or superseded meanwhile; the next attempt detects which.
        guard error.kind == .missing else { throw LibraryError(error) }
        isComplete = false
      }
    }
    return isComplete
  }

  /// Renames the database into place after all other files are synced.
  private func finish(
    _ source: LibraryLayout, _ files: BackupFiles, _ unfinished: String
  ) throws(LibraryError) {
    let target = files.target
    // An open database must not be renamed, so this comes first.
    try finalize(files, unfinished)
    do throws(FileError) {
      try FileSystem.remove(target.policy)
      if FileSystem.isFileAndNoLink(source.policy) {
        try FileSystem.copy(source.policy, to: target.policy, followsLinks: false)
        files.add(FileSystem.lastName(of: target.policy))
      }
      try FileSystem.syncFileSystem(of: target.root)
      try LibraryFolder.publish(unfinished, in: target)
    } catch {
      files.hasNamedDatabase = error.kind != .exists && !FileSystem.itemExists(unfinished)
      throw LibraryError(error)
    }
  }

  private func finalize(_ files: BackupFiles, _ unfinished: String) throws(LibraryError) {
    let target = files.target
    let database = try LibraryDatabase(unfinished, .readWrite)
    try removeSurplus(target, database)
    let path = target.database
    // Superseded files were not copied, and the manifests must match the snapshot.
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
    // The erasure of a purge may not have begun when the snapshot was made.
    try LibraryMaintenance(layout: target, database: database).erase()
  }

  /// Removes files of earlier attempts that the last snapshot does not need.
  private func removeSurplus(
    _ target: LibraryLayout, _ database: LibraryDatabase
  ) throws(LibraryError) {
    try translating(LibraryError.init) { () throws(FileError) in
      for prefix in try FileSystem.names(in: target.assets) {
        for folder in try FileSystem.names(in: target.assets + "/" + prefix) {
          let relative = "assets/\(prefix)/\(folder)"
          for name in try FileSystem.names(in: target.path(relative)) {
            let isNeeded = (try? database.refers(to: relative + "/" + name)) ?? true
            if !isNeeded { try FileSystem.remove(target.path(relative + "/" + name)) }
          }
          FileSystem.removeFolderIfEmpty(target.path(relative))
        }
      }
    }
  }
}

extension PhotoLibrary {
  /// Runs a body while no process can commit.
  func holdingWriters(_ body: () throws(LibraryError) -> Void) throws(LibraryError) {
    let writer = try openWriter()
    guard !writer.isCurrent else { throw .nestedBlock }
    try writer.sync { connection throws(LibraryError) in
      try LibraryDatabase(connection: connection).transaction(body)
    }
  }
}

/// The files that a backup has written into a new or empty folder, for removal after a failure.
final class BackupFiles {
  let target: LibraryLayout
  /// Indicates whether the folder was found suitable and belongs to this backup.
  var hasStarted = false
  /// Indicates whether the database was renamed into place although the backup failed afterwards.
  var hasNamedDatabase = false
  private let hadRoot: Bool
  private var files: Set<PathKey> = []
  private var folders = Set(LibraryLayout.folders)

  /// The paths of the database under its temporary name, and of its log.
  var unfinishedFiles: [String] {
    ["", "-journal", "-wal", "-shm"].map { target.unfinishedDatabase + $0 }
  }

  init(_ target: LibraryLayout) {
    self.target = target
    hadRoot = FileSystem.itemExists(target.root)
  }

  /// Creates the folder of an asset's file, and its parent folder.
  func createFolder(of file: String) throws(FileError) {
    addFolders(of: file)
    try target.createFolder(FileSystem.folder(of: file))
  }

  /// Returns whether a file was written.
  func contains(_ file: String) -> Bool { files.contains(PathKey(file)) }

  /// Records a file that was written, relative to the library.
  func add(_ file: String?) {
    guard let file else { return }
    addFolders(of: file)
    files.insert(PathKey(file))
  }

  private func addFolders(of file: String) {
    var folder = FileSystem.folder(of: file)
    while folder != ".", folders.insert(folder).inserted { folder = FileSystem.folder(of: folder) }
  }

  /// Removes the written files and the folders that are empty afterwards; nothing else.
  func remove() {
    guard hasStarted else { return }
    // The database is removed first, so that it never exists without its files.
    var paths = hasNamedDatabase ? [target.database] : []
    paths += unfinishedFiles
    paths += files.map { target.path($0.path) }
    for path in paths {
      // A failure to remove a file is ignored; the original error is more important.
      do throws(FileError) { try FileSystem.remove(path) } catch {}
    }
    // A manifest that could not be written may have left its folder.
    for folder in LibraryLayout.folders {
      for name in (try? FileSystem.names(in: target.path(folder))) ?? [] {
        folders.insert("\(folder)/\(name)")
      }
    }
    // Nested folders come first.
    for folder in folders.sorted().reversed() {
      FileSystem.removeFolderIfEmpty(target.path(folder))
    }
    if !hadRoot { FileSystem.removeFolderIfEmpty(target.root) }
  }
}
