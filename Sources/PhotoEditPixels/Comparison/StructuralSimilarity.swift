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
  private var rows = 0
  private var sum = 0.0
  private var count = 0

  init(size: PixelSize) {
    across = Self.window(fitting: size.width)
    down = Self.window(fitting: size.height)
    columns = size.width - across.count + 1
    ring = Array(repeating: Array(repeating: 0, count: 5 * columns), count: down.count)
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
    filterAcross(first, second, into: rows % down.count)
    rows += 1
    if rows >= down.count { addWindows() }
  }

  private mutating func filterAcross(_ first: [Double], _ second: [Double], into slot: Int) {
    let columns = columns
    for i in ring[slot].indices { ring[slot][i] = 0 }
    ring[slot].withUnsafeMutableBufferPointer { out in
      for (tap, weight) in across.enumerated() {
        for i in 0..<columns {
          let x = first[i + tap]
          let y = second[i + tap]
          out[i] += weight * x
          out[columns + i] += weight * y
          out[2 * columns + i] += weight * x * x
          out[3 * columns + i] += weight * y * y
          out[4 * columns + i] += weight * x * y
        }
      }
    }
  }

  private mutating func addWindows() {
    var means = [Double](repeating: 0, count: 5 * columns)
    means.withUnsafeMutableBufferPointer { means in
      for (tap, weight) in down.enumerated() {
        ring[(rows - down.count + tap) % down.count].withUnsafeBufferPointer { row in
          for i in means.indices { means[i] += weight * row[i] }
        }
      }
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
