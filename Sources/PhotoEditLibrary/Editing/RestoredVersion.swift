// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// What the database is told of a version that becomes current again.
struct RestoredVersion {
  /// As people see it.
  var size: PixelSize
  /// Seconds; nil for what stays as it is.
  var duration: Double?

  init(size: PixelSize) { self.size = size }

  /// Looks at a file; a movie stays on disk.
  init(reading path: String, _ mediaType: MediaType) throws(EditingError) {
    if mediaType == .video {
      let facts: MovieFacts
      do throws(MovieError) { facts = try MovieFacts.reading(path) } catch {
        throw EditingError(error, path: path)
      }
      (size, duration) = (facts.size, facts.duration)
      return
    }
    let bytes = try PhotoEdit.filing { () throws(FileError) in try FileBytes.reading(path) }
    do throws(RenderError) { size = try Picture(bytes).size } catch {
      throw EditingError(error, path: path)
    }
  }
}
