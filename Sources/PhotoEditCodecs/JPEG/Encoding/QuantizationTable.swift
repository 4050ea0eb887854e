// SPDX-License-Identifier: Apache-2.0

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
