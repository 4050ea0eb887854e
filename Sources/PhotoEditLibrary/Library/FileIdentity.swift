// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// Which file a database is, whatever it is called.
struct FileIdentity: Sendable, Hashable {
  private let device: UInt
  private let inode: UInt

  /// Looks at what a path leads to; nil when nothing is there.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
  }
}
