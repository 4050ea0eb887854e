// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The identity of a database file, regardless of its path.
struct FileIdentity: Sendable, Hashable {
  private let device: UInt
  private let inode: UInt

  /// Reads the identity of the file at a path, following links; nil if it does not exist.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
  }
}
