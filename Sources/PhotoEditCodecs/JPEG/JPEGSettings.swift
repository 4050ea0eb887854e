// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
import PhotoEditPlatform

/// How many luma samples share one chroma sample.
public struct ChromaSampling: Hashable, Sendable, CustomStringConvertible {
  /// Luma samples across, 1 to 4.
  public let horizontal: Int
  /// Luma samples down, 1 to 4.
  public let vertical: Int

  /// Makes a sampling; both numbers from 1 to 4, and at most 8 luma blocks per MCU.
  public init(horizontal: Int, vertical: Int) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// Chroma for every pixel.
  public static let s444 = ChromaSampling(horizontal: 1, vertical: 1)
  /// Chroma for two pixels side by side.
  public static let s422 = ChromaSampling(horizontal: 2, vertical: 1)
  /// Chroma for a square of four pixels.
  public static let s420 = ChromaSampling(horizontal: 2, vertical: 2)
  /// Chroma for two pixels one above the other.
  public static let s440 = ChromaSampling(horizontal: 1, vertical: 2)
  /// Chroma for four pixels side by side.
  public static let s411 = ChromaSampling(horizontal: 4, vertical: 1)

  /// "4:2:0", or the two numbers where there is no such name.
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

  /// Whether baseline JPEG allows it: an MCU has at most ten blocks.
  var isValid: Bool {
    (1...4).contains(horizontal) && (1...4).contains(vertical) && horizontal * vertical <= 8
  }
}

/// How a JPEG is to be written: colour, divisors and chroma sampling.
public struct JPEGSettings: Hashable, Sendable {
  /// Whether luma is written alone.
  public var isGray: Bool
  /// Divisors of luma.
  public var luma: QuantizationTable
  /// Divisors of both chroma planes; without meaning for gray.
  public var chroma: QuantizationTable
  /// Sampling of chroma; without meaning for gray.
  public var sampling: ChromaSampling

  /// Makes settings of tables.
  public init(
    isGray: Bool, luma: QuantizationTable, chroma: QuantizationTable, sampling: ChromaSampling
  ) {
    self.isGray = isGray
    self.luma = luma
    self.chroma = chroma
    self.sampling = sampling
  }

  /// Bytes that a picture takes, at most, unless somebody has made it to be as large as it can be.
  ///
  /// That is a bit more than each pixel black or white by chance takes, in each channel by itself.
  /// Of a coefficient, such noise leaves about as many bits as its range has behind the divisor, and
  /// the code in front of them is a third as long.
  package func mostBytes(for size: PixelSize) -> Int {
    func bits(_ table: QuantizationTable) -> Double {
      table.values.reduce(0) { $0 + 0.6 + 1.35 * log2(1 + 510 / Double(max(1, $1))) }
    }
    let blocks = Double((size.width + 15) / 8) * Double((size.height + 15) / 8)
    let shared = Double(max(1, sampling.horizontal * sampling.vertical))
    let all = blocks * (bits(luma) + (isGray ? 0 : 2 * bits(chroma) / shared))
    return Int(all / 8) + (64 << 10)
  }

  /// Makes settings with the standard tables of a quality from 1 to 100.
  public init(quality: Int, sampling: ChromaSampling = .s420, isGray: Bool = false) {
    self.init(
      isGray: isGray, luma: .standardLuma(quality: quality),
      chroma: .standardChroma(quality: quality), sampling: sampling)
  }
}
