// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels

/// The blocks of one component, transformed step by step; the transform does it in one pass.
///
/// Every orientation is an optional transposition, then an optional flip of the columns, then an
/// optional flip of the rows.
struct CoefficientGrid: Equatable {
  var columns: Int
  var rows: Int
  /// 64 values per block in natural order.
  var blocks: [[Int16]]

  private init(columns: Int, rows: Int, blocks: [[Int16]]) {
    (self.columns, self.rows, self.blocks) = (columns, rows, blocks)
  }

  init(columns: Int, rows: Int, values: [Int16]) {
    precondition(values.count == columns * rows * 64, "the grid is not full")
    self.columns = columns
    self.rows = rows
    blocks = stride(from: 0, to: values.count, by: 64).map { Array(values[$0..<$0 + 64]) }
  }

  var values: [Int16] { blocks.flatMap { $0 } }

  /// The blocks of a rectangle.
  func cropped(columns range: Range<Int>, rows rowRange: Range<Int>) -> CoefficientGrid {
    let chosen = rowRange.flatMap { y in range.flatMap { x in blocks[y * columns + x] } }
    return CoefficientGrid(columns: range.count, rows: rowRange.count, values: chosen)
  }

  /// Swaps the axes of the grid, and those of each block.
  func transposed() -> CoefficientGrid {
    var result = CoefficientGrid(columns: rows, rows: columns, blocks: blocks)
    for y in 0..<columns {
      for x in 0..<rows {
        let block = blocks[x * columns + y]
        for i in 0..<64 { result.blocks[y * rows + x][i] = block[i % 8 * 8 + i / 8] }
      }
    }
    return result
  }

  /// Flips left and right: odd horizontal frequencies change their sign.
  func mirroredColumns() -> CoefficientGrid {
    var result = self
    for y in 0..<rows {
      for x in 0..<columns {
        var block = blocks[y * columns + columns - 1 - x]
        for i in stride(from: 1, to: 64, by: 2) { block[i] = -block[i] }
        result.blocks[y * columns + x] = block
      }
    }
    return result
  }

  /// Flips top and bottom.
  func mirroredRows() -> CoefficientGrid { transposed().mirroredColumns().transposed() }

  func rotated(_ orientation: Orientation) -> CoefficientGrid {
    switch orientation {
    case .up: self
    case .upMirrored: mirroredColumns()
    case .down: mirroredColumns().mirroredRows()
    case .downMirrored: mirroredRows()
    case .leftMirrored: transposed()
    case .right: transposed().mirroredColumns()
    case .rightMirrored: transposed().mirroredColumns().mirroredRows()
    case .left: transposed().mirroredRows()
    }
  }
}

extension JPEGFrame {
  /// The pixels covered by one block of a component.
  func blockSize(_ component: Int) -> PixelSize {
    let h = components.map(\.horizontalSampling).max() ?? 1
    let v = components.map(\.verticalSampling).max() ?? 1
    return PixelSize(
      width: 8 * h / components[component].horizontalSampling,
      height: 8 * v / components[component].verticalSampling)
  }
}
