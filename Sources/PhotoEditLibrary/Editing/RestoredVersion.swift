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
      let facts: VideoProperties
      do throws(MovieError) { facts = try VideoProperties.reading(path) } catch {
        throw EditingError(error, path: path)
      }
      (size, duration) = (facts.size, facts.duration)
      return
    }
    let bytes = try PhotoEdit.mapFileErrors { () throws(FileError) in try FileBytes.reading(path) }
    do throws(RenderError) { size = try ImageSource(bytes).size } catch {
      throw EditingError(error, path: path)
    }
  }
}
