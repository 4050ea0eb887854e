// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Averages pixels with similar surroundings, separately for luma and color differences.
struct LumaChromaWorker: AreaWorker {
  private let means: LumaChromaMeans
  private let hasAlpha: Bool
  private let luma = ObjectPool<PairMemory>()
  private let chroma = ObjectPool<PairMemory>()

  init(_ means: LumaChromaMeans, hasAlpha: Bool) {
    self.means = means
    self.hasAlpha = hasAlpha
  }

  // Alpha is averaged with the weights of the luma. The mean of premultiplied color differences is
  // divided by the mean of alpha with the same weights.
  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let (first, width) = (planes.lowerBound, output.width)
    let mixes = WaveletShrinkage.fromRGB
    guard planes.count - (hasAlpha ? 1 : 0) == 3 else {
      average([], means.strength, luma, planes, from: input, to: output, first, stride: width)
      return
    }
    fillChroma(output, planes: planes, from: input)
    let alpha = first + 3
    if hasAlpha {
      for y in output.rows {
        for plane in first + 1..<first + 3 {
          let row = output.row(y, plane: plane)
          pe_divide(row, output.row(y, plane: alpha), width, row)
        }
      }
    }
    average(
      Array(mixes[..<1]), means.strength, luma, planes, from: input, to: output, first,
      stride: 3 * width)
    let back: [Float] = WaveletShrinkage.toRGB.flatMap { row in row.map { Float($0) } + [0] }
    for y in output.rows {
      let (r, g, b) = (
        output.row(y, plane: first), output.row(y, plane: first + 1),
        output.row(y, plane: first + 2)
      )
      if hasAlpha {
        for row in [g, b] { pe_multiply(row, output.row(y, plane: alpha), width, row) }
      }
      pe_matrix(r, g, b, width, back, r, g, b)
    }
  }

  /// Writes color differences to the second and third plane, and the alpha that they are multiplied
  /// by to the last one.
  private func fillChroma(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let (first, width) = (planes.lowerBound, output.width)
    let mixes = Array(WaveletShrinkage.fromRGB[1...])
    if means.chromaStrength > 0 {
      average(
        mixes, means.chromaStrength, chroma, planes, from: input, to: output, first + 1,
        stride: width)
      return
    }
    for y in output.rows {
      for (index, weights) in mixes.enumerated() {
        pe_weighted_sum(
          input.row(y, plane: first), input.row(y, plane: first + 1),
          input.row(y, plane: first + 2), width, weights.map { Float($0) } + [0],
          output.row(y, plane: first + 1 + index))
      }
      if hasAlpha {
        output.row(y, plane: first + 3).update(from: input.row(y, plane: first + 3), count: width)
      }
    }
  }

  /// Averages sums of the colors, and alpha with them.
  ///
  /// - Parameters:
  ///   - plane: The plane of the first result.
  ///   - stride: The distance to those of the others.
  private func average(
    _ mixes: [[Double]], _ strength: Double, _ pool: ObjectPool<PairMemory>, _ planes: Range<Int>,
    from input: PlaneRows, to output: PlaneStrip, _ plane: Int, stride: Int
  ) {
    let (reach, halo, colors) = (means.reach, means.reach + means.search, max(1, mixes.count))
    let side = Double(2 * reach + 1)
    let scale = 1 / (strength * strength)
    pool.with({
      PairMemory(
        width: output.width, planes: planes, reach: halo, edge: .mirrorWithoutEdge, mixing: mixes)
    }) { memory in
      let how = pe_patches(
        reach: reach, search: means.search,
        weights: (Float(scale / (Double(colors) * side * side)), 0, 0, 0),
        noise: Float(2 * means.variance * scale), colors: colors,
        planes: memory.neighbors.planeCount, plane: memory.neighbors.planeStride,
        width: output.width, height: input.size.height, is_uniform: 1)
      memory.average(how, halo: halo, from: input, to: output, plane, stride: stride)
    }
  }
}
