// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// What a backup has written into a folder that was new or empty, for when it fails.
final class BackupFiles {
  let target: LibraryLayout
  /// Whether the folder was found fit and belongs to this backup.
  var isBegun = false
  /// Whether the database got its name, although the backup failed then.
  var hasNamedDatabase = false
  private let hadRoot: Bool
  /// Relative to the library.
  private var files: [String] = []
  /// Relative to the library.
  private var folders = Set(LibraryLayout.folders)

  init(_ target: LibraryLayout) {
    self.target = target
    hadRoot = FileSystem.isThere(target.root)
  }

  /// Makes the folder of a file of an asset, and the one above it.
  func makeFolder(of file: String) throws(FileError) {
    addFolders(of: file)
    try target.makeFolder(FileSystem.folder(of: file))
  }

  /// Notes a file that was written, relative to the library.
  func add(_ file: String?) {
    guard let file else { return }
    addFolders(of: file)
    files.append(file)
  }

  private func addFolders(of file: String) {
    var folder = FileSystem.folder(of: file)
    while folder != ".", folders.insert(folder).inserted { folder = FileSystem.folder(of: folder) }
  }

  /// Removes what was written, and folders that are empty then; nothing else.
  func remove() {
    guard isBegun else { return }
    // A database is never without its files.
    var paths = hasNamedDatabase ? [target.database] : []
    paths += ["", "-journal", "-wal", "-shm"].map { target.unfinishedDatabase + $0 }
    paths += files.map { target.path($0) }
    for path in paths {
      // What cannot be removed stays; the error that led here counts.
      do throws(FileError) { try FileSystem.remove(path) } catch {}
    }
    // Those inside of others come first.
    for folder in folders.sorted().reversed() {
      FileSystem.removeFolderIfEmpty(target.path(folder))
    }
    if !hadRoot { FileSystem.removeFolderIfEmpty(target.root) }
  }
}
