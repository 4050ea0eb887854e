// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The files that a backup has written into a new or empty folder, for removal after a failure.
final class BackupFiles {
  let target: LibraryLayout
  /// Indicates whether the folder was found suitable and belongs to this backup.
  var hasStarted = false
  /// Indicates whether the database was renamed into place although the backup failed afterwards.
  var hasNamedDatabase = false
  private let hadRoot: Bool
  /// The files, relative to the library.
  private var files: [String] = []
  /// The folders, relative to the library.
  private var folders = Set(LibraryLayout.folders)

  init(_ target: LibraryLayout) {
    self.target = target
    hadRoot = FileSystem.itemExists(target.root)
  }

  /// Creates the folder of an asset's file, and its parent folder.
  func createFolder(of file: String) throws(FileError) {
    addFolders(of: file)
    try target.createFolder(FileSystem.folder(of: file))
  }

  /// Records a file that was written, relative to the library.
  func add(_ file: String?) {
    guard let file else { return }
    addFolders(of: file)
    files.append(file)
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
    paths += ["", "-journal", "-wal", "-shm"].map { target.unfinishedDatabase + $0 }
    paths += files.map { target.path($0) }
    for path in paths {
      // A failure to remove a file is ignored; the original error is more important.
      do throws(FileError) { try FileSystem.remove(path) } catch {}
    }
    // Nested folders come first.
    for folder in folders.sorted().reversed() {
      FileSystem.removeFolderIfEmpty(target.path(folder))
    }
    if !hadRoot { FileSystem.removeFolderIfEmpty(target.root) }
  }
}
