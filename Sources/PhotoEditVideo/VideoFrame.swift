// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// One frame of a video.
public struct VideoFrame: Sendable, Hashable {
  /// RGB with the orientation applied, 8 bits per sample, or 16 if the video has more than 8; in
  /// the video's own color space.
  public let image: ImageBuffer
  /// The presentation time in seconds from the start of the video; negative if an edit list hides
  /// the frame.
  public let time: Double
  /// Indicates whether it can be decoded on its own.
  public let isKey: Bool
}
