// SPDX-License-Identifier: Apache-2.0
public import PhotoEditMovieFiles
public import PhotoEditPixels

/// What rendered frames are encoded with; always in software, at constant quality.
public enum VideoCodec: String, Sendable, Hashable, CaseIterable {
  /// H.264 by libx264.
  case h264
  /// H.265 by libx265.
  case hevc

  /// FFmpeg's name of the encoder.
  var encoder: String { self == .h264 ? "libx264" : "libx265" }
  /// The four characters of the sample entry that QuickTime expects.
  var fourCC: String { self == .h264 ? "avc1" : "hvc1" }
  /// A quality that eyes hardly tell from the source's.
  var defaultQuality: Double { self == .h264 ? 18 : 20 }
}

/// How much time the encoder takes to make the file small, in the names of its presets.
public enum VideoPreset: String, Sendable, Hashable, CaseIterable {
  /// The largest files, at once.
  case ultrafast
  /// Nearly at once.
  case superfast
  /// Very quickly.
  case veryfast
  /// More quickly than fast.
  case faster
  /// Quickly.
  case fast
  /// The encoder's own choice.
  case medium
  /// Slowly.
  case slow
  /// More slowly than slow.
  case slower
  /// The smallest files.
  case veryslow
}

/// How frames are rendered and encoded.
public struct VideoOptions: Sendable {
  /// What the frames are encoded with.
  public var codec = VideoCodec.h264
  /// The constant rate factor, 0 to 51: lower is better; nil for 18 (H.264) or 20 (H.265).
  public var quality: Double?
  /// How much time the encoder takes.
  public var preset = VideoPreset.medium
  /// Threads of the decoder, of the filters and of the encoder each; nil means one for each core.
  public var threads: Int?
  /// What to do with a movie that is not QuickTime.
  public var remuxing = MovieRemuxing.auto
  /// The still around which the movie lies and for which the lengths of a graph are meant; nil where
  /// they are meant for the frames.
  public var stillSize: PixelSize?

  /// Makes the default options.
  public init() {}
}
