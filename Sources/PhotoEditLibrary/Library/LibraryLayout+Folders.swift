// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

extension LibraryLayout {
  /// Creates the layout of the library in a folder, with symbolic links resolved.
  ///
  /// SQLite opens no database through a link. If the folder does not exist yet, its parent is
  /// resolved; a path that cannot be resolved is kept and rejected later.
  init(at url: URL) {
    let path = url.path
    if let root = Self.resolved(path) {
      self.init(root: root)
    } else if let parent = Self.resolved(FileSystem.folder(of: path)) {
      self.init(root: (parent == "/" ? "" : parent) + "/" + FileSystem.lastName(of: path))
    } else {
      self.init(root: path)
    }
  }

  private static func resolved(_ path: String) -> String? {
    do throws(FileError) { return try FileSystem.resolved(path) } catch { return nil }
  }

  // MARK: Folders in the library

  /// Indicates whether a folder has the structure of a library, with or without a database.
  var hasFolders: Bool {
    let there = Self.folders.filter { FileSystem.isFolderAndNoLink(path($0)) }
    return there.contains(Self.assetsName) && there.count > 1
  }

  /// Returns whether a folder and its parents, up to the library's own, exist.
  ///
  /// - Parameter folder: Relative to the library, such as "assets/3F".
  /// - Throws: `FileError` if one of them is a symbolic link or a file: writing or removing files
  ///   through it would affect files outside the library.
  func hasFolder(_ folder: String) throws(FileError) -> Bool {
    var path = root
    for name in folder.split(separator: "/") {
      path += "/" + name
      guard let entry = try FileSystem.entry(at: path) else { return false }
      guard entry == .folder else { throw .noFolderOfLibrary(path) }
    }
    return true
  }

  /// Creates a folder of the library and its parents.
  ///
  /// - Returns: Full paths of the folders that must be synced because of new entries.
  /// - Throws: `FileError`; the same as `hasFolder(_:)`.
  @discardableResult
  func createFolder(_ folder: String) throws(FileError) -> [String] {
    if try hasFolder(folder) { return [] }
    let (parent, isBelow) = (FileSystem.folder(of: folder), folder.contains("/"))
    let above = isBelow ? try createFolder(parent) : []
    try FileSystem.createFolder(path(folder))
    return above + [isBelow ? path(parent) : root]
  }

  /// Removes a file of the library, and its folder if it is empty then; ignores a missing file.
  ///
  /// - Throws: `FileError`; the same as `hasFolder(_:)`.
  func remove(_ file: String) throws(FileError) {
    let folder = FileSystem.folder(of: file)
    guard try hasFolder(folder) else { return }
    try FileSystem.remove(path(file))
    FileSystem.removeFolderIfEmpty(path(folder))
  }

  /// Creates a folder for unfinished files.
  func makeStagingFolder() throws(FileError) -> StagingFolder {
    // If the parent folder is missing, the next call fails.
    _ = try hasFolder(Self.stagingName)
    return try StagingFolder(in: staging)
  }
}

extension FileSystem {
  /// Returns whether there is a regular file at a path, not a symbolic link to one.
  static func isFileAndNoLink(_ path: String) -> Bool {
    do throws(FileError) { return try entry(at: path) == .file } catch { return false }
  }

  /// Returns whether there is a folder at a path, not a symbolic link to one.
  static func isFolderAndNoLink(_ path: String) -> Bool {
    do throws(FileError) { return try entry(at: path) == .folder } catch { return false }
  }
}

extension FileError {
  /// Returns the error for a link or special file at the path of a library file.
  static func noFileOfLibrary(_ path: String) -> FileError {
    FileError(
      .notRegular, path: path,
      reason: "a symbolic link or special file has replaced a file of the library; "
        + "restore the file")
  }

  /// Returns the error for a link or file at the path of a library folder.
  static func noFolderOfLibrary(_ path: String) -> FileError {
    FileError(
      .notRegular, path: path,
      reason: "a symbolic link or file has replaced a folder of the library; "
        + "restore the folder")
  }
}
