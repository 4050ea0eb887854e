// SPDX-License-Identifier: Apache-2.0

/// The limits that a decoder enforces.
///
/// The memory limit is checked before decoding starts, because reading only a header needs almost
/// no memory. Every other limit is checked against the header, before memory for pixels is
/// allocated.
public struct ImageLimits: Hashable, Sendable {
  /// The maximum number of pixels in one image; 2²⁸ by default, enough for a 200-megapixel phone
  /// photo.
  public var maximumPixels: Int
  /// The maximum side length in pixels; 65,500 by default, the most that libjpeg can write.
  public var maximumSide: Int
  /// The maximum number of scans of a progressive JPEG; a scan bomb repeats the whole image
  /// thousands of times.
  public var maximumScans: Int
  /// The maximum number of bytes of metadata read from one file, decompressed.
  public var maximumMetadataBytes: Int
  /// The maximum number of bytes of memory for decoding, filtering and encoding one image together;
  /// 1 GiB by default.
  ///
  /// The memory that a rendering needs is estimated from headers, and the estimate is never too
  /// small for images that occur in practice. The file itself and the program are not counted.
  public var maximumMemoryBytes: Int

  /// Creates limits; omitted arguments keep their documented defaults.
  public init(
    maximumPixels: Int = 1 << 28, maximumSide: Int = 65_500, maximumScans: Int = 500,
    maximumMetadataBytes: Int = 64 << 20, maximumMemoryBytes: Int = 1 << 30
  ) {
    (self.maximumPixels, self.maximumSide) = (maximumPixels, maximumSide)
    (self.maximumScans, self.maximumMetadataBytes) = (maximumScans, maximumMetadataBytes)
    self.maximumMemoryBytes = maximumMemoryBytes
  }
}
