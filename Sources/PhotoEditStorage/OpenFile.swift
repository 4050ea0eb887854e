// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// An open file descriptor with one owner, closed automatically.
package struct OpenFile: ~Copyable {
  package let descriptor: Int32
  package let path: String

  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Opens a file for reading.
  ///
  /// O_NONBLOCK prevents a pipe without a writer from blocking the process.
  ///
  /// - Parameter followsLinks: Whether symbolic links are followed, both for the file and for the
  ///   folders of its path.
  package init(reading path: String, followsLinks: Bool = true) throws(FileError) {
    func opened(_ flags: Int32) -> Int32 {
      followsLinks ? open(path, flags) : pe_open_without_links(path, flags)
    }
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
    var descriptor = opened(flags | Self.keepsAccessTime)
    if descriptor < 0 && errno == EPERM { descriptor = opened(flags) }
    guard descriptor >= 0 else { throw FileError(errno: errno, "cannot open", path: path) }
    self.init(descriptor: descriptor, path: path)
  }

  /// O_NOATIME, which preserves the access time of an original; only its owner may use it.
  static let keepsAccessTime: Int32 = 0o1000000

  /// The path of the open file or folder by its descriptor, whatever is renamed meanwhile; valid as
  /// long as it is open.
  package var pathByDescriptor: String { "/proc/self/fd/\(descriptor)" }

  /// Creates a new file that only its owner can read until it is published.
  package init(creating path: String) throws(FileError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      guard code != ENAMETOOLONG else { throw .nameTooLong(path) }
      throw FileError(errno: code, "cannot create", path: path)
    }
    self.init(descriptor: descriptor, path: path)
  }

  /// Opens a folder.
  ///
  /// - Parameter followsLink: Whether the last path component may be a symbolic link to a folder.
  package init(folder path: String, followsLink: Bool = true) throws(FileError) {
    let descriptor = open(
      path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { throw FileError(errno: errno, "cannot open folder", path: path) }
    self.init(descriptor: descriptor, path: path)
  }

  /// Opens a subfolder of an open folder; a symbolic link is rejected.
  package init(folder name: String, in parent: borrowing OpenFile) throws(FileError) {
    let descriptor = openat(
      parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    let path = parent.path + "/" + name
    guard descriptor >= 0 else { throw FileError(errno: errno, "cannot open folder", path: path) }
    self.init(descriptor: descriptor, path: path)
  }

  /// Returns the size after checking that this is a regular file.
  package func regularSize() throws(FileError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileError(errno: errno, "cannot read file attributes", path: path)
    }
    let type = status.st_mode & S_IFMT
    guard type == S_IFREG else {
      throw FileError(.notRegular, path: path, reason: "\(Self.name(ofType: type)), not a file")
    }
    return Int(status.st_size)
  }

  // Glibc defines both names only for programs that request more than POSIX.
  private static let seekData: Int32 = 3
  private static let seekHole: Int32 = 4
  /// The number of bytes of holes that every file may have.
  private static let acceptedHoles = 1 << 30

  /// Returns the size after checking, without reading, that the content may be read or copied.
  ///
  /// A file can have any size without any content: the holes of a sparse file occupy nothing, and
  /// every copy of them occupies a disk. A file with more than 1 GiB of holes that are more than half
  /// of it is an incomplete download or a trap; a damaged photo has less.
  ///
  /// The position is at the beginning of the file afterwards.
  ///
  /// - Throws: `FileError` of the kind `tooLarge` for a file that is larger, or mostly holes.
  package func acceptedSize(maximumBytes: Int = .max) throws(FileError) -> Int {
    let size = try regularSize()
    guard size <= maximumBytes else {
      throw FileError(
        .tooLarge, path: path, reason: "file has \(size) bytes (maximum: \(maximumBytes))")
    }
    let sufficient = min(size - Self.acceptedHoles, size - size / 2)
    guard sufficient > 0 else { return size }
    let stored = storedBytes(of: size, upTo: sufficient)
    guard stored >= sufficient else {
      throw FileError(
        .tooLarge, path: path,
        reason: "only \(stored) of its \(size) bytes are stored, and the rest is empty (sparse "
          + "file); complete the download or copy that created it")
    }
    return size
  }

  /// Returns the number of bytes outside of holes, counted up to a number that is sufficient; the
  /// size if the file system does not report holes.
  private func storedBytes(of size: Int, upTo sufficient: Int) -> Int {
    defer { _ = lseek(descriptor, 0, SEEK_SET) }
    var (stored, end) = (0, 0)
    while stored < sufficient {
      let start = lseek(descriptor, end, Self.seekData)
      if start < 0 { return errno == ENXIO ? stored : size }
      end = lseek(descriptor, start, Self.seekHole)
      guard end > start else { return size }
      stored += end - start
    }
    return stored
  }

  private static func name(ofType type: mode_t) -> String {
    switch type {
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "a special file"
    }
  }

  /// Reads from the current position; returns the number of bytes read before the end.
  package func read(into memory: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    var filled = 0
    while filled < memory.count, let base = memory.baseAddress {
      let count = PhotoEditPlatform.read(descriptor, base + filled, memory.count - filled)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(errno: errno, "cannot read", path: path) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Writes all bytes or throws, even after a partial write to a full disk.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = PhotoEditPlatform.write(descriptor, base + done, bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(errno: errno, "cannot write", path: path) }
      done += count
    }
  }

  /// Writes all bytes of an array or throws.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    try bytes.withUnsafeBufferPointer { bytes throws(FileError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Syncs the content.
  ///
  /// After a failure the file must be discarded, never synced again: the kernel drops the error.
  package func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else {
      throw FileError(errno: errno, "cannot sync to disk", path: path)
    }
  }

  /// The result of trying to take a lock.
  package enum LockOutcome: Sendable, Hashable {
    /// This descriptor now holds the lock.
    case acquired
    /// Another process held the lock during the whole wait.
    case busy
    /// The file system does not support such locks, like some network file systems.
    case unsupported
  }

  /// Takes an advisory lock, which the kernel releases when the process ends.
  ///
  /// - Parameter seconds: The time to wait for another process that holds the lock.
  package func lock(within seconds: Int = 0) throws(FileError) -> LockOutcome {
    let pause = 5_000
    var remaining = seconds * 1_000_000 / pause
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      if [EBADF, ENOLCK, ENOSYS, EOPNOTSUPP].contains(code) { return .unsupported }
      guard code == EWOULDBLOCK else {
        throw FileError(errno: code, "cannot lock", path: path)
      }
      if remaining == 0 { return .busy }
      remaining -= 1
      usleep(useconds_t(pause))
    }
    return .acquired
  }

  /// Returns whether the file still has a name; false after it was removed.
  package func isLinked() throws(FileError) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileError(errno: errno, "cannot read file attributes", path: path)
    }
    return status.st_nlink > 0
  }

  /// Reads into the memory from an offset; returns the number of bytes read before the end.
  package func read(
    into memory: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileError) -> Int {
    var filled = 0
    while filled < memory.count, let base = memory.baseAddress {
      let count = pread(descriptor, base + filled, memory.count - filled, offset + filled)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(errno: errno, "cannot read", path: path) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Writes all bytes at an offset or throws.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = pwrite(descriptor, base + done, bytes.count - done, offset + done)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(errno: errno, "cannot write", path: path) }
      done += count
    }
  }

  /// Removes all bytes after the first ones.
  package func truncate(to byteCount: Int) throws(FileError) {
    guard ftruncate(descriptor, byteCount) == 0 else {
      throw FileError(errno: errno, "cannot write", path: path)
    }
  }

  /// Lets the kernel begin to write a range to the disk, so that a later sync has less to wait for.
  package func beginWriteback(from offset: Int, byteCount: Int) {
    pe_begin_writeback(descriptor, Int64(offset), Int64(byteCount))
  }
}
