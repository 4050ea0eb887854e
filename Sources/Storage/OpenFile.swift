// SPDX-License-Identifier: Apache-2.0
import Glibc

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
  package init(reading path: String) throws(FileError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
    // O_NOATIME leaves the access time of an original alone; only its owner may ask for that.
    var descriptor = open(path, flags | Int32(bitPattern: 0o1000000))
    if descriptor < 0 && errno == EPERM { descriptor = open(path, flags) }
    guard descriptor >= 0 else { throw FileError(errno: errno, "cannot open", path: path) }
    self.init(descriptor: descriptor, path: path)
  }

  /// Makes a new file that only its owner may read until it is published.
  package init(creating path: String) throws(FileError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileError(errno: errno, "cannot create", path: path) }
    self.init(descriptor: descriptor, path: path)
  }

  /// Opens a folder.
  package init(folder path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
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
      let count = Glibc.read(descriptor, base + filled, memory.count - filled)
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
      let count = Glibc.write(descriptor, base + done, bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(errno: errno, "cannot write", path: path) }
      done += count
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

  /// Takes the advisory lock that the kernel releases when the process ends.
  ///
  /// - Returns: false when somebody else holds it and `waits` is false.
  package func lock(waits: Bool) throws(FileError) -> Bool {
    while flock(descriptor, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK { return false }
      throw FileError(errno: errno, "cannot lock", path: path)
    }
    return true
  }
}
