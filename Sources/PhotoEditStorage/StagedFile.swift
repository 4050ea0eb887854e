// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// A file that is invisible until it is complete, and of which nothing remains if the process ends
/// before that.
///
/// It has no name until it is published. On file systems that have no such files, it is in a
/// staging folder, which the next session that starts there removes.
package final class StagedFile: Sendable {
  /// The file, open for writing.
  package let file: OpenFile
  private let path: String
  /// The folder of a file that has a name.
  private let staging: StagingFolder?

  private static let name = "file"

  /// Creates the file for a path.
  package init(for path: String) throws(FileError) {
    self.path = path
    let folder = FileSystem.folder(of: path)
    let descriptor = pe_open_unnamed(folder)
    if descriptor >= 0 {
      file = OpenFile(descriptor: descriptor, path: path)
      staging = nil
      return
    }
    let code = errno
    // Kernels without such files report that the folder is a folder.
    guard [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(code) else {
      throw StagingFolder.failure(code, in: folder)
    }
    let staging = try StagingFolder(in: folder)
    file = try OpenFile(creating: staging.file(Self.name))
    self.staging = staging
  }

  /// Sets the permissions of the finished file and gives it its name atomically; nothing is synced.
  ///
  /// - Parameters:
  ///   - replacing: Whether an existing file is replaced; otherwise the path must be free.
  ///   - original: The file from which this one was created; see `FileSystem.share(_:like:)`.
  package func publish(replacing: Bool = false, like original: String? = nil) throws(FileError) {
    defer { staging?.discard() }
    if let staging {
      return try FileSystem.publish(
        staging.file(Self.name), as: path, replacing: replacing, like: original)
    }
    FileSystem.share(file.descriptor, like: original)
    if pe_link_unnamed(file.descriptor, path) == 0 { return }
    let code = errno
    guard code == EEXIST, replacing else {
      guard code != ENAMETOOLONG else { throw .nameTooLong(path) }
      throw FileError(errno: code, "cannot create", path: path)
    }
    // Only a file with a name can replace another one.
    let staging = try StagingFolder(in: FileSystem.folder(of: path))
    defer { staging.discard() }
    guard pe_link_unnamed(file.descriptor, staging.file(Self.name)) == 0 else {
      throw FileError(errno: errno, "cannot create", path: path)
    }
    try FileSystem.rename(staging.file(Self.name), to: path)
  }

  /// Writes bytes to a path that must be free, with permissions by the umask.
  ///
  /// - Parameter isSynced: Whether the contents are synced; the name never is.
  package static func write(
    _ bytes: [UInt8], to path: String, isSynced: Bool = true
  ) throws(FileError) {
    let staged = try StagedFile(for: path)
    try staged.file.write(bytes)
    if isSynced { try staged.file.sync() }
    try staged.publish()
  }
}
