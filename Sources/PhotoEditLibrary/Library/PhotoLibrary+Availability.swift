// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
  /// The reason why the library can no longer be used; nil if it can.
  ///
  /// The code is `libraryVolumeOffline` if its folder was removed, for example with its disk, and
  /// `switchingSystemPhotoLibrary` if another library is at its path. Reading and changing fail
  /// with the same error, so nothing is ever written to a different folder of the same name.
  public var unavailabilityReason: LibraryError? { reader.unavailabilityReason }
}

extension LibraryError {
  static func replaced(_ path: String) -> LibraryError {
    LibraryError(
      .switchingSystemPhotoLibrary, path: path, "this library was replaced by another one",
      hint: "reopen the library")
  }
}
