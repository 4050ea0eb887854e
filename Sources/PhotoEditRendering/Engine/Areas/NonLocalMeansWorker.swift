// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Averages pixels with similar surroundings (non-local means).
struct NonLocalMeansWorker: AreaWorker {
  /// The number of rows computed at once: those of a block of the kernel.
  private static let linesAtOnce = 16

  private let mean: NonLocalMeans
  private let hasAlpha: Bool
  private let free = ObjectPool<NeighborRows>()

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
      NeighborRows(
        width: output.width, planes: planes, margin: reach, edge: .mirrorWithoutEdge)
    }) { neighbors in
      var how = pe_patches(
        reach: reach, search: mean.search,
        weights: (weights[0], weights[1], weights[2], weights[3]), noise: Float(noise),
        colors: colors, planes: planes.count, plane: neighbors.planeStride,
        width: output.width, height: input.size.height)
      neighbors.reset(capacity: Self.linesAtOnce + 2 * halo)
      for y in stride(
        from: output.rows.lowerBound, to: output.rows.upperBound, by: Self.linesAtOnce)
      {
        let count = min(Self.linesAtOnce, output.rows.upperBound - y)
        let first = max(y - halo, -reach)
        let end = min(y + count + halo, input.size.height + reach)
        neighbors.with(first..<end, of: input) { rows in
          pe_patches_rows(
            rows + (y - first), 0, output.width, y, count, &how,
            output.row(y, plane: planes.lowerBound), output.planes * output.width, output.width)
        }
      }
    }
  }
}
