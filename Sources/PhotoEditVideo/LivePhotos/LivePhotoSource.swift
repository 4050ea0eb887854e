// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditStorage

/// The Live Photo that an edit starts with.
struct LivePhotoSource: Sendable {
  let input: EditingInput
  /// The path of the video.
  let movie: String
  /// The coded size of the video's frames.
  let movieSize: PixelSize
  /// The duration of the video in seconds.
  let duration: Double
  /// The still image time, in seconds from the start of the video.
  let photoTime: Double
  /// Indicates whether the video specifies a still image time outside its duration.
  let isPhotoTimeWrong: Bool

  /// Inspects both parts; returns nil if the input is not a Live Photo.
  init?(_ input: EditingInput) throws(EditingError) {
    guard input.media == .livePhoto, let url = input.audiovisualURL else { return nil }
    let info = try translating(
      { EditingError(VideoError($0 as MovieError), path: url.path) },
      PassthroughExport.inspect(url.path))
    self.input = input
    movie = url.path
    let image = info.streams.first { $0.kind == .video }
    movieSize = PixelSize(width: image?.width ?? 0, height: image?.height ?? 0)
    duration = info.duration
    photoTime = info.photoTime
    isPhotoTimeWrong = info.isStillImageTimeOutside
  }
}
