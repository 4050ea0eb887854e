// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// The size of a thumbnail and the part of the image that it shows.
public struct ThumbnailShape: Hashable, Sendable {
  /// The mode for fitting an image to a box with another aspect ratio.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Aspect fit: the whole image is inside the box.
    case fit
    /// Aspect fill: the image covers the box; the excess is kept, or cropped if the shape is exact.
    case fill
  }

  /// The box in pixels; a side below 1 counts as 1.
  public var box: PixelSize
  /// The fitting mode.
  public var mode: Mode
  /// Indicates whether an image that fills the box is cropped to it, equally on both sides.
  public var isExact: Bool
  /// The part to show of the image with its orientation applied.
  public var crop: NormalizedRect
  /// Indicates whether an image smaller than the box is enlarged.
  public var mayEnlarge: Bool

  /// Creates a shape; by default the whole image is shown, and it is never enlarged.
  public init(
    box: PixelSize, mode: Mode = .fit, isExact: Bool = false, crop: NormalizedRect = .whole,
    mayEnlarge: Bool = false
  ) {
    self.box = box
    self.mode = mode
    self.isExact = isExact
    self.crop = crop
    self.mayEnlarge = mayEnlarge
  }

  /// Creates the shape of a square box.
  public init(side: Int, mode: Mode = .fit, isExact: Bool = false) {
    self.init(box: PixelSize(width: side, height: side), mode: mode, isExact: isExact)
  }

  /// The box that a video frame may be reduced to before the thumbnail is created from it; nil if
  /// the thumbnail may need more of its pixels.
  public var frameBox: PixelSize? {
    mode == .fit && crop == .whole && !mayEnlarge ? box : nil
  }

  /// Returns the part to crop from an image with its orientation applied, and the size to which it
  /// is resized.
  ///
  /// - Parameter image: The size of the image with its orientation applied, which is not empty.
  public func layout(of image: PixelSize) -> (part: Region, size: PixelSize) {
    let part = crop.region(in: image)
    let box = PixelSize(width: max(1, self.box.width), height: max(1, self.box.height))
    let ratios = (
      x: Double(box.width) / Double(part.width), y: Double(box.height) / Double(part.height)
    )
    let requestedScale = mode == .fit ? min(ratios.x, ratios.y) : max(ratios.x, ratios.y)
    let scale = mayEnlarge ? requestedScale : min(1, requestedScale)
    guard mode == .fill, isExact else {
      let size = PixelSize(
        width: Self.side(part.width, scale, along: ratios.x, box.width),
        height: Self.side(part.height, scale, along: ratios.y, box.height))
      return (part, size)
    }
    let cropped = PixelSize(
      width: Self.cropped(box.width, requestedScale, part.width),
      height: Self.cropped(box.height, requestedScale, part.height))
    let middle = Region(
      x: part.x + (part.width - cropped.width) / 2, y: part.y + (part.height - cropped.height) / 2,
      width: cropped.width, height: cropped.height)
    return (middle, scale == requestedScale ? box : cropped)
  }

  /// Returns a side of the image; if its own ratio is the scale, it matches the box exactly.
  private static func side(_ side: Int, _ scale: Double, along ratio: Double, _ box: Int) -> Int {
    scale == ratio ? box : max(1, Int((Double(side) * scale).rounded()))
  }

  /// Returns the number of image pixels that a side of the box covers.
  private static func cropped(_ box: Int, _ scale: Double, _ side: Int) -> Int {
    min(side, max(1, Int((Double(box) / scale).rounded())))
  }
}
