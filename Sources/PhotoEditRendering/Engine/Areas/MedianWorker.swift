// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters

/// Computes medians of wide windows, tile by tile.
struct MedianWorker: AreaWorker {
  let radius: Int
  private let free = ObjectPool<Scratch>()

  private final class Scratch {
    let rows: NeighborRows
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Int(PE_MEDIAN_SCRATCH_BYTES), alignment: 64)

    init(_ rows: NeighborRows) { self.rows = rows }
    deinit { memory.deallocate() }
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let (lines, columns) = (Int(PE_MEDIAN_TILE_LINES), Int(PE_MEDIAN_TILE_COLUMNS))
    let line = output.planes * output.width
    free.with({
      Scratch(NeighborRows(width: output.width, planes: planes, margin: radius))
    }) { scratch in
      scratch.rows.reset(capacity: min(lines, output.rows.count) + 2 * radius)
      for y in stride(from: output.rows.lowerBound, to: output.rows.upperBound, by: lines) {
        let count = min(lines, output.rows.upperBound - y)
        scratch.rows.with(y - radius..<y + count + radius, of: input) { rows in
          for (index, plane) in planes.enumerated() {
            let out = output.row(y, plane: plane)
            for x in stride(from: 0, to: output.width, by: columns) {
              pe_median_tile(
                rows + radius, index * scratch.rows.planeStride + x, min(columns, output.width - x),
                count, radius, scratch.memory, out + x, line)
            }
          }
        }
      }
    }
  }
}
