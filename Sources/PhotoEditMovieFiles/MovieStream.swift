// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
public import PhotoEditStorage

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
