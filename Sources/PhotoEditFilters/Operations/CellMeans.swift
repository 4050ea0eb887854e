// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Means of square cells.
struct CellMeans: AreaFacts {
  let side: Int

  func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    rows.lowerBound / side * side..<min(input.height, (rows.upperBound + side - 1) / side * side)
  }

  var rowsAtOnce: Int { side }
  func alignment(height: Int) -> Int { side }
  var summary: String { "mean of \(side)×\(side) pixel cells" }
}
