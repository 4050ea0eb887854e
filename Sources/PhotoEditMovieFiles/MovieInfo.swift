// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// The properties of a video file.
public struct MovieInfo: Sendable, Hashable {
  /// The container, detected from the content.
  public var container: MovieContainer
  /// Duration of the longest stream in seconds.
  public var duration: Double
  /// The streams in file order.
  public var streams: [MovieStream]
  /// Text and numbers that describe the entire file, such as "com.apple.quicktime.make" or "©nam".
  public var tags: [String: String]
  /// The creation date in the header, in seconds since 1970; nil if the header has none.
  public var creationDate: Double?
  /// The number of chapters; 0 for Matroska and AVI, where it is not determined.
  public var chapterCount = 0
  /// The still image time of a Live Photo, in seconds from the beginning; nil if no track contains
  /// it.
  public var stillImageTime: Double?
  /// Indicates whether the file is fragmented.
  public var isFragmented = false
  /// Indicates whether a stream cannot be played without a key, according to QuickTime or MPEG-4
  /// boxes.
  public var isEncrypted = false

  /// Duration of the longest video stream in seconds, or of the longest stream without video.
  public var videoDuration: Double {
    streams.filter { $0.kind == .video }.map(\.duration).max() ?? duration
  }

  /// Indicates whether the still image time is outside the video.
  public var isStillImageTimeOutside: Bool {
    stillImageTime.map { !(0...max(0, videoDuration)).contains($0) } ?? false
  }

  /// The still image time of a Live Photo, in seconds from the beginning; the middle if no track
  /// contains it or it is outside the video.
  public var photoTime: Double {
    stillImageTime.flatMap { isStillImageTimeOutside ? nil : $0 } ?? videoDuration / 2
  }

  /// The video stream with the largest frames; nil if there is only audio.
  package var videoStream: MovieStream? {
    streams.filter { $0.kind == .video && $0.width > 0 && $0.height > 0 }
      .max { $0.width * $0.height < $1.width * $1.height }
  }

  /// The display size; zero if there is only audio.
  package var shownSize: PixelSize { videoStream?.shownSize ?? PixelSize(width: 0, height: 0) }

  /// Duration of the longest stream in seconds if it is a valid number, otherwise 0.
  package var playingTime: Double { duration.isFinite ? max(duration, 0) : 0 }

  /// Frames per second; nil for audio, and if it can only be determined by playing.
  package var frameRate: Double? {
    guard let videoStream, let frames = videoStream.packets, videoStream.duration > 0 else {
      return nil
    }
    return Double(frames) / videoStream.duration
  }

  /// The identifier that pairs the video with the still image of a Live Photo.
  public var contentIdentifier: String? { tags[contentIdentifierKey] }
}
