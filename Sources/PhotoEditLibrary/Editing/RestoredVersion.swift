// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// The properties to store for a version that becomes current again.
struct RestoredVersion {
  /// The size with the orientation applied.
  var size: PixelSize
  /// The duration in seconds; nil to leave it unchanged.
  var duration: Double?

  init(size: PixelSize) { self.size = size }

  /// Reads the properties of a file; a video is not read into memory.
  init(reading path: String, _ mediaType: MediaType) throws(EditingError) {
    if mediaType == .video {
      let facts = try translating(
        { EditingError($0 as MovieError, path: path) }, VideoProperties.reading(path))
      (size, duration) = (facts.size, facts.duration)
      return
    }
    let bytes = try PhotoEdit.mapFileErrors(FileBytes.reading(path))
    size = try translating({ EditingError($0 as RenderError, path: path) }, ImageSource(bytes)).size
  }
}
