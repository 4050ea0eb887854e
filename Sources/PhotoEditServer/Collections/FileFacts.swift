// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The properties of a photo or video file that a list shows.
struct FileFacts: Sendable {
  /// The size with the orientation applied.
  let size: PixelSize
  let date: Date?
  /// The seconds of a video; 0 for an image.
  var duration = 0.0
  let subtypes: MediaSubtype
  let device: DeviceProperties
  let location: LocationCoordinate?
  /// The identifier that the still and the video of a Live Photo share.
  let pair: String?

  /// Reads a file; nil if it is neither an image nor a video.
  init?(_ path: String) {
    if Self.isMovie(path) {
      guard let info = try? PassthroughExport.inspect(path), info.videoStream != nil else {
        return nil
      }
      let media = MediaProperties(
        movie: info.tags, created: info.creationDate, frameRate: info.frameRate, hasVideo: true)
      (size, date, subtypes) = (info.shownSize, media.creationDate, media.subtypes)
      (duration, pair) = (info.playingTime, info.contentIdentifier)
      (device, location) = (DeviceProperties(movie: info.tags), media.location)
    } else {
      guard let image = try? ImageSource(FileBytes.reading(path)) else { return nil }
      let capture = image.metadata.captureFacts(of: image.header.format)
      let media = MediaProperties(capture)
      (size, date, subtypes) = (image.size, media.creationDate, media.subtypes)
      pair = capture.contentIdentifier
      (device, location) = (DeviceProperties(image.metadata.summary), media.location)
    }
  }

  /// Indicates whether a name is that of a photo or a video.
  static func isListed(_ name: String) -> Bool {
    !name.hasPrefix(".") && (images.contains(ending(of: name)) || isMovie(name))
  }

  /// Indicates whether a name is that of a video.
  static func isMovie(_ name: String) -> Bool { movies.contains(ending(of: name)) }

  private static func ending(of name: String) -> String {
    FileSystem.splitName(name).fileExtension.lowercased()
  }

  private static let images: Set = [
    "jpg", "jpeg", "png", "heic", "heif", "avif", "webp", "tif", "tiff", "gif",
  ]
  private static let movies: Set = [
    "mov", "qt", "mp4", "m4v", "3gp", "3g2", "mkv", "webm", "avi",
  ]
}
