// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// Who may read and write a file that was made.
extension FileSystem {
  /// Lets others use a new file as the umask says, and never more than they may use its original.
  ///
  /// Until then only its owner may. Where the original's group has other rights than everybody, the
  /// file goes to the same group; where that cannot be done, and where an access list says who is
  /// meant, the group gets no more than everybody.
  ///
  /// - Parameter original: The file that this one was made of; nil when it was made of none.
  package static func share(_ path: String, like original: String?) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    var allowed: mode_t = 0o666
    if let original {
      // Of a file that cannot be examined nothing is known, so that its owner stays alone.
      guard let mode = sharedMode(file, original) else { return }
      allowed = mode | 0o600
    }
    fchmod(file, allowed & 0o666 & ~mask)
  }

  /// The mode of an original as far as it means the same users for a file made of it.
  private static func sharedMode(_ file: Int32, _ original: String) -> mode_t? {
    var (source, made) = (stat(), stat())
    guard stat(original, &source) == 0, fstat(file, &made) == 0 else { return nil }
    let (group, others) = (source.st_mode >> 3 & 0o7, source.st_mode & 0o7)
    if group == others { return source.st_mode }
    let hasAccessList = pe_has_access_list(original) != 0
    let isSameGroup =
      source.st_gid == made.st_gid || fchown(file, uid_t.max, source.st_gid) == 0
    if isSameGroup && !hasAccessList { return source.st_mode }
    return (group & others) << 3 | group & others
  }

  /// The umask of the process.
  ///
  /// Asking means changing it for a moment, so it is asked once: two threads that asked together
  /// could leave the process with the wrong one.
  private static let mask: mode_t = {
    let mask = umask(0o022)
    umask(mask)
    return mask
  }()
}
