// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditPixels

/// A small image in sRGB with its orientation applied: 8-bit gray or RGB, without transparency.
public struct Thumbnail: Sendable, Hashable {
  /// The default quality of its JPEG, on libjpeg's scale.
  public static let quality = 85

  /// The pixels.
  public let image: ImageBuffer
  /// Indicates whether it is a thumbnail that was already in the file: it can be smaller than
  /// requested, and need not match the image.
  public let isDegraded: Bool

  /// Creates a thumbnail from pixels in sRGB.
  package init(_ image: ImageBuffer, isDegraded: Bool = false) {
    (self.image, self.isDegraded) = (image, isDegraded)
  }

  /// The width and height.
  public var size: PixelSize { image.size }
  /// Indicates whether it has no color.
  public var isGray: Bool { image.layout.channels == .gray }

  /// Returns the thumbnail as a JPEG with 4:2:0 chroma sampling.
  ///
  /// If it has color, it has an sRGB profile; it contains no metadata about location, date or
  /// author.
  ///
  /// - Parameter quality: From 1 to 100 on libjpeg's scale.
  /// - Throws: `CodecError.encoding` for more than 65,500 pixels in a row or column.
  public func jpeg(quality: Int = Thumbnail.quality) throws(CodecError) -> [UInt8] {
    precondition((1...100).contains(quality), "qualities run from 1 to 100")
    let settings = JPEGSettings(quality: quality, sampling: .s420, isGray: isGray)
    return try image.jpeg(settings, segments: isGray ? [] : Self.profileSegments)
  }

  /// Returns the thumbnail as an 8-bit PNG in sRGB, without metadata.
  ///
  /// - Throws: `CodecError.encoding` if it cannot be encoded.
  public func png() throws(CodecError) -> [UInt8] {
    try PNGEncoder.encode(image)
  }

  private static let profileSegments: [JPEGSegment] =
    ICCProfile.sRGB.flatMap { ICCProfile.segments(for: $0.bytes) } ?? []
}

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
    (self.box, self.mode, self.isExact, self.crop) = (box, mode, isExact, crop)
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
