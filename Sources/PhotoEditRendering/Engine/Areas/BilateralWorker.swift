// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Averages neighbors of similar color.
struct BilateralWorker: AreaWorker {
  private let mean: BilateralFilter
  private let hasAlpha: Bool
  private let free = ObjectPool<PairMemory>()

  init(_ mean: BilateralFilter, hasAlpha: Bool) {
    self.mean = mean
    self.hasAlpha = hasAlpha
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let colors = planes.count - (hasAlpha ? 1 : 0)
    let reach = mean.reach
    // The kernel computes powers of two.
    let scale = -0.5 / 0.693147180559945309
    let falloff = scale / (mean.sigmaColor * mean.sigmaColor)
    free.with({
      PairMemory(width: output.width, planes: planes, reach: reach, edge: .replicate)
    }) { memory in
      // A gray plane is treated as three equal planes, whose differences are added.
      var how = pe_bilateral(
        reach: reach, nearness: Float(scale / (mean.sigmaSpace * mean.sigmaSpace)),
        falloff: Float(colors == 1 ? 9 * falloff : falloff), colors: colors,
        planes: planes.count, plane: memory.neighbors.planeStride)
      memory.neighbors.forEachBlock(of: output.rows, halo: reach) { y, lines in
        memory.neighbors.with(y - reach..<y + lines + reach, of: input) { rows in
          pe_bilateral_rows(
            rows + reach, 0, output.width, lines, &how, memory.scratch,
            output.row(y, plane: planes.lowerBound), output.planes * output.width, output.width)
        }
      }
    }
  }
}
