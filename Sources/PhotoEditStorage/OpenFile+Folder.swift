// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// Access to the contents of an open folder, regardless of changes to its path.
///
/// In a folder that other users may write to, a name can be replaced by a link between any two
/// calls. Removals here affect only that very folder and only files of the process's user.
extension OpenFile {
  /// Returns the sorted names in the folder.
  package func names() throws(FileError) -> [String] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let handle = fdopendir(copy) else {
      let code = errno
      if copy >= 0 { close(copy) }
      throw FileError(errno: code, "cannot list", path: path)
    }
    return FileSystem.names(handle)
  }

  /// Returns whether the file belongs to the process's user and no other user may write to it.
  package func isPrivate() -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
      && status.st_mode & 0o022 == 0
  }

  /// Removes the user's own files with matching names; folders and files of others stay.
  ///
  /// - Returns: Whether any file was removed.
  @discardableResult
  package func removeFiles(where isLitter: (String) -> Bool = { _ in true }) throws(FileError)
    -> Bool
  {
    var hasRemoved = false
    for name in try names() where isLitter(name) {
      var status = stat()
      guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_uid == geteuid(), status.st_mode & S_IFMT != S_IFDIR
      else { continue }
      guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
        throw FileError(errno: errno, "cannot remove", path: path + "/" + name)
      }
      hasRemoved = true
    }
    return hasRemoved
  }

  /// Removes the user's own files and folders in the folder, at any depth.
  ///
  /// Only for a folder in which no other user can create anything.
  package func removeAll() throws(FileError) {
    try removeFiles()
    for name in try names() {
      try? OpenFile(folder: name, in: self).removeAll()
      removeFolderIfEmpty(name)
    }
  }

  /// Removes an empty subfolder; does nothing if it is absent or not empty.
  package func removeFolderIfEmpty(_ name: String) {
    _ = unlinkat(descriptor, name, AT_REMOVEDIR)
  }

  /// Syncs the names in the folder.
  func syncNames() throws(FileError) {
    // Some file systems cannot sync a folder and return EINVAL; there is no alternative.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw FileError(errno: errno, "cannot sync to disk", path: path)
    }
  }

  // Glibc defines both names only for programs that request more than POSIX.
  private static let setSignal: Int32 = 10
  private static let setLease: Int32 = 1024

  /// Returns whether the file is also open elsewhere in this process or in another one.
  ///
  /// The kernel grants a write lease only if there is no other open descriptor of the file; the
  /// lease is released at once. A file that is closed within a second does not count: a child
  /// process holds all descriptors of this process until it executes its own program, which can
  /// take long on a busy machine.
  ///
  /// - Returns: Nil if it cannot be determined: leases are granted only to the owner of a file and
  ///   only by some file systems.
  package func isOpenInAnotherProcess() -> Bool? {
    // The lease holder gets a signal when the file is opened again; SIGIO would end the process.
    guard fcntl(descriptor, Self.setSignal, SIGURG) == 0 else { return nil }
    var attempts = 0
    while fcntl(descriptor, Self.setLease, Int32(F_WRLCK)) != 0 {
      let code = errno
      if code == EINTR { continue }
      guard code == EAGAIN else { return nil }
      attempts += 1
      if attempts > 200 { return true }
      usleep(5_000)
    }
    _ = fcntl(descriptor, Self.setLease, Int32(F_UNLCK))
    return false
  }
}
