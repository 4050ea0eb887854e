// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters

/// Averages neighbors of similar color.
struct BilateralWorker: AreaWorker {
  private let reach: Int
  private let taps: [pe_tap]
  private let falloff: Double
  private let hasAlpha: Bool
  private let free = ObjectPool<NeighborRows>()

  init(_ mean: BilateralFilter, hasAlpha: Bool) {
    let reach = mean.reach
    self.reach = reach
    self.hasAlpha = hasAlpha
    let space = -0.5 / (mean.sigmaSpace * mean.sigmaSpace)
    taps = (-reach...reach).flatMap { row in
      (-reach...reach).compactMap { column -> pe_tap? in
        let square = row * row + column * column
        if square > reach * reach { return nil }
        return pe_tap(
          row: Int32(row), column: Int32(column), weight: Float(Double(square) * space))
      }
    }
    falloff = -0.5 / (mean.sigmaColor * mean.sigmaColor)
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let colors = planes.count - (hasAlpha ? 1 : 0)
    free.with({ NeighborRows(width: output.width, planes: planes, margin: reach) }) { neighbors in
      neighbors.reset(capacity: 2 * reach + 1)
      taps.withUnsafeBufferPointer { taps in
        // A gray plane is treated as three equal planes, whose differences are added.
        var how = pe_bilateral(
          taps: taps.baseAddress, tap_count: taps.count, reach: reach,
          falloff: Float(colors == 1 ? 9 * falloff : falloff), colors: colors,
          planes: planes.count, plane: neighbors.planeStride)
        for y in output.rows {
          neighbors.with(y - reach..<y + reach + 1, of: input) { rows in
            pe_bilateral_row(
              rows + reach, 0, output.width, &how, output.row(y, plane: planes.lowerBound),
              output.width)
          }
        }
      }
    }
  }
}
