// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
import PhotoEditPlatform

/// The number of luma samples per chroma sample.
public struct ChromaSampling: Hashable, Sendable, CustomStringConvertible {
  /// Horizontal luma samples per chroma sample, 1 to 4.
  public let horizontal: Int
  /// Vertical luma samples per chroma sample, 1 to 4.
  public let vertical: Int

  /// Creates a sampling; both values from 1 to 4, and at most 8 luma blocks per MCU.
  public init(horizontal: Int, vertical: Int) {
    (self.horizontal, self.vertical) = (horizontal, vertical)
  }

  /// One chroma sample for every pixel.
  public static let s444 = ChromaSampling(horizontal: 1, vertical: 1)
  /// One chroma sample for two horizontally adjacent pixels.
  public static let s422 = ChromaSampling(horizontal: 2, vertical: 1)
  /// One chroma sample for a square of four pixels.
  public static let s420 = ChromaSampling(horizontal: 2, vertical: 2)
  /// One chroma sample for two vertically adjacent pixels.
  public static let s440 = ChromaSampling(horizontal: 1, vertical: 2)
  /// One chroma sample for four horizontally adjacent pixels.
  public static let s411 = ChromaSampling(horizontal: 4, vertical: 1)

  /// "4:2:0", or the two factors if there is no such name.
  public var description: String {
    switch (horizontal, vertical) {
    case (1, 1): "4:4:4"
    case (2, 1): "4:2:2"
    case (2, 2): "4:2:0"
    case (1, 2): "4:4:0"
    case (4, 1): "4:1:1"
    default: "\(horizontal)×\(vertical)"
    }
  }

  /// Indicates whether baseline JPEG allows the sampling: an MCU has at most ten blocks.
  var isValid: Bool {
    (1...4).contains(horizontal) && (1...4).contains(vertical) && horizontal * vertical <= 8
  }
}

/// Settings for writing a JPEG: color, quantization tables and chroma sampling.
public struct JPEGSettings: Hashable, Sendable {
  /// Indicates whether only luma is written.
  public var isGray: Bool
  /// The quantization table for luma.
  public var luma: QuantizationTable
  /// The quantization table for both chroma planes; ignored for gray.
  public var chroma: QuantizationTable
  /// The chroma sampling; ignored for gray.
  public var sampling: ChromaSampling

  /// Creates settings from tables.
  public init(
    isGray: Bool, luma: QuantizationTable, chroma: QuantizationTable, sampling: ChromaSampling
  ) {
    (self.isGray, self.luma, self.chroma, self.sampling) = (isGray, luma, chroma, sampling)
  }

  /// Returns the maximum size of an encoded image in bytes, except for specially crafted images.
  ///
  /// The bound is slightly above the size of random noise of black and white pixels, independent in
  /// each channel. For each coefficient, such noise leaves about as many bits as its range has
  /// after quantization, and the code before them is a third as long.
  package func mostBytes(for size: PixelSize) -> Int {
    func bits(_ table: QuantizationTable) -> Double {
      table.values.reduce(0) { $0 + 0.6 + 1.35 * log2(1 + 510 / Double(max(1, $1))) }
    }
    let blocks = Double((size.width + 15) / 8) * Double((size.height + 15) / 8)
    let shared = Double(max(1, sampling.horizontal * sampling.vertical))
    let all = blocks * (bits(luma) + (isGray ? 0 : 2 * bits(chroma) / shared))
    return Int(all / 8) + (64 << 10)
  }

  /// Returns the size in bytes that hardly any photo exceeds: one byte per pixel.
  package func usualBytes(for size: PixelSize) -> Int {
    min(mostBytes(for: size), size.pixelCount + (64 << 10))
  }

  /// Creates settings with the standard tables of a quality from 1 to 100.
  public init(quality: Int, sampling: ChromaSampling = .s420, isGray: Bool = false) {
    self.init(
      isGray: isGray, luma: .standardLuma(quality: quality),
      chroma: .standardChroma(quality: quality), sampling: sampling)
  }
}

/// The quantization table of a JPEG component: 64 values, one per frequency.
///
/// - Source: ITU-T T.81, annex K.1, for the standard tables; the IJG's rule for scaling them.
public struct QuantizationTable: Hashable, Sendable {
  /// The 64 values, row by row: `8·v + u` is the index of vertical frequency `v` and horizontal
  /// frequency `u`.
  public let values: [UInt16]

  /// Creates a table of 64 values; zero, which is not a valid value, becomes 1.
  public init(_ values: [UInt16]) {
    precondition(values.count == 64, "a quantization table has 64 values")
    self.values = values.map { max($0, 1) }
  }

  /// Returns the standard table for luma at a quality from 1 to 100.
  public static func standardLuma(quality: Int) -> QuantizationTable {
    QuantizationTable(lumaAtFifty, quality: quality)
  }

  /// Returns the standard table for chroma at a quality from 1 to 100.
  public static func standardChroma(quality: Int) -> QuantizationTable {
    QuantizationTable(chromaAtFifty, quality: quality)
  }

  /// The table for the transposed image.
  public var transposed: QuantizationTable {
    QuantizationTable((0..<64).map { values[$0 % 8 * 8 + $0 / 8] })
  }

  /// Returns the smaller value of two tables at every frequency.
  public static func elementwiseMinimum(_ a: QuantizationTable, _ b: QuantizationTable)
    -> QuantizationTable
  {
    QuantizationTable(zip(a.values, b.values).map { min($0, $1) })
  }

  /// The sum of all values, used to compare qualities.
  package var sum: Int { values.reduce(0) { $0 + Int($1) } }

  /// The quality, 1 to 100, at which the IJG scale gives a luma table with the closest sum.
  public var estimatedQuality: Int {
    func distance(_ quality: Int) -> Int { abs(Self.standardLuma(quality: quality).sum - sum) }
    return (1...100).reversed().min { distance($0) < distance($1) } ?? 100
  }

  private init(_ base: [Int], quality: Int) {
    let quality = min(max(quality, 1), 100)
    let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
    // 255 is the maximum in baseline JPEG.
    self.init(base.map { UInt16(min(max(($0 * percent + 50) / 100, 1), 255)) })
  }

  private static let lumaAtFifty = [
    16, 11, 10, 16, 24, 40, 51, 61,
    12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77,
    24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
  ]

  private static let chromaAtFifty = [
    17, 18, 24, 47, 99, 99, 99, 99,
    18, 21, 26, 66, 99, 99, 99, 99,
    24, 26, 56, 99, 99, 99, 99, 99,
    47, 66, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
    99, 99, 99, 99, 99, 99, 99, 99,
  ]
}
