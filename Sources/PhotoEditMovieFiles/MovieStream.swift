// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
public import PhotoEditStorage

/// One track of a movie.
public struct MovieStream: Sendable, Hashable {
  /// What a stream is made of.
  public enum Kind: String, Sendable, Hashable {
    /// Pictures in time.
    case video
    /// Sound.
    case audio
    /// Text that is shown in time.
    case subtitle
    /// Anything else that has a time: time codes, measurements.
    case data
  }

  /// The place among the streams of the source, from 0.
  public var index: Int
  /// What it is made of.
  public var kind: Kind
  /// The four-character code, such as "avc1"; FFmpeg's name in Matroska and AVI.
  public var codec: String
  /// How many packets (frames, for video) there are; nil when only playing would tell.
  public var packets: Int?
  /// The SHA-256 of all packets in order; nil when the file was copied or only inspected.
  public var digest: Digest?
  /// Seconds of media.
  public var duration: Double
  /// Degrees clockwise for upright display: 0, 90, 180 or 270; nil for any other transform.
  public var rotation: Int?
  /// The language as three letters of ISO 639-2; nil when undetermined.
  public var language: String?
  /// Coded pixels across; 0 when it has no pictures.
  public var width: Int
  /// Coded pixels down; 0 when it has no pictures.
  public var height: Int
  /// How the container describes colours; nil when it does not.
  public var colour: MovieColour?
  /// Which stretches of the media are presented; empty when all of it is, from its beginning.
  public var edits: [Edit] = []
  /// The names of what a timed metadata track tells.
  public var metadataKeys: [String] = []
  /// How loud it is played, 1 for as it is; nil for what is not heard, and in Matroska and AVI.
  public var volume: Double?

  /// A stretch of presentation.
  public struct Edit: Sendable, Hashable {
    /// Where it begins in the media, in seconds; nil where nothing is presented.
    public var start: Double?
    /// Seconds.
    public var duration: Double
    /// Seconds of media for each second; 1 is normal speed.
    public var rate: Double
  }

  /// As players show the pictures.
  package var shownSize: PixelSize {
    let isTurned = rotation == 90 || rotation == 270
    return PixelSize(width: isTurned ? height : width, height: isTurned ? width : height)
  }
}
