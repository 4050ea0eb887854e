// SPDX-License-Identifier: Apache-2.0
import CJPEG
public import Pixels

/// One component of a JPEG frame.
public struct JPEGComponent: Hashable, Sendable {
  /// The number that scans use for it.
  public let identifier: Int
  /// Samples along a row, relative to other components.
  public let horizontalSampling: Int
  /// Samples along a column, relative to other components.
  public let verticalSampling: Int
  /// Which quantisation table it uses.
  public let tableIndex: Int
}

/// What the header of a JPEG says about how its pixels are coded.
public struct JPEGFrame: Hashable, Sendable {
  /// Width and height as stored.
  public let size: PixelSize
  /// The components in order.
  public let components: [JPEGComponent]
  /// The quantisation table of each component.
  public let tables: [QuantizationTable]
  /// Whether coefficients come in several scans.
  public let isProgressive: Bool
  /// Whether the entropy coding is arithmetic.
  public let isArithmetic: Bool
  /// MCUs between restart markers; 0 when there are none.
  public let restartInterval: Int
  /// How colour is stored.
  public let color: SourceColor
  /// Whether an Adobe segment told the colour.
  public let hasAdobeMarker: Bool

  init(_ info: pe_jpeg_info, color: SourceColor) {
    size = PixelSize(width: Int(info.width), height: Int(info.height))
    let all = withUnsafeBytes(of: info.components) {
      Array($0.bindMemory(to: pe_jpeg_component.self))
    }
    components = all.prefix(Int(info.component_count)).map {
      JPEGComponent(
        identifier: Int($0.identifier), horizontalSampling: Int($0.h), verticalSampling: Int($0.v),
        tableIndex: Int($0.table))
    }
    let values = withUnsafeBytes(of: info.tables) { Array($0.bindMemory(to: UInt16.self)) }
    tables = components.indices.map { QuantizationTable(Array(values[$0 * 64..<$0 * 64 + 64])) }
    isProgressive = info.progressive != 0
    isArithmetic = info.arithmetic != 0
    restartInterval = Int(info.restart_interval)
    self.color = color
    hasAdobeMarker = info.has_adobe != 0
  }

  /// Pixels of one MCU: the unit of lossless crops and turns.
  public var mcuSize: PixelSize {
    // A single component is coded block by block, whatever its sampling factors say.
    if components.count == 1 { return PixelSize(width: 8, height: 8) }
    return PixelSize(
      width: 8 * (components.map(\.horizontalSampling).max() ?? 1),
      height: 8 * (components.map(\.verticalSampling).max() ?? 1))
  }

  /// The quality at which libjpeg would quantise luma as finely, 1 to 100.
  ///
  /// The sum of the table decides, because tables of cameras are not scaled standard ones.
  public var estimatedQuality: Int {
    let sum = tables.first?.sum ?? 0
    var low = 1
    var high = 100
    while low < high {
      let middle = (low + high) / 2
      if QuantizationTable.standardLuma(quality: middle).sum <= sum {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }
}

/// The divisors of the 64 frequencies of a block, in natural order.
public struct QuantizationTable: Hashable, Sendable {
  /// 64 divisors, row by row; columns are horizontal frequencies.
  public let values: [UInt16]

  /// Makes a table from 64 divisors, row by row.
  public init(_ values: [UInt16]) {
    precondition(values.count == 64, "a table has 64 entries")
    self.values = values
  }

  /// The sum of the divisors: how coarse the table is.
  public var sum: Int { values.reduce(0) { $0 + Int($1) } }

  /// The luma table of ITU-T T.81, annex K, scaled as libjpeg scales it.
  public static func standardLuma(quality: Int) -> QuantizationTable { standard(0, quality) }

  /// The chroma table of ITU-T T.81, annex K, scaled as libjpeg scales it.
  public static func standardChroma(quality: Int) -> QuantizationTable { standard(1, quality) }

  private static func standard(_ which: Int32, _ quality: Int) -> QuantizationTable {
    var values = [UInt16](repeating: 1, count: 64)
    pe_jpeg_standard_table(which, Int32(min(max(quality, 1), 100)), &values)
    return QuantizationTable(values)
  }

  /// The table for the picture lying on its side.
  public var transposed: QuantizationTable {
    QuantizationTable((0..<64).map { values[$0 % 8 * 8 + $0 / 8] })
  }

  /// The finer divisor of both tables, frequency by frequency.
  public static func elementwiseMinimum(
    _ a: QuantizationTable, _ b: QuantizationTable
  ) -> QuantizationTable {
    QuantizationTable(zip(a.values, b.values).map { min($0, $1) })
  }
}
