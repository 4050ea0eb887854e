// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// The properties of an image that are known before decoding.
public struct ImageHeader: Sendable, Hashable {
  /// The format, detected by content.
  public let format: ImageFormat
  /// The stored size; the orientation in the metadata is not applied.
  public let size: PixelSize
  /// The layout of the rows written by `ImageDecoder.readRows`.
  public let layout: RowLayout
  /// The color model of the file.
  public let sourceColor: SourceColor
  /// Bits per stored sample or palette index, 1 to 16.
  public let bitsPerSample: Int
  /// Indicates whether the image is stored in several passes: progressive JPEG, interlaced PNG.
  public let isProgressive: Bool

  /// Creates a header from its parts.
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
