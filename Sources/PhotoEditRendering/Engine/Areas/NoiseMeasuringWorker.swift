// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Measures the noise of blocks.
///
/// The rows of a row of blocks are transformed as an image of their own, so that the result does
/// not depend on the rows that are computed at once.
struct NoiseMeasuringWorker: AreaWorker {
  let hasAlpha: Bool
  /// The number of details along a side of a block.
  private static let block = 16

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let side = NoiseMeasurement.side
    var y = output.rows.lowerBound
    while y < output.rows.upperBound {
      let top = y / side * side
      let rows = top..<min(top + side, input.size.height)
      let levels = levels(rows, planes, of: input)
      let end = min(rows.upperBound, output.rows.upperBound)
      while y < end {
        for (index, plane) in planes.enumerated() {
          let row = output.row(y, plane: plane)
          guard index < 2 else {
            row.update(repeating: index == 3 ? 1 : 0, count: output.width)
            continue
          }
          let cell = side >> (1 - index)
          let line = levels[index][(y - top) / cell]
          for x in 0..<output.width { row[x] = line[x / cell] }
        }
        y += 1
      }
    }
  }

  /// Returns the levels of the blocks of both kinds of details, row by row.
  private func levels(
    _ rows: Range<Int>, _ planes: Range<Int>, of input: PlaneRows
  ) -> [[[Float]]] {
    let width = input.size.width
    let size = PixelSize(width: width, height: rows.count)
    let sizes = [size, WaveletShrinkage.bandSize(of: size)]
    let bands = sizes.map {
      WaveletBands(of: $0, capacity: WaveletShrinkage.bandSize(of: $0).height)
    }
    let transform = WaveletSplit(sizes, into: bands)
    let weights = LumaWeights.rec601.map { Float($0) } + [0]
    let side = NoiseMeasurement.side
    // A block with black or white pixels may have less than the noise.
    var isClipped = [Bool](repeating: false, count: 2 * ((width + side - 1) / side) * 2)
    let columns = isClipped.count / 2
    for y in rows {
      let row = transform.row
      pe_weighted_sum(
        input.row(y, plane: planes.lowerBound), input.row(y, plane: planes.lowerBound + 1),
        input.row(y, plane: planes.lowerBound + 2), width, weights, row)
      if hasAlpha { pe_divide(row, input.row(y, plane: planes.lowerBound + 3), width, row) }
      let line = (y - rows.lowerBound) / (side / 2) * columns
      for x in 0..<width where !(row[x] > 0.5 / 255 && row[x] < 254.5 / 255) {
        isClipped[line + x / (side / 2)] = true
      }
      transform.finishRow { _, _, _ in }
    }
    return bands.enumerated().map { level, bands in
      let cells = (rows.count + side / (2 - level) - 1) / (side / (2 - level))
      return (0..<cells).map { v in
        (0..<columns >> level).map { u in
          let parts =
            level == 0
            ? [v * columns + u] : [2 * u, 2 * u + 1].flatMap { [$0, columns + $0] }
          if parts.contains(where: { isClipped[$0] }) { return 0 }
          return NoiseMeasurement.sample(of: noise(bands, row: v, column: u))
        }
      }
    }
  }

  /// The standard deviation of normally distributed details from the median of their magnitudes; 0
  /// if there are too few of them.
  private func noise(_ bands: WaveletBands, row: Int, column: Int) -> Double {
    let block = Self.block
    let rows = (row * block..<(row + 1) * block).clamped(to: 0..<bands.size.height)
    let columns = (column * block..<(column + 1) * block).clamped(to: 0..<bands.size.width)
    if rows.count * columns.count < block { return 0 }
    var magnitudes: [Float] = []
    magnitudes.reserveCapacity(block * block)
    for y in rows {
      let details = bands.row(y, 3)
      for x in columns { magnitudes.append(abs(details[x])) }
    }
    magnitudes.sort()
    return Double(magnitudes[magnitudes.count / 2]) / 0.6744897501960817
  }
}
