// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// An open folder, beneath which names that come from data are resolved.
///
/// A name in a file, a database, a run or a record must not lead out of the folder that the user
/// named, and neither may a link that came with them. This is the only code that resolves such a
/// name: it has no ".." and is not absolute, no part of it is a symbolic link, and what it leads to
/// is opened, created or removed relative to the folder's descriptor, so that a link put in its way
/// meanwhile is refused as well. The folder itself may be a link, or be reached through one.
package final class OpenFolder: Sendable {
  /// The path with which the folder was opened.
  package let path: String
  private let folder: OpenFile
  /// Indicates whether names are opened part by part, as on kernels without `openat2`.
  private let opensByParts: Bool

  private init(_ folder: consuming OpenFile, path: String, opensByParts: Bool) {
    self.folder = folder
    self.path = path
    self.opensByParts = opensByParts
  }

  /// Opens a folder that the user named; symbolic links are followed.
  ///
  /// - Parameter opensByParts: Whether `openat2` is not called, which tests request.
  package convenience init(_ path: String, opensByParts: Bool = false) throws(FileError) {
    self.init(try OpenFile(folder: path), path: path, opensByParts: opensByParts)
  }

  /// Returns whether a name can lead only to items beneath a folder, links aside: it is relative,
  /// and no part of it is empty, "." or "..".
  package static func isBeneath(_ name: String) -> Bool {
    !name.utf8.contains(0) && pe_is_beneath(name) != 0
  }

  /// Returns the path of an item for messages, and for code that must not follow links itself.
  package func path(of name: String) -> String {
    (path.utf8.last == UInt8(ascii: "/") ? path : path + "/") + name
  }

  /// Returns the name beneath the folder of a path that begins with the folder's, as it was opened
  /// or without links; nil for others.
  package func name(of path: String) -> String? {
    // In the current folder, "./" may be omitted.
    var prefix = self.path == "." && path.utf8.first != UInt8(ascii: "/") ? "" : self.path(of: "")
    if prefix == "", path.utf8.starts(with: "./".utf8) { prefix = "./" }
    if !path.utf8.starts(with: prefix.utf8) {
      guard path.utf8.first == UInt8(ascii: "/"),
        let real = try? FileSystem.resolved(folder.pathByDescriptor),
        path.utf8.starts(with: (real + "/").utf8)
      else { return nil }
      prefix = real + "/"
    }
    // A folder with a slash at its end gives paths with two.
    let rest = path.utf8.dropFirst(prefix.utf8.count).drop { $0 == UInt8(ascii: "/") }
    let name = String(decoding: rest, as: UTF8.self)
    return Self.isBeneath(name) ? name : nil
  }

  /// Calls a function with the path of the same folder by its descriptor, which is valid during the
  /// call whatever is renamed meanwhile.
  package func withPathByDescriptor<Result, Failure>(
    _ body: (String) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // A folder that is only used for its path would be closed before the path is used.
    defer { withExtendedLifetime(self) {} }
    return try body(folder.pathByDescriptor)
  }

  /// Calls the system with the descriptor, which stays open during the call; returns 0, or `errno`.
  private func calling(_ body: (Int32) -> Int32) -> Int32 {
    defer { withExtendedLifetime(self) {} }
    return body(folder.descriptor) == 0 ? 0 : errno
  }

  /// Opens a file beneath the folder for reading, as `OpenFile(reading:)` does.
  package func open(_ name: String) throws(FileError) -> OpenFile {
    let flags = O_RDONLY | O_NONBLOCK
    do throws(FileError) {
      return try opened(name, flags | OpenFile.keepsAccessTime)
    } catch {
      guard error.kind == .permission else { throw error }
      return try opened(name, flags)
    }
  }

  /// Opens the file at a path for reading, which must be that of a file beneath the folder.
  package func open(at path: String) throws(FileError) -> OpenFile {
    guard let name = name(of: path) else { throw outside(path) }
    return try open(name)
  }

  /// Checks that a path, which data may have supplied, is that of a file beneath the folder, or of
  /// nothing.
  ///
  /// - Throws: `FileError` of the kind `outside`, also for a link.
  package func checkFile(at path: String) throws(FileError) {
    guard let name = name(of: path) else { throw outside(path) }
    if try entry(name) == .other { _ = try open(name) }
  }

  /// Opens a folder beneath the folder.
  package func folder(_ name: String) throws(FileError) -> OpenFolder {
    OpenFolder(
      try opened(name, O_RDONLY | O_DIRECTORY), path: path(of: name), opensByParts: opensByParts)
  }

  /// Opens the folder beneath the folder that contains an item; the folder itself for a plain name.
  package func parent(of name: String) throws(FileError) -> OpenFolder {
    try check(name)
    return name.utf8.contains(UInt8(ascii: "/")) ? try folder(FileSystem.folder(of: name)) : self
  }

  /// Opens a folder beneath the folder, after creating the parts of its name that are missing.
  ///
  /// - Parameters:
  ///   - mode: The permissions of created folders, as far as the process allows.
  ///   - isTemporary: Whether the folders need not outlast the system.
  package func creatingFolder(
    _ name: String, mode: UInt32 = 0o777, isTemporary: Bool = false
  ) throws(FileError) -> OpenFolder {
    try check(name)
    var current = self
    for part in Self.parts(name) {
      let code = current.calling { mkdirat($0, part, mode) }
      if code == 0 {
        // A new name must survive a crash before anything is written below it.
        if !isTemporary { try current.folder.syncNames() }
      } else if code != EEXIST {
        throw FileError(errno: code, "cannot create folder", path: current.path(of: part))
      } else if try current.entry(part) != .folder {
        throw FileError(
          .exists, path: current.path(of: part), reason: "exists and is not a folder")
      }
      current = try current.folder(part)
    }
    return current
  }

  /// Creates a file in the folder, or in a folder beneath it that exists.
  package func creatingFile(_ name: String) throws(FileError) -> OpenFile {
    let parent = try parent(of: name)
    let last = FileSystem.lastName(of: name)
    var descriptor: Int32 = -1
    let code = parent.calling {
      descriptor = openat($0, last, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      return min(descriptor, 0)
    }
    guard code == 0 else { throw FileError(errno: code, "cannot create", path: path(of: name)) }
    return OpenFile(descriptor: descriptor, path: path(of: name))
  }

  /// Returns the type of an item beneath the folder; nil if nothing exists there.
  ///
  /// - Throws: `FileError` of the kind `outside` if a folder of the name is a link.
  package func entry(_ name: String) throws(FileError) -> FileSystem.Entry? {
    try status(name).map(FileSystem.Entry.init)
  }

  /// Returns the state of a file beneath the folder; nil if it does not exist or is not a file.
  package func version(of name: String) -> FileVersion? {
    guard let status = try? status(name), FileSystem.Entry(status) == .file else { return nil }
    return FileVersion(status)
  }

  private func status(_ name: String) throws(FileError) -> stat? {
    let parent: OpenFolder
    do throws(FileError) {
      parent = try self.parent(of: name)
    } catch {
      if error.kind == .missing { return nil }
      throw error
    }
    var status = stat()
    let last = FileSystem.lastName(of: name)
    let code = parent.calling { fstatat($0, last, &status, AT_SYMLINK_NOFOLLOW) }
    guard code == 0 else {
      if [ENOENT, ENAMETOOLONG].contains(code) { return nil }
      throw FileError(errno: code, "cannot read file attributes", path: path(of: name))
    }
    return status
  }

  /// Returns the sorted names in the folder.
  package func names() throws(FileError) -> [String] { try folder.names() }

  /// Removes a file beneath the folder; succeeds if it does not exist.
  package func remove(_ name: String) throws(FileError) {
    try check(name)
    let last = FileSystem.lastName(of: name)
    let code = try parent(of: name).calling { unlinkat($0, last, 0) }
    guard code == 0 || code == ENOENT else {
      throw FileError(errno: code, "cannot remove", path: path(of: name))
    }
  }

  /// Removes an empty folder beneath the folder; does nothing if it is absent or not empty.
  package func removeFolderIfEmpty(_ name: String) {
    guard Self.isBeneath(name), let parent = try? parent(of: name) else { return }
    let last = FileSystem.lastName(of: name)
    _ = parent.calling { unlinkat($0, last, AT_REMOVEDIR) }
  }

  /// Removes old temporary files of this user in the folder, but not in its subfolders.
  ///
  /// - Returns: The number of removed files and folders.
  package func sweep(olderThan seconds: Int) -> Int {
    (try? FileSystem.sweep(folder, olderThan: seconds)) ?? 0
  }

  // MARK: Contents

  /// Reads a whole file beneath the folder; see `FileBytes.reading(_:maximumBytes:followsLinks:)`.
  package func reading(
    _ name: String, maximumBytes: Int = 4 << 30
  ) throws(FileError) -> FileBytes {
    try FileBytes.reading(try open(name), maximumBytes: maximumBytes)
  }

  /// Hashes a file beneath the folder in chunks.
  package func digest(of name: String) throws(FileError) -> SHA256Digest {
    try FileBytes.digest(of: try open(name))
  }

  // MARK: Resolution

  private static func parts(_ name: String) -> [String] {
    name.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  private func check(_ name: String) throws(FileError) {
    guard Self.isBeneath(name) else { throw outside(name) }
  }

  private func opened(_ name: String, _ flags: Int32) throws(FileError) -> OpenFile {
    try check(name)
    let descriptor = pe_open_beneath(folder.descriptor, name, flags, opensByParts ? 1 : 0)
    let code = errno
    guard descriptor < 0 else { return OpenFile(descriptor: descriptor, path: path(of: name)) }
    // Opening part by part, a link in place of a folder is not a folder.
    guard code != ELOOP, code != EXDEV, code != ENOTDIR || !hasLink(name) else {
      throw outside(name)
    }
    throw FileError(errno: code, "cannot open", path: path(of: name))
  }

  /// Returns whether a part of a name is a symbolic link.
  private func hasLink(_ name: String) -> Bool {
    var current = ""
    for part in Self.parts(name) {
      current += (current.isEmpty ? "" : "/") + part
      var status = stat()
      guard fstatat(folder.descriptor, current, &status, AT_SYMLINK_NOFOLLOW) == 0 else { break }
      if status.st_mode & S_IFMT == S_IFLNK { return true }
    }
    return false
  }

  private func outside(_ name: String) -> FileError {
    FileError(
      .outside, path: Self.isBeneath(name) ? path(of: name) : name,
      reason: Self.isBeneath(name)
        ? "is a symbolic link or is reached through one, which is not followed here"
        : "leads out of the folder that it must be in")
  }
}

extension OpenFolder: Hashable {
  /// Returns whether both are the same object.
  package static func == (left: OpenFolder, right: OpenFolder) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
