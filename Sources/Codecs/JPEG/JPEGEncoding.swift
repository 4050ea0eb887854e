// SPDX-License-Identifier: Apache-2.0
import CJPEG
package import Pixels

/// How many luma samples there are for one of chroma.
public struct ChromaSampling: Hashable, Sendable, CustomStringConvertible {
  /// Along a row.
  public let horizontal: Int
  /// Along a column.
  public let vertical: Int

  /// As many of chroma as of luma.
  public static let s444 = ChromaSampling(horizontal: 1, vertical: 1)
  /// Half as many along rows.
  public static let s422 = ChromaSampling(horizontal: 2, vertical: 1)
  /// Half as many along rows and columns.
  public static let s420 = ChromaSampling(horizontal: 2, vertical: 2)

  /// "4:2:0".
  public var description: String {
    switch (horizontal, vertical) {
    case (1, 1): "4:4:4"
    case (2, 1): "4:2:2"
    case (2, 2): "4:2:0"
    default: "\(horizontal)×\(vertical)"
    }
  }
}

/// How a rendering is coded.
public struct JPEGSettings: Hashable, Sendable {
  /// Whether there is one component.
  public let isGray: Bool
  /// Divisors of luma.
  public let luma: QuantizationTable
  /// Divisors of chroma.
  public let chroma: QuantizationTable
  /// Luma samples for one of chroma.
  public let sampling: ChromaSampling

  /// Makes settings.
  public init(
    isGray: Bool, luma: QuantizationTable, chroma: QuantizationTable, sampling: ChromaSampling
  ) {
    self.isGray = isGray
    self.luma = luma
    self.chroma = chroma
    self.sampling = sampling
  }

  /// Rows of one MCU.
  var mcuHeight: Int { isGray ? 8 : 8 * sampling.vertical }
}

/// Encodes bands of rows, each alone, so that several can be encoded at once and joined.
///
/// A restart marker ends every MCU row, so nothing of the entropy coder's state crosses a band.
package struct JPEGStripEncoder: Sendable {
  private let width: Int
  private let settings: JPEGSettings

  package init(width: Int, settings: JPEGSettings) {
    self.width = width
    self.settings = settings
  }

  /// Rows of a band: eight MCU rows, because restart markers count modulo eight.
  package static func bandHeight(_ settings: JPEGSettings) -> Int { 8 * settings.mcuHeight }

  /// Encodes rows of gray or RGB bytes as a small JPEG of their own.
  package func encode(
    rows: Int, layout: RowLayout, from base: UnsafeRawPointer, bytesPerRow: Int
  ) throws(CodecError) -> [UInt8] {
    var c = pe_jpeg_settings()
    c.width = Int32(width)
    c.channels = Int32(layout.channels.count)
    c.h = Int32(settings.sampling.horizontal)
    c.v = Int32(settings.sampling.vertical)
    withUnsafeMutableBytes(of: &c.tables) { tables in
      tables.copyBytes(
        from: (settings.luma.values + settings.chroma.values).withUnsafeBytes(Array.init))
    }
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    var message = [CChar](repeating: 0, count: PE_JPEG_MESSAGE)
    let status = pe_jpeg_encode(
      &c, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, Int32(rows), &output, &count,
      &message)
    guard status == PE_JPEG_OK, let output else {
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .encoding(String(decoding: text, as: UTF8.self))
    }
    defer { pe_jpeg_free(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }
}
