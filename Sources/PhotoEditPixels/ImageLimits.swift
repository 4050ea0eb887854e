// SPDX-License-Identifier: Apache-2.0

/// What a decoder may be asked to do before it refuses.
///
/// Every limit is checked against the header, before memory for pixels is reserved; that of memory
/// where the work begins, for a header alone needs none.
public struct ImageLimits: Hashable, Sendable {
  /// Most pixels in one picture; 2²⁸ by default, which lets a 200-megapixel phone photo through.
  public var maximumPixels: Int
  /// Longest side in pixels; 65,500 by default, the most that libjpeg can write.
  public var maximumSide: Int
  /// Most scans of a progressive JPEG; a scan bomb repeats the whole picture thousands of times.
  public var maximumScans: Int
  /// Most bytes of metadata taken from one file, decompressed.
  public var maximumMetadataBytes: Int
  /// Most bytes of memory for decoding, filtering and encoding one picture together; 1 GiB by default.
  ///
  /// What a rendering takes is estimated from headers, and the estimate is never too small for
  /// pictures that anybody takes; the file itself and the program do not count.
  public var maximumMemoryBytes: Int

  /// Makes limits; what is left out keeps its documented default.
  public init(
    maximumPixels: Int = 1 << 28, maximumSide: Int = 65_500, maximumScans: Int = 500,
    maximumMetadataBytes: Int = 64 << 20, maximumMemoryBytes: Int = 1 << 30
  ) {
    self.maximumPixels = maximumPixels
    self.maximumSide = maximumSide
    self.maximumScans = maximumScans
    self.maximumMetadataBytes = maximumMetadataBytes
    self.maximumMemoryBytes = maximumMemoryBytes
  }
}
