// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
  /// Why the library cannot be used any more; nil while it can.
  ///
  /// `libraryVolumeOffline` when its folder is gone, such as with its disk, and
  /// `switchingSystemPhotoLibrary` when another library is in its place. Reading and changing fail
  /// with the same error, so nothing is ever written into a folder that only has the name.
  public var unavailabilityReason: LibraryError? { reader.unavailabilityReason }
}

extension LibraryError {
  static func replaced(_ path: String) -> LibraryError {
    LibraryError(
      .switchingSystemPhotoLibrary, path: path, "another library has taken the place of this one",
      hint: "open the library again")
  }
}
