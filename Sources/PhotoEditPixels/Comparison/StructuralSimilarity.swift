// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// Computes the mean structural similarity of two images whose luma is added row by row.
///
/// The window is Gaussian, 11×11, σ 1.5, K1 = 0.01, K2 = 0.03, and always entirely inside the
/// image. A side shorter than 11 pixels gets the longest odd window that fits.
///
/// - Source: Wang, Bovik, Sheikh and Simoncelli, *Image quality assessment: from error visibility
///   to structural similarity*, IEEE Transactions on Image Processing 13 (2004).
struct StructuralSimilarity {
  private let columns: Int
  private let across: [Double]
  private let down: [Double]
  /// The five weighted horizontal means of the last `down.count` rows: x, y, x², y², xy.
  private var ring: [[Double]]
  /// x, y, x², y² and xy of the pixels of the last row.
  private var products: [Double]
  private var rows = 0
  private var sum = 0.0
  private var count = 0

  init(size: PixelSize) {
    across = Self.window(fitting: size.width)
    down = Self.window(fitting: size.height)
    columns = size.width - across.count + 1
    ring = Array(repeating: Array(repeating: 0, count: 5 * columns), count: down.count)
    products = Array(repeating: 0, count: 5 * size.width)
  }

  private static func window(fitting side: Int) -> [Double] {
    let length = min(11, side - (side + 1) % 2)
    let weights = (0..<length).map { i in
      let distance = Double(i - length / 2)
      return exp(-distance * distance / (2 * 1.5 * 1.5))
    }
    let total = weights.reduce(0, +)
    return weights.map { $0 / total }
  }

  /// The mean over all windows so far, 1 for equal images.
  var mean: Double { count == 0 ? 1 : sum / Double(count) }

  /// Adds the next row of both images, luma from 0 to 255.
  mutating func add(_ first: [Double], _ second: [Double]) {
    let width = first.count
    for i in 0..<width {
      let (x, y) = (first[i], second[i])
      products[i] = x
      products[width + i] = y
      products[2 * width + i] = x * x
      products[3 * width + i] = y * y
      products[4 * width + i] = x * y
    }
    let slot = rows % down.count
    for i in ring[slot].indices { ring[slot][i] = 0 }
    for product in 0..<5 {
      for (tap, weight) in across.enumerated() {
        Self.add(
          weight, products, from: product * width + tap, to: &ring[slot], at: product * columns,
          count: columns)
      }
    }
    rows += 1
    if rows >= down.count { addWindows() }
  }

  /// Adds values times a weight to sums.
  private static func add(
    _ weight: Double, _ values: [Double], from start: Int, to sums: inout [Double], at target: Int,
    count: Int
  ) {
    values.withUnsafeBufferPointer { values in
      sums.withUnsafeMutableBufferPointer { sums in
        guard let values = values.baseAddress, let sums = sums.baseAddress else { return }
        var i = 0
        // An iterator takes most of the time without optimization.
        while i < count {
          sums[target + i] += weight * values[start + i]
          i += 1
        }
      }
    }
  }

  private mutating func addWindows() {
    var means = [Double](repeating: 0, count: 5 * columns)
    for (tap, weight) in down.enumerated() {
      let row = ring[(rows - down.count + tap) % down.count]
      Self.add(weight, row, from: 0, to: &means, at: 0, count: means.count)
    }
    let c1 = (0.01 * 255) * (0.01 * 255)
    let c2 = (0.03 * 255) * (0.03 * 255)
    for i in 0..<columns {
      let x = means[i]
      let y = means[columns + i]
      let varianceX = means[2 * columns + i] - x * x
      let varianceY = means[3 * columns + i] - y * y
      let covariance = means[4 * columns + i] - x * y
      sum +=
        (2 * x * y + c1) * (2 * covariance + c2)
        / ((x * x + y * y + c1) * (varianceX + varianceY + c2))
    }
    count += columns
  }
}
