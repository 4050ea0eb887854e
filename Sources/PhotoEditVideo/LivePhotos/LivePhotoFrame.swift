// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// One picture of a Live Photo: its still, or a frame of the movie around it.
public struct LivePhotoFrame: Sendable, Hashable {
  /// What the picture is.
  public enum Kind: String, Sendable, Hashable {
    /// The still.
    case photo
    /// A frame of the movie.
    case video
  }

  /// Upright, 8 or 16 bits a sample; the numbers are those of the file's own colour space.
  public let image: SampleImage
  /// What it is.
  public let kind: Kind
  /// Seconds from the beginning of the movie; of the still, the moment that it shows.
  public let time: Double
  /// Pixels of this picture per pixel of the still: lengths in pixels are to be multiplied by it.
  public let renderScale: Double
}
