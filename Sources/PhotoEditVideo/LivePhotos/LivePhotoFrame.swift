// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// One image of a Live Photo: its still image, or a frame of its video.
public struct LivePhotoFrame: Sendable, Hashable {
  /// The kind of image.
  public enum Kind: String, Sendable, Hashable {
    /// The still image.
    case photo
    /// A frame of the video.
    case video
  }

  /// The image with its orientation applied, 8 or 16 bits per sample, in the file's own color
  /// space.
  public let image: ImageBuffer
  /// The kind of image.
  public let kind: Kind
  /// Seconds from the start of the video; for the still image, the still image time.
  public let time: Double
  /// The number of pixels of this image per pixel of the still image: lengths in pixels must be
  /// multiplied by it.
  public let renderScale: Double
}
