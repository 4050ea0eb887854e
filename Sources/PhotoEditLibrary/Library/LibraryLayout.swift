// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// The paths in the folder of a library.
///
///     library.db                                  the database (and its -wal and -shm)
///     policy.json                                 the access of each program; optional
///     generation                                  empty; touched after every commit
///     assets/3F/3F2504E0-…/                       all files of one asset
///       asset.json                                its manifest: properties and files
///       photo-1a2b3c4d5e6f.jpg                    a file, named by its type and its digest
///       fullSizePhoto-….jpg, adjustmentData-….aae  the current version and adjustment data
///     collections/7D/7D….json                     the manifest of an album or folder
///     backups/version-2-2026-11-22T221530Z.db     the database before a migration
///     set-aside/2026-11-22T221530Z/assets/…       files found by a repair that no version needs
///     staging/                                    unfinished files of running processes
///     cache/thumbnails/3f/3f25…-9a01….jpg         thumbnails, by content and rendering; can be
///                                                 deleted at any time, and are not backed up
///
/// A name is never reused for other contents, so a file that a reader has open does not change, and
/// a crash may leave an extra file but never loses one.
struct LibraryLayout: Sendable, Hashable {
  let root: String

  var database: String { root + "/library.db" }
  var unfinishedDatabase: String { path(Self.unfinishedDatabaseName) }
  var policy: String { root + "/policy.json" }
  var generation: String { root + "/generation" }
  var assets: String { path(Self.assetsName) }
  var collections: String { path(Self.collectionsName) }
  var staging: String { path(Self.stagingName) }

  static let assetsName = "assets"
  static let collectionsName = "collections"
  static let stagingName = "staging"
  /// Copies of the database from before migrations.
  static let backupsName = "backups"
  /// Files found by repairs that no version needs.
  static let setAsideName = "set-aside"
  /// Created on demand; not one of the folders of every library.
  static let thumbnailsName = "cache/thumbnails"
  static let unfinishedDatabaseName = "library.db.new"
  /// The suffix that SQLite adds to a database's name for a rollback journal, which no library has.
  static let journalSuffix = "-journal"
  static let databaseSuffixes = ["", "-wal", "-shm", journalSuffix]
  /// The files of a library that belong to no asset, album or folder, except the database.
  static let auxiliaryFiles = ["policy.json", "generation"]
  static let folders = [assetsName, collectionsName, stagingName]

  /// Returns whether a folder with these names is a library, or a backup of one.
  static func isLibrary(_ names: [String]) -> Bool {
    names.contains("library.db") && names.contains(assetsName)
  }

  /// Returns the folder of an asset, relative to the library.
  func assetFolder(_ uuid: UUID) -> String {
    "assets/\(uuid.uuidString.prefix(2))/\(uuid.uuidString)"
  }

  /// Returns the manifest of an album or folder, relative to the library.
  func collectionManifest(_ uuid: UUID) -> String {
    "collections/\(uuid.uuidString.prefix(2))/\(uuid.uuidString).json"
  }

  /// Returns the path of a file of an asset, relative to the library.
  func file(
    _ type: AssetResourceType, of uuid: UUID, digest: SHA256Digest, fileExtension: String
  ) -> String {
    let name = "\(type)-\(digest.hex.prefix(16))"
    return assetFolder(uuid) + "/" + name + (fileExtension.isEmpty ? "" : "." + fileExtension)
  }

  /// Returns the full path of a file or folder in the library.
  func path(_ relative: String) -> String { root + "/" + relative }
}

extension LibraryLayout {
  /// Creates the layout of the library in a folder, with symbolic links resolved.
  ///
  /// SQLite opens no database through a link. If the folder does not exist yet, its parent is
  /// resolved; a path that cannot be resolved is kept and rejected later.
  init(at url: URL) {
    let path = url.path
    if let root = try? FileSystem.resolved(path) {
      self.init(root: root)
    } else if let parent = try? FileSystem.resolved(FileSystem.folder(of: path)) {
      self.init(root: (parent == "/" ? "" : parent) + "/" + FileSystem.lastName(of: path))
    } else {
      self.init(root: path)
    }
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
    for name in folder.parts(at: "/") {
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
    let (parent, isBelow) = (FileSystem.folder(of: folder), folder.has("/"))
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

  func makeStagingFolder() throws(FileError) -> StagingFolder {
    // If the parent folder is missing, the next call fails.
    _ = try hasFolder(Self.stagingName)
    return try StagingFolder(in: staging)
  }
}

extension FileSystem {
  /// Returns whether there is a regular file at a path, not a symbolic link to one.
  static func isFileAndNoLink(_ path: String) -> Bool { (try? entry(at: path)) == .file }

  /// Returns whether there is a folder at a path, not a symbolic link to one.
  static func isFolderAndNoLink(_ path: String) -> Bool { (try? entry(at: path)) == .folder }
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
