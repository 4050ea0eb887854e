// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Sets every pixel of a cell to the mean of the cell.
struct PixelateWorker: AreaWorker {
  let cell: Int

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let (width, height) = (input.size.width, input.size.height)
    var sums = [Double](repeating: 0, count: width)
    var y = output.rows.lowerBound
    while y < output.rows.upperBound {
      let top = y / cell * cell
      let bottom = min(top + cell, height)
      let end = min(bottom, output.rows.upperBound)
      for plane in planes {
        for x in 0..<width { sums[x] = 0 }
        for row in top..<bottom { pe_box_add(input.row(row, plane: plane), width, &sums) }
        let first = output.row(y, plane: plane)
        for left in stride(from: 0, to: width, by: cell) {
          let right = min(left + cell, width)
          let sum = sums[left..<right].reduce(0, +)
          let mean = Float(sum / Double((right - left) * (bottom - top)))
          (first + left).update(repeating: mean, count: right - left)
        }
        for row in y + 1..<max(end, y + 1) {
          output.row(row, plane: plane).update(from: first, count: width)
        }
      }
      y = end
    }
  }
}
