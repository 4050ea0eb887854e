// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels

/// The memory of a mean whose weights are the same in both directions.
final class PairMemory {
  let neighbors: NeighborRows
  let scratch = UnsafeMutableRawPointer.allocate(byteCount: Int(PE_PAIR_SCRATCH), alignment: 64)

  /// Creates the memory; columns are read up to `reach` and a vector outside the image.
  init(width: Int, planes: Range<Int>, reach: Int, edge: EdgeMode) {
    neighbors = NeighborRows(width: width, planes: planes, margin: reach + 16, edge: edge)
  }

  deinit { scratch.deallocate() }
}

extension NeighborRows {
  /// Runs the body with the first row and the number of rows of each block of the kernel.
  ///
  /// - Parameter halo: The number of rows that are read above and below a block.
  func forEachBlock(of rows: Range<Int>, halo: Int, _ body: (Int, Int) -> Void) {
    let most = min(Int(PE_PAIR_LINES), rows.count)
    reset(capacity: most + 2 * halo)
    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: most) {
      body(y, min(most, rows.upperBound - y))
    }
  }
}
