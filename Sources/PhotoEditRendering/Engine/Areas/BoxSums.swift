// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels

/// Vertical sums over 2r + 1 rows, updated while moving down the image and extended at both ends of
/// the row.
final class BoxSums {
  private let width: Int
  private let radius: Int
  private let edge: EdgeMode
  private let memory: UnsafeMutablePointer<Double>
  /// The row in the middle.
  private var middle: Int?

  init(width: Int, radius: Int, edge: EdgeMode) {
    self.width = width
    self.radius = radius
    self.edge = edge
    // The kernels read one value beyond those that they use.
    memory = .allocate(capacity: width + 2 * radius + 1)
    memory[width + 2 * radius] = 0
  }

  deinit { memory.deallocate() }

  /// The sum for column 0; `radius` more sums can be read on both sides.
  var first: UnsafePointer<Double> { UnsafePointer(memory + radius) }

  /// Discards the rows, so that the next row can be anywhere.
  func reset() { middle = nil }

  /// Moves to the rows around the given one and sums their samples, or their products with other
  /// samples.
  func move(
    to y: Int, _ row: (Int) -> UnsafePointer<Float>,
    times other: ((Int) -> UnsafePointer<Float>)? = nil
  ) {
    let sums = memory + radius
    if middle == y - 1 {
      let (new, old) = (y + radius, y - radius - 1)
      if let other {
        pe_box_slide_products(row(new), other(new), row(old), other(old), width, sums)
      } else {
        pe_box_slide(row(new), row(old), width, sums)
      }
    } else {
      sums.update(repeating: 0, count: width)
      for k in y - radius...y + radius {
        if let other {
          pe_box_add_products(row(k), other(k), width, sums)
        } else {
          pe_box_add(row(k), width, sums)
        }
      }
    }
    middle = y
    for k in 1..<radius + 1 {
      sums[-k] = sums[edge.position(-k, count: width)]
      sums[width - 1 + k] = sums[edge.position(width - 1 + k, count: width)]
    }
  }
}
