// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Removes noise from a whole image by shrinking its wavelet coefficients.
struct WaveletWorker: AreaWorker {
  let shrinkage: WaveletShrinkage
  let hasAlpha: Bool

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let colors = planes.lowerBound..<planes.upperBound - (hasAlpha ? 1 : 0)
    // The luma of a gray image is its only channel.
    let mixes = colors.count == 3 ? WaveletShrinkage.fromRGB : [[1]]
    let visible = VisibleColors(colors, alpha: hasAlpha ? colors.upperBound : nil, input)
    let parts = zip(mixes, WaveletShrinkage.fromRGB).map { weights, noiseWeights in
      let samples = WaveletPlane(input.size) { visible.mix(weights, y: $0, into: $1) }
      // The variances of independent noise in three channels add up.
      let share = noiseWeights.reduce(0) { $0 + $1 * $1 }.squareRoot()
      samples.shrink(shrinkage, noise: shrinkage.sigma.map { $0 * share })
      return samples
    }
    let matrix: [Float] = WaveletShrinkage.toRGB.flatMap { row in row.map { Float($0) } + [0] }
    for y in output.rows {
      let first = colors.lowerBound
      if parts.count == 3 {
        pe_matrix(
          parts[0].row(y), parts[1].row(y), parts[2].row(y), output.width, matrix,
          output.row(y, plane: first), output.row(y, plane: first + 1),
          output.row(y, plane: first + 2))
      } else {
        output.row(y, plane: first).update(from: parts[0].row(y), count: output.width)
      }
      guard hasAlpha else { continue }
      let alpha = output.row(y, plane: colors.upperBound)
      alpha.update(from: input.row(y, plane: colors.upperBound), count: output.width)
      for plane in colors {
        pe_multiply(output.row(y, plane: plane), alpha, output.width, output.row(y, plane: plane))
      }
    }
  }
}

/// Premultiplied colors divided by alpha again; the mean color where alpha is 0.
private struct VisibleColors {
  private let colors: Range<Int>
  private let alpha: Int?
  private let input: PlaneRows
  private let means: [Float]

  init(_ colors: Range<Int>, alpha: Int?, _ input: PlaneRows) {
    self.colors = colors
    self.alpha = alpha
    self.input = input
    guard let alpha else {
      means = []
      return
    }
    let planes = Array(colors) + [alpha]
    var sums = [Double](repeating: 0, count: planes.count)
    for y in 0..<input.size.height {
      for (index, plane) in planes.enumerated() {
        let row = input.row(y, plane: plane)
        for x in 0..<input.size.width { sums[index] += Double(row[x]) }
      }
    }
    let total = sums[colors.count]
    means = sums.dropLast().map { total > 0 ? Float($0 / total) : 0 }
  }

  /// Writes a weighted sum of the colors of a row.
  func mix(_ weights: [Double], y: Int, into out: UnsafeMutablePointer<Float>) {
    let width = input.size.width
    let rows = colors.map { input.row(y, plane: $0) }
    let weights = weights.map { Float($0) }
    if rows.count == 3 {
      pe_weighted_sum(rows[0], rows[1], rows[2], width, weights + [0], out)
    } else {
      out.update(from: rows[0], count: width)
    }
    guard let alpha else { return }
    let hidden = zip(weights, means).reduce(Float(0)) { $0 + $1.0 * $1.1 }
    let row = input.row(y, plane: alpha)
    for x in 0..<width { out[x] = row[x] > 0 ? out[x] / row[x] : hidden }
  }
}
