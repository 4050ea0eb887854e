// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// Renders thumbnails of one file.
///
/// Requests run in parallel, so each of them uses one thread.
struct PictureMaker {
  /// Returns true to cancel the work.
  typealias Question = @Sendable () -> Bool

  /// The path for error messages.
  let path: String
  let isCancelled: Question

  /// Reads a file that may be an image.
  static func picture(_ bytes: FileBytes, _ path: String) throws(LibraryError) -> Picture {
    do throws(RenderError) { return try Picture(bytes) } catch {
      throw LibraryError(error, path: path)
    }
  }

  /// Returns an image of a file in the requested shape.
  func image(of picture: Picture, _ shape: ThumbnailShape) throws(LibraryError) -> SampleImage {
    do throws(RenderError) {
      return try Thumbnailer.thumbnail(of: picture, shape: shape, options: options).image
    } catch {
      throw LibraryError(error, path: path)
    }
  }

  /// Returns a video frame in the requested shape.
  func image(of frame: SampleImage, _ shape: ThumbnailShape) throws(LibraryError) -> SampleImage {
    do throws(RenderError) {
      return try Thumbnailer.thumbnail(of: frame, shape: shape, options: options).image
    } catch {
      throw LibraryError(error, path: path)
    }
  }

  private var options: RenderOptions {
    var options = RenderOptions()
    options.isCancelled = isCancelled
    options.threads = 1
    return options
  }
}
