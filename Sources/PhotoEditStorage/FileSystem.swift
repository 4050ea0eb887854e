// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// The few operations on names in folders that safe files are made of.
///
/// Everything here works on paths, throws `FileError`, and says in its name what becomes durable.
public enum FileSystem {
  /// What a name in a folder stands for; symbolic links are not followed.
  public enum Entry: Sendable, Hashable {
    /// A regular file.
    case file
    /// A folder.
    case folder
    /// A symbolic link, pipe, socket or device.
    case other
  }

  /// Says what stands at a path, or nil when nothing does.
  public static func entry(at path: String) throws(FileError) -> Entry? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return nil }
      throw FileError(errno: errno, "cannot examine", path: path)
    }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// Whether anything stands at a path; what cannot be examined counts as something.
  package static func isThere(_ path: String) -> Bool {
    do throws(FileError) { return try entry(at: path) != nil } catch { return true }
  }

  /// Whether a path leads to a folder; symbolic links are followed.
  public static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Makes a folder that only its owner may enter; being there already is fine.
  ///
  /// A symbolic link in its place is refused: what is written here must stay here.
  package static func makeFolder(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) == 0 { return }
    let code = errno
    guard code == EEXIST else {
      throw FileError(errno: code, "cannot create folder", path: path)
    }
    guard try entry(at: path) == .folder else {
      throw FileError(.exists, path: path, reason: "something that is no folder is in the way")
    }
  }

  /// Names in a folder, sorted; an absent folder has none.
  package static func names(in folder: String) throws(FileError) -> [String] {
    guard let handle = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw FileError(errno: errno, "cannot list", path: folder)
    }
    return names(handle)
  }

  /// Names in a folder that is being read, sorted; ends the reading.
  static func names(_ handle: OpaquePointer) -> [String] {
    defer { closedir(handle) }
    var names: [String] = []
    while let next = readdir(handle) {
      let name = withUnsafeBytes(of: &next.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Gives a file the time of now, and makes an empty one where there is none.
  ///
  /// For those who wait for it; nothing is made durable, and a failure has no consequence but that
  /// nobody is woken.
  package static func touch(_ path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return }
    futimens(descriptor, nil)
    close(descriptor)
  }

  /// Removes a file; an absent one is fine.
  package static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw FileError(errno: errno, "cannot remove", path: path)
    }
  }

  /// Removes an empty folder; one that is absent or in use stays as it is.
  package static func removeFolderIfEmpty(_ path: String) {
    _ = rmdir(path)
  }

  /// Removes a folder and the user's own files in it, one level deep; a link to a folder is no folder.
  package static func removeFolder(_ path: String) throws(FileError) {
    guard let entry = try entry(at: path) else { return }
    guard entry == .folder else {
      throw FileError(.notRegular, path: path, reason: "cannot remove folder: it is none")
    }
    try OpenFile(folder: path, followsLink: false).removeFiles()
    guard rmdir(path) == 0 || errno == ENOENT else {
      throw FileError(errno: errno, "cannot remove folder", path: path)
    }
  }

  /// Gives a file another name in one step; whatever had that name is replaced.
  package static func rename(_ path: String, to target: String) throws(FileError) {
    guard PhotoEditPlatform.rename(path, target) == 0 else {
      let code = errno
      guard code != ENAMETOOLONG else { throw .nameTooLong(target) }
      throw FileError(errno: code, "cannot rename to \(lastName(of: target))", path: path)
    }
  }

  /// Gives a file another name in one step; fails when that name is taken.
  package static func renameExclusively(_ path: String, to target: String) throws(FileError) {
    if pe_rename_exclusively(path, target) == 0 { return }
    guard errno == EINVAL || errno == ENOSYS else {
      throw FileError(errno: errno, "cannot create", path: target)
    }
    // File systems without that flag: a hard link fails as well when the name is taken.
    guard link(path, target) == 0 else {
      throw FileError(errno: errno, "cannot create", path: target)
    }
    try remove(path)
  }

  /// Gives a finished file its name and a mode, in one step.
  ///
  /// - Parameters:
  ///   - replacing: Whether a file of that name goes; else the name must be free.
  ///   - original: The file that this one was made of; see `share(_:like:)`.
  package static func publish(
    _ staged: String, as path: String, replacing: Bool, like original: String?
  ) throws(FileError) {
    share(staged, like: original)
    if replacing { try rename(staged, to: path) } else { try renameExclusively(staged, to: path) }
  }

  /// Makes the names in a folder durable; the C function is `fsync` on the folder.
  package static func syncFolder(_ path: String) throws(FileError) {
    let folder = try OpenFile(folder: path)
    // Some file systems cannot sync a folder and say EINVAL; there is nothing more to do there.
    guard fsync(folder.descriptor) == 0 || errno == EINVAL else {
      throw FileError(errno: errno, "cannot make durable", path: path)
    }
  }

  /// Makes everything durable that is on the file system of a folder.
  package static func syncFileSystem(of path: String) throws(FileError) {
    let folder = try OpenFile(folder: path)
    guard pe_sync_file_system(folder.descriptor) == 0 else {
      throw FileError(errno: errno, "cannot make durable", path: path)
    }
  }

  /// The number by which Linux knows the kind of file system that a path is on; nil when unknown.
  package static func type(of path: String) -> UInt32? {
    UInt32(exactly: pe_file_system_type(path))
  }

  /// Duplicates a file under a new name: sharing its blocks where possible, else byte by byte.
  ///
  /// The copy is durable when this returns; its name is so after `syncFolder`.
  ///
  /// - Parameter followsLinks: As in `FileBytes.reading(_:maximumBytes:followsLinks:)`.
  package static func copy(
    _ path: String, to target: String, followsLinks: Bool = true
  ) throws(FileError) {
    try copy(try OpenFile(reading: path, followsLinks: followsLinks), to: target)
  }

  /// Duplicates a file that is open, from its current position on.
  package static func copy(
    _ source: borrowing OpenFile, to target: String
  ) throws(FileError) {
    var left = try source.regularSize()
    let copy = try OpenFile(creating: target)
    do throws(FileError) {
      while left > 0 {
        let count = pe_copy_file_range(source.descriptor, copy.descriptor, left)
        if count < 0 && errno == EINTR { continue }
        if count < 0 && [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) { break }
        guard count >= 0 else { throw FileError(errno: errno, "cannot copy", path: source.path) }
        if count == 0 {
          throw FileError(.changed, path: source.path, reason: "shrank while copied")
        }
        left -= count
      }
      try copyBytes(left, from: source, to: copy)
      try copy.sync()
    } catch {
      unlink(target)
      throw error
    }
  }

  /// Gives a file a second name, or copies it where the file system has no hard links.
  ///
  /// Only for files that are replaced and never written in place. The target must be free.
  package static func duplicate(_ path: String, to target: String) throws(FileError) {
    if link(path, target) == 0 { return }
    try copy(path, to: target)
  }

  private static func copyBytes(
    _ count: Int, from source: borrowing OpenFile, to copy: borrowing OpenFile
  ) throws(FileError) {
    var left = count
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { chunk.deallocate() }
    while left > 0 {
      let part = UnsafeMutableRawBufferPointer(rebasing: chunk[0..<min(left, chunk.count)])
      let filled = try source.read(into: part)
      guard filled > 0 else {
        throw FileError(.changed, path: source.path, reason: "shrank while copied")
      }
      try copy.write(UnsafeRawBufferPointer(rebasing: part[0..<filled]))
      left -= filled
    }
  }

  /// The part of a path before the last slash; "." when there is none.
  public static func folder(of path: String) -> String {
    guard let slash = lastIndex(of: "/", in: path) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The part of a path behind the last slash.
  public static func lastName(of path: String) -> String {
    guard let slash = lastIndex(of: "/", in: path) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// A file name without its last extension, and that extension without the dot.
  public static func splitName(_ name: String) -> (stem: String, fileExtension: String) {
    guard let dot = lastIndex(of: ".", in: name), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[name.utf8.index(after: dot)...]))
  }

  /// Paths are bytes: a slash before a combining accent is one character, and still a slash.
  private static func lastIndex(of byte: Unicode.Scalar, in text: String) -> String.Index? {
    text.utf8.lastIndex(of: UInt8(ascii: byte))
  }

  /// The path that every symbolic link on the way resolves to.
  package static func resolved(_ path: String) throws(FileError) -> String {
    guard let real = realpath(path, nil) else {
      throw FileError(errno: errno, "cannot open", path: path)
    }
    defer { free(real) }
    return String(cString: real)
  }
}
