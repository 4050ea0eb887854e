// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// What a file says of its picture before a pixel is decoded.
public struct ImageHeader: Sendable, Hashable {
  /// The format, found by content.
  public let format: ImageFormat
  /// Stored pixels; the orientation of the metadata is not applied.
  public let size: PixelSize
  /// How the rows lie in memory that `ImageDecoder.readRows` writes.
  public let layout: RowLayout
  /// How the file says colour.
  public let sourceColor: SourceColor
  /// Bits of one stored sample or palette index, 1 to 16.
  public let bitsPerSample: Int
  /// Whether the picture comes in several passes: progressive JPEG, interlaced PNG.
  public let isProgressive: Bool

  /// Makes a header of its parts.
  package init(
    format: ImageFormat, size: PixelSize, layout: RowLayout, sourceColor: SourceColor,
    bitsPerSample: Int, isProgressive: Bool
  ) {
    self.format = format
    self.size = size
    self.layout = layout
    self.sourceColor = sourceColor
    self.bitsPerSample = bitsPerSample
    self.isProgressive = isProgressive
  }
}
