// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// What a movie file says about itself.
public struct MovieInfo: Sendable, Hashable {
  /// The container, judged by content.
  public var container: MovieContainer
  /// Seconds of the longest stream.
  public var duration: Double
  /// The streams in file order.
  public var streams: [MovieStream]
  /// Text and numbers about the whole movie, such as "com.apple.quicktime.make" or "©nam".
  public var tags: [String: String]
  /// When the movie was made by its header, in seconds since 1970; nil when that does not say.
  public var creationDate: Double?
  /// How many chapters there are; 0 in Matroska and AVI, where it is not looked up.
  public var chapterCount = 0
  /// Seconds from the beginning to the moment that a Live Photo's still shows; nil when no track
  /// says it.
  public var stillImageTime: Double?
  /// Whether samples are announced piece by piece.
  public var isFragmented = false
  /// Whether a stream cannot be played without a key, as the boxes of QuickTime and MPEG-4 say.
  public var isEncrypted = false

  /// Seconds of the longest stream of pictures; of the longest stream where there is none.
  public var pictureDuration: Double {
    streams.filter { $0.kind == .video }.map(\.duration).max() ?? duration
  }

  /// Whether a track says that the still shows a moment at which there are no pictures.
  public var isStillImageTimeOutside: Bool {
    stillImageTime.map { !(0...max(0, pictureDuration)).contains($0) } ?? false
  }

  /// The moment that a Live Photo's still shows, in seconds from the beginning; the middle where no
  /// track says it, or one says a moment outside of the pictures.
  public var photoTime: Double {
    stillImageTime.flatMap { isStillImageTimeOutside ? nil : $0 } ?? pictureDuration / 2
  }

  /// The largest stream of pictures; nil for sound.
  package var picture: MovieStream? {
    streams.filter { $0.kind == .video && $0.width > 0 && $0.height > 0 }
      .max { $0.width * $0.height < $1.width * $1.height }
  }

  /// The pictures as players show them; zero for sound.
  package var shownSize: PixelSize { picture?.shownSize ?? PixelSize(width: 0, height: 0) }

  /// Seconds of the longest stream, where a file says a number that can be one; else 0.
  package var playingTime: Double { duration.isFinite ? max(duration, 0) : 0 }

  /// Frames per second; nil for sound, and when only playing would tell.
  package var frameRate: Double? {
    guard let picture, let frames = picture.packets, picture.duration > 0 else { return nil }
    return Double(frames) / picture.duration
  }

  /// What pairs the movie with the still picture of a Live Photo.
  public var contentIdentifier: String? { tags[contentIdentifierKey] }
}
