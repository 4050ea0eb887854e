// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A file's identity, size and times, as a hint and not a proof that it is unchanged.
package struct FileVersion: Sendable, Hashable {
  /// A file under any names, whatever its contents.
  package struct Identity: Sendable, Hashable {
    fileprivate let device: UInt
    fileprivate let inode: UInt
  }

  package let identity: Identity
  /// The size in bytes.
  package let size: Int
  /// The number of hard links.
  package let names: Int
  /// The seconds and nanoseconds of the modification time.
  package let modified: [Int]
  private let changed: [Int]

  /// The modification time in seconds since 1970, to the microsecond.
  package var modificationTime: Double { Double(modified[0]) + Double(modified[1]) / 1e9 }

  /// Examines the file at a path; returns nil if it does not exist or cannot be examined.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  package init(of file: borrowing OpenFile) throws(FileError) {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else {
      throw FileError(errno: errno, "cannot read file attributes", path: file.path)
    }
    self.init(status)
  }

  /// Returns whether both are the same file, under any names.
  package func isSameFile(as other: FileVersion) -> Bool {
    identity == other.identity
  }

  init(_ status: stat) {
    identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    size = Int(status.st_size)
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    names = Int(status.st_nlink)
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }
}

extension FileSystem {
  /// Returns whether two paths refer to the same file, including by symbolic and hard links.
  package static func isSameFile(_ a: String, _ b: String) -> Bool {
    guard let a = FileVersion(a), let b = FileVersion(b) else { return false }
    return a.isSameFile(as: b)
  }
}
