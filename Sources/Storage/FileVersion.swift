// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What a file system says of a file's content without reading it; a hint, never a proof.
package struct FileVersion: Sendable, Hashable {
  private let device: UInt
  private let inode: UInt
  /// Bytes.
  package let size: Int
  private let modified: [Int]
  private let changed: [Int]

  /// Looks at what a path leads to; nil when nothing is there or it cannot be looked at.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
    size = Int(status.st_size)
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }
}
