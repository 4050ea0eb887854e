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

extension PhotoLibrary {
  /// Why the library cannot be used any more; nil while it can.
  ///
  /// `libraryVolumeOffline` when its folder is gone, such as with its disk, and
  /// `switchingSystemPhotoLibrary` when another library is in its place. Reading and changing fail
  /// with the same error, so nothing is ever written into a folder that only has the name.
  public var unavailabilityReason: LibraryError? {
    guard let found = FileIdentity(layout.database) else { return .offline(layout.root) }
    return found == database ? nil : .replaced(layout.root)
  }

  func checkAvailable() throws(LibraryError) {
    if let unavailabilityReason { throw unavailabilityReason }
  }
}

extension LibraryError {
  static func replaced(_ path: String) -> LibraryError {
    LibraryError(
      .switchingSystemPhotoLibrary, path: path, "another library has taken the place of this one",
      hint: "open the library again")
  }
}
