// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// Operations on paths and folders for writing files safely.
///
/// All of them work on paths and throw `FileError`; the names state what is synced.
public enum FileSystem {
  /// The type of a directory entry; symbolic links are not followed.
  public enum Entry: Sendable, Hashable {
    /// A regular file.
    case file
    /// A folder.
    case folder
    /// A symbolic link, pipe, socket or device.
    case other

    init(_ status: stat) {
      self =
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
    }
  }

  /// Returns the type of the item at a path; nil if nothing exists there.
  public static func entry(at path: String) throws(FileError) -> Entry? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { return nil }
      throw FileError(errno: errno, "cannot read file attributes", path: path)
    }
    return Entry(status)
  }

  /// Returns whether there is an item at a path; true if that cannot be determined.
  package static func itemExists(_ path: String) -> Bool {
    do throws(FileError) { return try entry(at: path) != nil } catch { return true }
  }

  /// Returns whether a path refers to a folder; symbolic links are followed.
  public static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Creates a folder that only its owner can access; succeeds if it already exists.
  ///
  /// A symbolic link at the path is rejected, so that no file is written elsewhere.
  package static func createFolder(_ path: String, mode: UInt32 = 0o700) throws(FileError) {
    if mkdir(path, mode) == 0 { return }
    let code = errno
    guard code == EEXIST else { throw FileError(errno: code, "cannot create folder", path: path) }
    guard try entry(at: path) == .folder else {
      throw FileError(.exists, path: path, reason: "exists and is not a folder")
    }
  }

  /// Creates a folder as `createFolder(_:mode:)` does; syncs the name of a new one.
  ///
  /// Without that, a crash may lose the folder together with files in it that were synced.
  package static func createSyncedFolder(_ path: String, mode: UInt32 = 0o700) throws(FileError) {
    let isNew = try entry(at: path) == nil
    try createFolder(path, mode: mode)
    if isNew { try syncFolder(folder(of: path)) }
  }

  /// Returns the sorted names in a folder; an absent folder counts as empty.
  package static func names(in folder: String) throws(FileError) -> [String] {
    guard let handle = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw FileError(errno: errno, "cannot list", path: folder)
    }
    return names(handle)
  }

  /// Returns the sorted names of an open directory stream and closes it.
  ///
  /// A name that is not valid UTF-8 cannot be the name of a file as text. Each of its bytes above
  /// ASCII becomes "\xE9", so that different files keep different names in reports; a file that has
  /// such a name is reported as missing.
  static func names(_ handle: OpaquePointer) -> [String] {
    defer { closedir(handle) }
    var names: [String] = []
    while let next = readdir(handle) {
      let name = withUnsafeBytes(of: &next.pointee.d_name) {
        printable($0.prefix { $0 != 0 })
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the text of the bytes of a name.
  package static func printable(_ name: some Collection<UInt8>) -> String {
    if let text = String(validating: name, as: UTF8.self) { return text }
    return name.reduce(into: "") { text, byte in
      if byte < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "\\x" + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// Returns whether a path may stand for a name that is not valid UTF-8.
  package static func isReplaced(_ path: String) -> Bool {
    path.contains("\\x") || path.unicodeScalars.contains("\u{FFFD}")
  }

  /// Sets the modification time of a file to the current time; creates an empty file if necessary.
  ///
  /// Serves to wake waiting processes: nothing is synced, and a failure has no other effect than
  /// that they are not woken.
  package static func touch(_ path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return }
    futimens(descriptor, nil)
    close(descriptor)
  }

  /// Removes a file; succeeds if it does not exist.
  package static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw FileError(errno: errno, "cannot remove", path: path)
    }
  }

  /// Removes an empty folder; does nothing if it is absent or not empty.
  package static func removeFolderIfEmpty(_ path: String) {
    _ = rmdir(path)
  }

  /// Removes a folder and the user's own files in it, one level deep; links are not followed.
  package static func removeFolder(_ path: String) throws(FileError) {
    guard let entry = try entry(at: path) else { return }
    guard entry == .folder else {
      throw FileError(.notRegular, path: path, reason: "cannot remove folder: not a folder")
    }
    try OpenFile(folder: path, followsLink: false).removeFiles()
    guard rmdir(path) == 0 || errno == ENOENT else {
      throw FileError(errno: errno, "cannot remove folder", path: path)
    }
  }

  /// Renames a file atomically; an existing file of the new name is replaced.
  package static func rename(_ path: String, to target: String) throws(FileError) {
    guard PhotoEditPlatform.rename(path, target) == 0 else {
      let code = errno
      guard code != ENAMETOOLONG else { throw .nameTooLong(target) }
      throw FileError(errno: code, "cannot rename to \(lastName(of: target))", path: path)
    }
  }

  /// Renames a file atomically; fails if the new name exists.
  package static func renameExclusively(_ path: String, to target: String) throws(FileError) {
    if pe_rename_exclusively(path, target) == 0 { return }
    guard errno == EINVAL || errno == ENOSYS else {
      throw FileError(errno: errno, "cannot create", path: target)
    }
    // Without support for that flag a hard link is created, which also fails if the name exists.
    guard link(path, target) == 0 else {
      throw FileError(errno: errno, "cannot create", path: target)
    }
    try remove(path)
  }

  /// Renames a file atomically; unless it replaces an existing file, the new name must be free.
  package static func rename(
    _ path: String, to target: String, replacing: Bool
  ) throws(FileError) {
    if replacing { try rename(path, to: target) } else { try renameExclusively(path, to: target) }
  }

  /// Sets the permissions of a finished file and renames it into place atomically.
  ///
  /// - Parameters:
  ///   - replacing: Whether an existing file is replaced; otherwise the path must be free.
  ///   - original: The file from which this one was created; see `share(_:like:)`.
  package static func publish(
    _ staged: String, as path: String, replacing: Bool, like original: String?
  ) throws(FileError) {
    share(staged, like: original)
    try rename(staged, to: path, replacing: replacing)
  }

  /// Syncs the names in a folder; the C function is `fsync` on the folder.
  package static func syncFolder(_ path: String) throws(FileError) {
    try OpenFile(folder: path).syncNames()
  }

  /// Syncs the whole file system of a folder.
  package static func syncFileSystem(of path: String) throws(FileError) {
    let folder = try OpenFile(folder: path)
    guard pe_sync_file_system(folder.descriptor) == 0 else {
      throw FileError(errno: errno, "cannot sync to disk", path: path)
    }
  }

  /// Returns the number of a path's file system type on Linux; nil if unknown.
  package static func type(of path: String) -> UInt32? {
    UInt32(exactly: pe_file_system_type(path))
  }

  /// Copies a file to a new path: sharing its blocks if possible, else byte for byte.
  ///
  /// The content of the copy is synced when this returns; its name only after `syncFolder`.
  ///
  /// - Parameters:
  ///   - followsLinks: As in `FileBytes.reading(_:maximumBytes:followsLinks:)`.
  ///   - isSynced: False for a temporary copy, whose content need not outlast the system.
  package static func copy(
    _ path: String, to target: String, followsLinks: Bool = true, isSynced: Bool = true
  ) throws(FileError) {
    try copy(
      try OpenFile(reading: path, followsLinks: followsLinks), to: target, isSynced: isSynced)
  }

  /// Copies an open file, starting at its current position.
  package static func copy(
    _ source: borrowing OpenFile, to target: String, isSynced: Bool = true
  ) throws(FileError) {
    var remaining = try source.regularSize()
    let copy = try OpenFile(creating: target)
    do throws(FileError) {
      while remaining > 0 {
        let count = pe_copy_file_range(source.descriptor, copy.descriptor, remaining)
        if count < 0 && errno == EINTR { continue }
        if count < 0 && [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) { break }
        guard count >= 0 else { throw FileError(errno: errno, "cannot copy", path: source.path) }
        if count == 0 {
          throw FileError(.changed, path: source.path, reason: "file shrank while being copied")
        }
        remaining -= count
      }
      try copyBytes(remaining, from: source, to: copy)
      if isSynced { try copy.sync() }
    } catch {
      unlink(target)
      throw error
    }
  }

  /// Creates a hard link to a file, or copies it if the file system has no hard links.
  ///
  /// Only for files that are replaced and never modified in place. The target must not exist.
  package static func duplicate(_ path: String, to target: String) throws(FileError) {
    if link(path, target) == 0 { return }
    try copy(path, to: target)
  }

  private static func copyBytes(
    _ count: Int, from source: borrowing OpenFile, to copy: borrowing OpenFile
  ) throws(FileError) {
    var remaining = count
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { chunk.deallocate() }
    while remaining > 0 {
      let part = UnsafeMutableRawBufferPointer(rebasing: chunk[0..<min(remaining, chunk.count)])
      let filled = try source.read(into: part)
      guard filled > 0 else {
        throw FileError(.changed, path: source.path, reason: "file shrank while being copied")
      }
      try copy.write(UnsafeRawBufferPointer(rebasing: part[0..<filled]))
      remaining -= filled
    }
  }

  /// Returns the part of a path before the last slash; "." without a slash.
  public static func folder(of path: String) -> String {
    guard let slash = lastIndex(of: "/", in: path) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the part of a path after the last slash.
  public static func lastName(of path: String) -> String {
    guard let slash = lastIndex(of: "/", in: path) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// Splits a file name into its stem and its last extension without the dot.
  public static func splitName(_ name: String) -> (stem: String, fileExtension: String) {
    guard let dot = lastIndex(of: ".", in: name), dot != name.startIndex else { return (name, "") }
    return (String(name[..<dot]), String(name[name.utf8.index(after: dot)...]))
  }

  /// Searches bytes: a slash and a following combining accent are one Swift character.
  private static func lastIndex(of byte: Unicode.Scalar, in text: String) -> String.Index? {
    text.utf8.lastIndex(of: UInt8(ascii: byte))
  }

  /// The folder for temporary files: `TMPDIR` if that is one, else "/tmp".
  package static var temporaryFolder: String {
    getenv("TMPDIR").map { String(cString: $0) }.flatMap { isFolder($0) ? $0 : nil } ?? "/tmp"
  }

  /// Returns the path with every symbolic link resolved.
  ///
  /// If the current folder has a name that is not valid UTF-8, the path is relative to it.
  package static func resolved(_ path: String) throws(FileError) -> String {
    let real = try resolvedBytes(path)
    if let text = String(validating: real, as: UTF8.self) { return text }
    var (own, rest) = (try resolvedBytes("."), real[...])
    var upward = ""
    while !(rest.starts(with: own) && [nil, 0x2F].contains(rest.dropFirst(own.count).first)) {
      own.removeSubrange((own.lastIndex(of: 0x2F) ?? 0)...)
      upward += "../"
    }
    rest = rest.dropFirst(own.count).drop { $0 == 0x2F }
    guard let below = String(validating: rest, as: UTF8.self) else {
      throw FileError(.missing, path: path, reason: "its full name is not valid UTF-8")
    }
    return below.isEmpty ? (upward.isEmpty ? "." : String(upward.dropLast())) : upward + below
  }

  private static func resolvedBytes(_ path: String) throws(FileError) -> [UInt8] {
    guard let real = realpath(path, nil) else {
      throw FileError(errno: errno, "cannot open", path: path)
    }
    defer { free(real) }
    return Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }
}
