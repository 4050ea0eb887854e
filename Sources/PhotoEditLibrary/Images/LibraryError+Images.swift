// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditRendering
import PhotoEditStorage

extension LibraryError {
  static let imageCancelled = LibraryError(
    .userCancelled, "the request for a picture was cancelled")

  static let cropNeedsExactSize = LibraryError(
    .changeNotSupported, "a part of a picture is wanted at a size that is not exact",
    hint: "set resizeMode to exact along with normalizedCropRect")

  static func cropOutside(_ region: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "the part \(region) does not lie inside of the picture",
      hint: "normalizedCropRect runs from 0 to 1 in both directions")
  }

  static func noPicture(_ identifier: String, _ kind: MediaType) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset, "the asset is of media type \(kind) and has no picture",
      identifiers: [identifier])
  }

  static func noMovie(_ identifier: String, _ kind: MediaType) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset, "the asset is of media type \(kind) and has no movie",
      identifiers: [identifier])
  }

  static func plainStill(_ identifier: String) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset,
      "the current version of the Live Photo is a still without a movie",
      hint: "ask for the original version, or revert the edit", identifiers: [identifier])
  }

  static func noFrame(_ path: String, _ reason: String) -> LibraryError {
    LibraryError(.invalidResource, path: path, "there is no picture of the movie: \(reason)")
  }

  static func noVersion(_ identifier: String) -> LibraryError {
    LibraryError(
      .missingResource, "the asset has no file of this version",
      hint: "run `photoedit library check`", identifiers: [identifier])
  }

  /// Converts the error of rendering a thumbnail of a file.
  init(_ error: RenderError, path: String) {
    if case .cancelled = error {
      self = .imageCancelled
      return
    }
    self.init(.invalidResource, path: path, "\(error)")
  }
}
