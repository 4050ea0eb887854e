// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// An open file descriptor with one owner; closes itself.
package struct OpenFile: ~Copyable {
  package let descriptor: Int32
  package let path: String

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Opens for reading.
  ///
  /// O_NONBLOCK keeps a pipe without a writer from hanging the program.
  ///
  /// - Parameter followsLinks: Whether symbolic links are followed, in the place of the file and in
  ///   that of any folder of the path.
  package init(reading path: String, followsLinks: Bool = true) throws(FileError) {
    func opened(_ flags: Int32) -> Int32 {
      followsLinks ? open(path, flags) : pe_open_without_links(path, flags)
    }
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
    // O_NOATIME leaves the access time of an original alone; only its owner may ask for that.
    var descriptor = opened(flags | Int32(bitPattern: 0o1000000))
    if descriptor < 0 && errno == EPERM { descriptor = opened(flags) }
    guard descriptor >= 0 else { throw FileError(errno: errno, "cannot open", path: path) }
    self.init(descriptor: descriptor, path: path)
  }

  /// Makes a new file that only its owner may read until it is published.
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
  /// - Parameter followsLink: Whether the final name may be a symbolic link to a folder.
  package init(folder path: String, followsLink: Bool = true) throws(FileError) {
    let descriptor = open(
      path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { throw FileError(errno: errno, "cannot open folder", path: path) }
    self.init(descriptor: descriptor, path: path)
  }

  /// Opens a folder inside of an open one; a symbolic link is none.
  package init(folder name: String, in parent: borrowing OpenFile) throws(FileError) {
    let descriptor = openat(
      parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    let path = parent.path + "/" + name
    guard descriptor >= 0 else { throw FileError(errno: errno, "cannot open folder", path: path) }
    self.init(descriptor: descriptor, path: path)
  }

  /// The size, after making sure that this is a regular file.
  package func regularSize() throws(FileError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileError(errno: errno, "cannot examine", path: path)
    }
    let type = status.st_mode & S_IFMT
    guard type == S_IFREG else {
      throw FileError(.notRegular, path: path, reason: "\(Self.name(ofType: type)), not a file")
    }
    return Int(status.st_size)
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

  /// Fills the memory from the current position; returns how many bytes came before the end.
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

  /// Writes every byte or throws; a short write on a full disk is not taken for success.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = PhotoEditPlatform.write(descriptor, base + done, bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(errno: errno, "cannot write", path: path) }
      done += count
    }
  }

  /// Writes every byte of an array or throws.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    try bytes.withUnsafeBufferPointer { bytes throws(FileError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Makes the bytes durable.
  ///
  /// After a failure the file must be given up, never synced again: the kernel forgets the error.
  package func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else {
      throw FileError(errno: errno, "cannot make durable", path: path)
    }
  }

  /// What came of asking for a lock.
  package enum LockOutcome: Sendable, Hashable {
    /// This descriptor holds it now.
    case taken
    /// Somebody else holds it, and did so all the time.
    case heldElsewhere
    /// The file system has no such locks; some network file systems do not.
    case unsupported
  }

  /// Takes the advisory lock that the kernel releases when the process ends.
  ///
  /// - Parameter seconds: How long to wait for somebody else who holds it.
  package func lock(within seconds: Int = 0) throws(FileError) -> LockOutcome {
    let pause = 5_000
    var left = seconds * 1_000_000 / pause
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      if [EBADF, ENOLCK, ENOSYS, EOPNOTSUPP].contains(code) { return .unsupported }
      guard code == EWOULDBLOCK else {
        throw FileError(errno: code, "cannot lock", path: path)
      }
      if left == 0 { return .heldElsewhere }
      left -= 1
      usleep(useconds_t(pause))
    }
    return .taken
  }

  /// Whether the file still has a name; false after somebody removed it.
  package func isLinked() throws(FileError) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileError(errno: errno, "cannot examine", path: path)
    }
    return status.st_nlink > 0
  }
}
