// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// What is in a folder that is open, whatever becomes of the path that led to it.
///
/// In a folder that others may write to, a name can be exchanged for a link between any two calls.
/// What is removed here is in that very folder, and belongs to the user whose program this is.
extension OpenFile {
  /// Names in the folder, sorted.
  package func names() throws(FileError) -> [String] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let handle = fdopendir(copy) else {
      let code = errno
      if copy >= 0 { close(copy) }
      throw FileError(errno: code, "cannot list", path: path)
    }
    return FileSystem.names(handle)
  }

  /// Whether the file belongs to the user whose program this is, and no other user may write to it.
  package func isPrivate() -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
      && status.st_mode & 0o022 == 0
  }

  /// Removes the user's own files of some names from the folder; folders and files of others stay.
  ///
  /// - Returns: Whether any was removed.
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

  /// Removes an empty folder inside of this one; one that is absent or in use stays as it is.
  package func removeFolderIfEmpty(_ name: String) {
    _ = unlinkat(descriptor, name, AT_REMOVEDIR)
  }
}
