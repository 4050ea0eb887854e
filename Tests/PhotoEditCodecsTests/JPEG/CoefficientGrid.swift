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
    let moved = (0..<columns).flatMap { y in
      (0..<rows).flatMap { x in
        let block = blocks[x * columns + y]
        return (0..<64).map { block[$0 % 8 * 8 + $0 / 8] }
      }
    }
    return CoefficientGrid(columns: rows, rows: columns, values: moved)
  }

  /// Flips left and right: odd horizontal frequencies change their sign.
  func mirroredColumns() -> CoefficientGrid {
    let moved = (0..<rows).flatMap { y in
      (0..<columns).reversed().flatMap { x in
        blocks[y * columns + x].enumerated().map { $0.offset % 2 == 1 ? -$0.element : $0.element }
      }
    }
    return CoefficientGrid(columns: columns, rows: rows, values: moved)
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
