// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// What a file system says of a file's content without reading it; a hint, never a proof.
package struct FileVersion: Sendable, Hashable {
  private let device: UInt
  private let inode: UInt
  /// Bytes.
  package let size: Int
  /// How many names the file has.
  package let names: Int
  private let modified: [Int]
  private let changed: [Int]

  /// Looks at what a path leads to; nil when nothing is there or it cannot be looked at.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Looks at a file that is open.
  package init(of file: borrowing OpenFile) throws(FileError) {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else {
      throw FileError(errno: errno, "cannot examine", path: file.path)
    }
    self.init(status)
  }

  /// Whether both are one file, under whatever names.
  package func isSameFile(as other: FileVersion) -> Bool {
    device == other.device && inode == other.inode
  }

  private init(_ status: stat) {
    (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
    size = Int(status.st_size)
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    names = Int(status.st_nlink)
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }
}

extension FileSystem {
  /// Whether two paths lead to one file; links are followed, and hard links count.
  package static func isSameFile(_ a: String, _ b: String) -> Bool {
    guard let a = FileVersion(a), let b = FileVersion(b) else { return false }
    return a.isSameFile(as: b)
  }
}
