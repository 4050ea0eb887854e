// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// Renders thumbnails of one file.
///
/// Requests run in parallel, so each of them uses one thread.
struct ThumbnailGenerator {
  /// Returns true to cancel the work.
  typealias CancellationCheck = @Sendable () -> Bool

  /// The path for error messages.
  let path: String
  let isCancelled: CancellationCheck

  /// Reads a file that may be an image.
  static func source(_ bytes: FileBytes, _ path: String) throws(LibraryError) -> ImageSource {
    try translating({ LibraryError($0 as RenderError, path: path) }, ImageSource(bytes))
  }

  /// Returns an image of a file in the requested shape.
  func image(of source: ImageSource, _ shape: ThumbnailShape) throws(LibraryError) -> ImageBuffer {
    try translating(
      { LibraryError($0 as RenderError, path: path) },
      Thumbnailer.thumbnail(of: source, shape: shape, options: options).image)
  }

  /// Returns a video frame in the requested shape.
  func image(of frame: ImageBuffer, _ shape: ThumbnailShape) throws(LibraryError) -> ImageBuffer {
    try translating(
      { LibraryError($0 as RenderError, path: path) },
      Thumbnailer.thumbnail(of: frame, shape: shape, options: options).image)
  }

  private var options: RenderOptions {
    var options = RenderOptions()
    options.isCancelled = isCancelled
    options.threads = 1
    return options
  }
}
