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
    self.horizontal = horizontal
    self.vertical = vertical
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
    self.isGray = isGray
    self.luma = luma
    self.chroma = chroma
    self.sampling = sampling
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

  /// Creates settings with the standard tables of a quality from 1 to 100.
  public init(quality: Int, sampling: ChromaSampling = .s420, isGray: Bool = false) {
    self.init(
      isGray: isGray, luma: .standardLuma(quality: quality),
      chroma: .standardChroma(quality: quality), sampling: sampling)
  }
}
