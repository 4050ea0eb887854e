// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

extension LibraryLayout {
  /// The library in a folder, by the path to it without symbolic links.
  ///
  /// SQLite opens no database behind a link. What is not there yet is called by the folder that it
  /// is to be in, and what cannot be resolved keeps its path for whoever refuses it.
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

  /// Whether a folder looks like that of a library, whatever became of the database.
  var hasFolders: Bool {
    let there = Self.folders.filter { FileSystem.isFolderAndNoLink(path($0)) }
    return there.contains(Self.assetsName) && there.count > 1
  }

  /// Whether a folder and those above it, up to the library's own, are there.
  ///
  /// - Parameter folder: Relative to the library, such as "assets/3F".
  /// - Throws: `FileError` where a symbolic link or a file has the place of one of them: whatever is
  ///   written or removed behind it would not be the library's.
  func hasFolder(_ folder: String) throws(FileError) -> Bool {
    var path = root
    for name in folder.split(separator: "/") {
      path += "/" + name
      guard let entry = try FileSystem.entry(at: path) else { return false }
      guard entry == .folder else { throw .noFolderOfLibrary(path) }
    }
    return true
  }

  /// Makes a folder of the library and those above it.
  ///
  /// - Returns: Whole paths of the folders whose new names are to be made durable.
  /// - Throws: `FileError`; the same as `hasFolder(_:)`.
  @discardableResult
  func makeFolder(_ folder: String) throws(FileError) -> [String] {
    if try hasFolder(folder) { return [] }
    let (parent, isBelow) = (FileSystem.folder(of: folder), folder.contains("/"))
    let above = isBelow ? try makeFolder(parent) : []
    try FileSystem.makeFolder(path(folder))
    return above + [isBelow ? path(parent) : root]
  }

  /// Removes a file of the library, and its folder when that is empty then; an absent one is fine.
  ///
  /// - Throws: `FileError`; the same as `hasFolder(_:)`.
  func remove(_ file: String) throws(FileError) {
    let folder = FileSystem.folder(of: file)
    guard try hasFolder(folder) else { return }
    try FileSystem.remove(path(file))
    FileSystem.removeFolderIfEmpty(path(folder))
  }

  /// Makes a folder for unfinished files.
  func makeStagingFolder() throws(FileError) -> StagingFolder {
    // Without a folder for them the system says so.
    _ = try hasFolder(Self.stagingName)
    return try StagingFolder(in: staging)
  }
}

extension FileSystem {
  /// Whether a regular file stands at a path, and no symbolic link to one.
  static func isFileAndNoLink(_ path: String) -> Bool {
    do throws(FileError) { return try entry(at: path) == .file } catch { return false }
  }

  /// Whether a folder stands at a path, and no symbolic link to one.
  static func isFolderAndNoLink(_ path: String) -> Bool {
    do throws(FileError) { return try entry(at: path) == .folder } catch { return false }
  }
}

extension FileError {
  /// Something that leads elsewhere stands where a library has a file.
  static func noFileOfLibrary(_ path: String) -> FileError {
    FileError(
      .notRegular, path: path,
      reason: "a symbolic link or a special file is in the place of a file of the library; "
        + "put the file back in its place")
  }

  /// Something that leads elsewhere stands where a library has a folder.
  static func noFolderOfLibrary(_ path: String) -> FileError {
    FileError(
      .notRegular, path: path,
      reason: "a symbolic link or a file is in the place of a folder of the library; "
        + "put the folder back in its place")
  }
}
