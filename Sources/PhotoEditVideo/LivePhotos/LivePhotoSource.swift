// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditMovieFiles
import PhotoEditPixels

/// The Live Photo that an edit begins with.
struct LivePhotoSource: Sendable {
  let input: EditingInput
  /// Where the movie is.
  let movie: String
  /// Coded size of the movie's frames.
  let movieSize: PixelSize
  /// Seconds of the movie.
  let duration: Double
  /// The moment that the still shows, in seconds from the beginning of the movie.
  let photoTime: Double
  /// Whether the movie says a moment that it does not have.
  let isPhotoTimeWrong: Bool

  /// Looks at both parts; nil where the input is no Live Photo.
  init?(_ input: EditingInput) throws(EditingError) {
    guard input.media == .livePhoto, let url = input.audiovisualURL else { return nil }
    let info: MovieInfo
    do throws(MovieError) { info = try MoviePassThrough.inspect(url.path) } catch {
      throw EditingError(VideoError(error), path: url.path)
    }
    self.input = input
    movie = url.path
    let picture = info.streams.first { $0.kind == .video }
    movieSize = PixelSize(width: picture?.width ?? 0, height: picture?.height ?? 0)
    duration = info.duration
    photoTime = info.photoTime
    isPhotoTimeWrong = info.isStillImageTimeOutside
  }
}
