// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditRendering
import PhotoEditStorage

extension LibraryError {
  static let imageCancelled = LibraryError(
    .userCancelled, "the image request was canceled")

  static let cropNeedsExactSize = LibraryError(
    .changeNotSupported, "normalizedCropRect requires an exact size",
    hint: "set resizeMode to exact")

  static func cropOutside(_ region: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "normalizedCropRect \(region) is outside the image",
      hint: "use coordinates from 0 to 1")
  }

  static func noImage(_ identifier: String, _ kind: MediaType) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset, "the asset has media type \(kind) and no image",
      identifiers: [identifier])
  }

  static func noMovie(_ identifier: String, _ kind: MediaType) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset, "the asset has media type \(kind) and no video",
      identifiers: [identifier])
  }

  static func plainStill(_ identifier: String) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset,
      "the current version of the Live Photo is a still image without a video",
      hint: "request the original version, or revert the edit", identifiers: [identifier])
  }

  static func noFrame(_ path: String, _ reason: String) -> LibraryError {
    LibraryError(.invalidResource, path: path, "cannot read a frame of the video: \(reason)")
  }

  static func noVersion(_ identifier: String) -> LibraryError {
    LibraryError(
      .missingResource, "the asset has no file of this version",
      hint: "run 'photoedit library check'", identifiers: [identifier])
  }

  /// Converts the error of rendering a thumbnail of a file.
  init(_ error: RenderError, path: String) {
    if case .cancelled = error {
      self = .imageCancelled
      return
    }
    self.init(.invalidResource, path: path, "\(error)", hint: error.hint)
  }
}
