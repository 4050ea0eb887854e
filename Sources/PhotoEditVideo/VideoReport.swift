// SPDX-License-Identifier: Apache-2.0
public import PhotoEditMovieFiles
public import PhotoEditPixels

/// The result of rendering a video.
public struct VideoReport: Sendable, Hashable {
  /// The written file and its streams; those other than the video are the source's.
  public var movie: MovieReport
  /// The number of rendered frames; equal to that of the source.
  public var frames: Int
  /// The coded size of the new frames.
  public var size: PixelSize
  /// The number of bits per sample of the new frames.
  public var bitsPerSample: Int
  /// The codec of the new frames.
  public var codec: VideoCodec
  /// Indicates whether the frames themselves now have the orientation applied, because the graph
  /// moves pixels; otherwise players rotate them as they rotated the source's.
  public var isOriented: Bool
  /// The properties of the source that the frames do not preserve, one sentence each.
  public var losses: [String]
}

/// The progress of rendering a video.
public struct VideoProgress: Sendable, Hashable {
  /// The number of encoded frames.
  public var frames: Int
  /// The total number of frames; nil if it is known only by reading them.
  public var frameCount: Int?

  /// The fraction from 0 to 1; nil if the total is unknown.
  public var fraction: Double? {
    frameCount.map { $0 > 0 ? min(1, Double(frames) / Double($0)) : 1 }
  }
}
