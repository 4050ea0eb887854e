// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// Makes small pictures of one file's content.
///
/// Requests run beside each other, so each of them has one thread.
struct PictureMaker {
  /// Asked whether to stop.
  typealias Question = @Sendable () -> Bool

  /// Named in errors.
  let path: String
  let isCancelled: Question

  /// Reads what may be a picture.
  static func picture(_ bytes: FileBytes, _ path: String) throws(LibraryError) -> Picture {
    do throws(RenderError) { return try Picture(bytes) } catch {
      throw LibraryError(error, path: path)
    }
  }

  /// A picture of a file in the shape wanted.
  func image(of picture: Picture, _ shape: ThumbnailShape) throws(LibraryError) -> SampleImage {
    do throws(RenderError) {
      return try Thumbnailer.thumbnail(of: picture, shape: shape, options: options).image
    } catch {
      throw LibraryError(error, path: path)
    }
  }

  /// A frame of a movie in the shape wanted.
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
