// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPixels

/// The memory of a mean whose weights are the same in both directions.
final class PairMemory {
  let neighbors: NeighborRows
  let scratch = UnsafeMutableRawPointer.allocate(byteCount: Int(PE_PAIR_SCRATCH), alignment: 64)

  /// Creates the memory; columns are read up to `reach` and a vector outside the image.
  init(
    width: Int, planes: Range<Int>, reach: Int, edge: EdgeMode, mixing mixes: [[Double]] = []
  ) {
    neighbors = NeighborRows(
      width: width, planes: planes, margin: reach + 16, edge: edge, mixing: mixes)
  }

  deinit { scratch.deallocate() }
}

extension PairMemory {
  /// Writes the averages of pixels with similar patches.
  ///
  /// - Parameters:
  ///   - halo: The number of rows that are read above and below a block.
  ///   - plane: The plane of the first result.
  ///   - stride: The distance to those of the others.
  func average(
    _ patches: pe_patches, halo: Int, from input: PlaneRows, to output: PlaneStrip, _ plane: Int,
    stride: Int
  ) {
    var how = patches
    let reach = Int(how.reach)
    neighbors.forEachBlock(of: output.rows, halo: halo) { y, lines in
      let first = max(y - halo, -reach)
      let end = min(y + lines + halo, input.size.height + reach)
      neighbors.with(first..<end, of: input) { rows in
        pe_patches_rows(
          rows + (y - first), 0, output.width, y, lines, &how, scratch,
          output.row(y, plane: plane), output.planes * output.width, stride)
      }
    }
  }
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
