// SPDX-License-Identifier: Apache-2.0

/// The codec for rendered frames; always in software, at constant quality.
public enum VideoCodec: String, Sendable, Hashable, CaseIterable {
  /// H.264 by libx264.
  case h264
  /// H.265 by libx265.
  case hevc

  /// The FFmpeg encoder name.
  var encoder: String { self == .h264 ? "libx264" : "libx265" }
  /// The four-character code of the sample entry that QuickTime expects.
  var fourCC: String { self == .h264 ? "avc1" : "hvc1" }
  /// A quality that is visually almost identical to the source.
  var defaultQuality: Double { self == .h264 ? 18 : 20 }
}

/// The encoder preset: a trade-off between encoding time and file size.
public enum VideoPreset: String, Sendable, Hashable, CaseIterable {
  /// The fastest preset, with the largest files.
  case ultrafast
  /// Faster than `veryfast`.
  case superfast
  /// Faster than `faster`.
  case veryfast
  /// Faster than `fast`.
  case faster
  /// Faster than `medium`.
  case fast
  /// The encoder's default.
  case medium
  /// Slower than `medium`.
  case slow
  /// Slower than `slow`.
  case slower
  /// The slowest preset, with the smallest files.
  case veryslow
}

/// The options for rendering and encoding frames.
public struct VideoOptions: Sendable {
  /// The codec of the frames.
  public var codec = VideoCodec.h264
  /// The constant rate factor, 0 to 51: lower is better; nil for 18 (H.264) or 20 (H.265).
  public var quality: Double?
  /// The encoder preset.
  public var preset = VideoPreset.medium
  /// The number of threads each for the decoder, the filters and the encoder; nil means one for
  /// each core.
  public var threads: Int?
  /// The handling of videos that are not QuickTime movies.
  public var remuxing = MovieRemuxing.auto
  /// Indicates whether streams other than video that QuickTime cannot hold are left out and listed
  /// as losses; otherwise the video is rejected.
  public var dropsStreams = false
  /// The size of the still image that the video belongs to and that the graph's lengths refer to;
  /// nil if they refer to the frames.
  public var stillSize: PixelSize?

  /// Creates the default options.
  public init() {}

  var conversion: MovieConversion {
    MovieConversion(remuxing: remuxing, dropsStreams: dropsStreams)
  }
}
