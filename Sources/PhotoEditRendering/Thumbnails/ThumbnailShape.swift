// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// How large a thumbnail is and what part of the picture it shows.
public struct ThumbnailShape: Hashable, Sendable {
  /// How a picture lies in a box of another shape.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// All of the picture lies inside of the box.
    case fit
    /// The picture covers the box; what stands out is kept, or cut where the shape is exact.
    case fill
  }

  /// The box in pixels; a side below 1 counts as 1.
  public var box: PixelSize
  /// How the picture lies in it.
  public var mode: Mode
  /// Whether a picture that fills the box is cut to it, evenly on both sides.
  public var isExact: Bool
  /// The part of the upright picture that is shown.
  public var crop: NormalizedRegion
  /// Whether a picture smaller than the box is enlarged.
  public var mayEnlarge: Bool

  /// Makes a shape; the whole picture is shown, and it is never enlarged, unless told otherwise.
  public init(
    box: PixelSize, mode: Mode = .fit, isExact: Bool = false, crop: NormalizedRegion = .whole,
    mayEnlarge: Bool = false
  ) {
    self.box = box
    self.mode = mode
    self.isExact = isExact
    self.crop = crop
    self.mayEnlarge = mayEnlarge
  }

  /// Makes the shape of a square box.
  public init(side: Int, mode: Mode = .fit, isExact: Bool = false) {
    self.init(box: PixelSize(width: side, height: side), mode: mode, isExact: isExact)
  }

  /// The box that a frame of a movie may be fitted into before the thumbnail is made of it; nil
  /// where the thumbnail may need more of its pixels.
  public var frameBox: PixelSize? {
    mode == .fit && crop == .whole && !mayEnlarge ? box : nil
  }

  /// What is cut out of an upright picture, and the size that it then gets.
  ///
  /// - Parameter picture: The size of the upright picture, which is not empty.
  public func layout(of picture: PixelSize) -> (part: Region, size: PixelSize) {
    let part = crop.region(in: picture)
    let box = PixelSize(width: max(1, self.box.width), height: max(1, self.box.height))
    let ratios = (
      x: Double(box.width) / Double(part.width), y: Double(box.height) / Double(part.height)
    )
    let wanted = mode == .fit ? min(ratios.x, ratios.y) : max(ratios.x, ratios.y)
    let scale = mayEnlarge ? wanted : min(1, wanted)
    guard mode == .fill, isExact else {
      let size = PixelSize(
        width: Self.side(part.width, scale, along: ratios.x, box.width),
        height: Self.side(part.height, scale, along: ratios.y, box.height))
      return (part, size)
    }
    let cut = PixelSize(
      width: Self.cut(box.width, wanted, part.width),
      height: Self.cut(box.height, wanted, part.height))
    let middle = Region(
      x: part.x + (part.width - cut.width) / 2, y: part.y + (part.height - cut.height) / 2,
      width: cut.width, height: cut.height)
    return (middle, scale == wanted ? box : cut)
  }

  /// A side of the picture; where its own ratio is the scale it meets the box exactly.
  private static func side(_ side: Int, _ scale: Double, along ratio: Double, _ box: Int) -> Int {
    scale == ratio ? box : max(1, Int((Double(side) * scale).rounded()))
  }

  /// Pixels of the picture behind a side of the box.
  private static func cut(_ box: Int, _ scale: Double, _ side: Int) -> Int {
    min(side, max(1, Int((Double(box) / scale).rounded())))
  }
}
