// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The cost of decoding an HEIF image, counted while its parts are inspected, and its limits.
struct HEIFDecodingLimits {
  let limits: ImageLimits
  /// The size of the file in bytes.
  let fileSize: Int
  /// Number of pixels in all coded pictures.
  private(set) var pixels = 0
  /// Number of images, including those that are derived from others.
  private(set) var partCount = 0
  /// The largest coded picture; in a grid, a tile.
  private var largestCoded = 0
  /// Quarters of samples that a decoder holds for a pixel of a coded picture, at most.
  private var heldQuarters = 0
  private var readBytes = 0

  init(limits: ImageLimits, fileSize: Int) { (self.limits, self.fileSize) = (limits, fileSize) }

  /// The tiles of the largest grid, and the resulting image.
  private static let maximumPartCount = 65_536 + 1
  /// Maximum excess of a coded picture over its image, for complete coding blocks.
  private static let maximumPadding = 128

  /// Number of samples held for coded pictures at a time.
  var samplesInWork: Int {
    min(largestCoded * (partCount > 1 ? 4 : 1), pixels) * heldQuarters / 4
  }

  /// Counts decoded pixels, and rejects a coded picture that exceeds the size stated in the file.
  ///
  /// Measured with libheif 1.15 of Debian 12, besides the planes that are returned: decoding HEVC
  /// holds up to 1.35 frames, decoding AV1 up to 3.3.
  mutating func check(
    _ coded: PixelSize, _ size: PixelSize, _ chroma: ChromaFormat, isAV1: Bool
  ) throws(CodecError) {
    let halves = [ChromaFormat.gray: 2, .halfBoth: 3, .halfColumns: 4, .full: 6][chroma] ?? 6
    heldQuarters = max(heldQuarters, halves * (isAV1 ? 8 : 3))
    guard coded.width <= size.width + Self.maximumPadding,
      coded.height <= size.height + Self.maximumPadding
    else { throw .damaged("coded picture has \(coded) pixels, expected \(size)") }
    largestCoded = max(largestCoded, coded.pixelCount)
    // Tiles of a thumbnail are padded to several times their size, so small images get a minimum
    // allowance.
    try countPixels(coded.pixelCount)
  }

  mutating func countPixels(_ count: Int) throws(CodecError) {
    pixels += count
    let (allowed, overflows) = limits.maximumPixels.multipliedReportingOverflow(by: 4)
    guard overflows || pixels <= max(allowed, 1 << 24) else {
      throw .limitExceeded(.pixels, value: pixels, allowed: limits.maximumPixels)
    }
  }

  mutating func countParts(_ count: Int) throws(CodecError) {
    partCount += count
    guard partCount <= Self.maximumPartCount else {
      throw .unsupported(
        "an HEIF image with \(partCount) parts or more (maximum: \(Self.maximumPartCount))")
    }
  }

  /// Counts the bytes read from coded pictures, and rejects overlapping items.
  ///
  /// In a well-formed file, every byte belongs to one image; parameters shared by all tiles are
  /// small.
  mutating func countBytes(_ count: Int) throws(CodecError) {
    readBytes += count
    guard readBytes <= max(4 * fileSize, 1 << 24) else {
      throw .damaged("coded pictures are larger than the file")
    }
  }
}
