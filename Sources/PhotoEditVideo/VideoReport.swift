// SPDX-License-Identifier: Apache-2.0
public import PhotoEditMovieFiles
public import PhotoEditPixels

/// What rendering a movie gave.
public struct VideoReport: Sendable, Hashable {
  /// The file that was written and its streams; those that are not pictures are the source's.
  public var movie: MovieReport
  /// Frames that were rendered; as many as the source has.
  public var frames: Int
  /// Coded size of the new frames.
  public var size: PixelSize
  /// Bits of a sample of the new frames.
  public var bitsPerSample: Int
  /// What the new frames are encoded with.
  public var codec: VideoCodec
  /// Whether the frames now stand upright themselves, because the graph moves pixels; otherwise
  /// players turn them as they turned the source's.
  public var isUpright: Bool
  /// What of the source the frames do not hold, one sentence each.
  public var losses: [String]
}

/// How far rendering a movie has come.
public struct VideoProgress: Sendable, Hashable {
  /// Frames that are encoded.
  public var frames: Int
  /// Frames that there are; nil when only reading tells.
  public var frameCount: Int?

  /// 0 to 1; nil when nobody knows.
  public var fraction: Double? {
    frameCount.map { $0 > 0 ? min(1, Double(frames) / Double($0)) : 1 }
  }
}
