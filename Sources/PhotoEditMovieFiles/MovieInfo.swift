// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
public import PhotoEditStorage

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
  /// The creation date in the header, in seconds since 1970; nil if the header has none or the zero
  /// of a clock that was not set.
  public var creationDate: Double?
  /// The number of chapters; 0 for Matroska and AVI, where it is not determined.
  public var chapterCount = 0
  /// The still image time of a Live Photo, in seconds from the beginning; nil if no track contains
  /// it.
  public var stillImageTime: Double?
  /// Indicates whether the file is fragmented.
  public var isFragmented = false
  /// A packet of XMP in QuickTime or MPEG-4 boxes; nil for none.
  package var packet: [UInt8]?
  /// Indicates whether a stream cannot be played without a key, according to QuickTime or MPEG-4
  /// boxes.
  public var isEncrypted = false
  /// The reason why the end of the file is missing; nil for a whole file.
  public var damage: MovieError?

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

/// One track of a video file.
public struct MovieStream: Sendable, Hashable {
  /// The media type of a stream.
  public enum Kind: String, Sendable, Hashable {
    /// Video frames.
    case video
    /// Audio.
    case audio
    /// Timed text.
    case subtitle
    /// Any other timed data: timecodes, measurements.
    case data
  }

  /// The index among the streams of the source, from 0.
  public var index: Int
  /// The media type.
  public var kind: Kind
  /// The four-character code, such as "avc1"; FFmpeg's name for Matroska and AVI.
  public var codec: String
  /// The number of packets (frames, for video); nil if it can only be determined by playing.
  public var packets: Int?
  /// The SHA-256 digest of all packets in order; nil if it was not requested, or if the file was
  /// copied or only inspected.
  public var digest: SHA256Digest?
  /// Duration of the media in seconds.
  public var duration: Double
  /// The clockwise rotation for display in degrees: 0, 90, 180 or 270; nil for any other transform.
  public var rotation: Int?
  /// The language as three letters of ISO 639-2; nil if undetermined.
  public var language: String?
  /// Width in coded pixels; 0 if it is not video.
  public var width: Int
  /// Height in coded pixels; 0 if it is not video.
  public var height: Int
  /// The color description of the container; nil if absent.
  public var color: VideoColorProperties?
  /// The edit list; empty if all of the media is presented from its beginning.
  public var edits: [Edit] = []
  /// The keys of a timed metadata track.
  public var metadataKeys: [String] = []
  /// The playback volume, 1 is unchanged; nil if it is not audio, and for Matroska and AVI.
  public var volume: Double?

  /// An edit list entry.
  public struct Edit: Sendable, Hashable {
    /// The start in the media, in seconds; nil if nothing is presented.
    public var start: Double?
    /// Duration in seconds.
    public var duration: Double
    /// Seconds of media per second of presentation; 1 is normal speed.
    public var rate: Double
  }

  /// The display size.
  package var shownSize: PixelSize {
    let swapsDimensions = rotation == 90 || rotation == 270
    return PixelSize(
      width: swapsDimensions ? height : width, height: swapsDimensions ? width : height)
  }
}

/// The color description of a video in its container.
public struct VideoColorProperties: Sendable, Hashable {
  /// Color primaries as in ITU-T H.273: 1 is BT.709, 9 BT.2020, 12 Display P3; 2 is unspecified.
  public var primaries = 2
  /// Transfer characteristics as in ITU-T H.273: 1 is BT.709, 16 PQ, 18 HLG; 2 is unspecified.
  public var transfer = 2
  /// Matrix coefficients as in ITU-T H.273: 1 is BT.709, 9 BT.2020; 2 is unspecified.
  public var matrix = 2
  /// Indicates whether luma uses 0 to 255; nil if the container leaves that to the packets.
  public var isFullRange: Bool?
  /// Indicates whether there is an ICC profile.
  public var hasProfile = false
  /// Indicates whether the mastering display is described (mdcv).
  public var hasMasteringDisplay = false
  /// The maximum pixel and frame-average light levels, in cd/m² (clli).
  public var lightLevel: ContentLightLevel?
  /// The Dolby Vision profile; nil if absent.
  public var dolbyVisionProfile: Int?

  /// The maximum light levels of a video.
  public struct ContentLightLevel: Sendable, Hashable {
    /// The maximum of all pixels, in cd/m².
    public var pixel: Int
    /// The maximum of all frame averages, in cd/m².
    public var frameAverage: Int
  }

  /// Indicates whether the video has high dynamic range.
  public var isHDR: Bool { transfer == 16 || transfer == 18 || dolbyVisionProfile != nil }

  /// Reads the boxes of a video sample description; nil if none describes color.
  init?(_ boxes: [Box], in reader: BoxReader) {
    var isSpecified = false
    for box in boxes {
      do throws(MovieError) {
        isSpecified = try read(reader.reader(box), box.type) || isSpecified
      } catch {
        // A truncated description is ignored; the packets are copied unchanged.
        continue
      }
    }
    guard isSpecified else { return nil }
  }

  private mutating func read(_ reader: BoxReader, _ type: FourCC) throws(MovieError) -> Bool {
    var cursor = reader
    switch type {
    case "colr":
      let form = try cursor.fourCC()
      if form == "prof" || form == "rICC" { hasProfile = true }
      guard form == "nclc" || form == "nclx" else { return hasProfile }
      primaries = Int(try cursor.u16())
      transfer = Int(try cursor.u16())
      matrix = Int(try cursor.u16())
      if form == "nclx" { isFullRange = try cursor.u8() >> 7 == 1 }
    case "mdcv": hasMasteringDisplay = true
    case "clli":
      lightLevel = ContentLightLevel(
        pixel: Int(try cursor.u16()), frameAverage: Int(try cursor.u16()))
    case "dvcC", "dvvC", "dvwC":
      try cursor.skip(2)
      dolbyVisionProfile = Int(try cursor.u8() >> 1)
    default: return false
    }
    return true
  }
}
