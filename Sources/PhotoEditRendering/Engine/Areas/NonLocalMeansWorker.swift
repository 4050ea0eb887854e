// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Averages pixels with similar surroundings (non-local means).
struct NonLocalMeansWorker: AreaWorker {
  private let mean: NonLocalMeans
  private let hasAlpha: Bool
  private let free = ObjectPool<PairMemory>()

  init(_ mean: NonLocalMeans, hasAlpha: Bool) {
    self.mean = mean
    self.hasAlpha = hasAlpha
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let colors = planes.count - (hasAlpha ? 1 : 0)
    let (reach, halo) = (mean.reach, mean.reach + mean.search)
    // The kernel applies a weight twice, vertically and horizontally.
    let scale = (1 / (Double(colors) * mean.strength * mean.strength)).squareRoot()
    var weights = mean.weights.map { Float($0 * scale) }
    weights += Array(repeating: 0, count: 4 - weights.count)
    let noise = 2 * mean.variance * Double(colors) * scale
    free.with({
      PairMemory(width: output.width, planes: planes, reach: halo, edge: .mirrorWithoutEdge)
    }) { memory in
      let how = pe_patches(
        reach: reach, search: mean.search,
        weights: (weights[0], weights[1], weights[2], weights[3]), noise: Float(noise),
        colors: colors, planes: planes.count, plane: memory.neighbors.planeStride,
        width: output.width, height: input.size.height, is_uniform: 0)
      memory.average(
        how, halo: halo, from: input, to: output, planes.lowerBound, stride: output.width)
    }
  }
}
