// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Removes noise by shrinking wavelet coefficients with known thresholds, from the top row to the
/// last one.
struct WaveletWorker: AreaWorker {
  private let input: WaveletInput
  private let measurement: WaveletMeasurement
  private let parts: [Part]
  private let order: PlaneOrder

  init(_ input: WaveletInput, _ measurement: WaveletMeasurement) {
    (self.input, self.measurement) = (input, measurement)
    parts = measurement.parts.map { Part(input, $0) }
    order = PlaneOrder(planes: parts.count)
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from rows: PlaneRows) {
    let (colors, width) = (input.colors, output.width)
    order.forEachPlane(output.rows) { index in
      for y in output.rows {
        parts[index].next(to: output.row(y, plane: colors.lowerBound + index)) { next, target in
          input.mix(index, y: next, of: rows, means: measurement.means, into: target)
        }
      }
    }
    for y in output.rows {
      if colors.count == 3 {
        let color = colors.map { output.row(y, plane: $0) }
        pe_matrix(
          color[0], color[1], color[2], width, Self.toRGB, color[0], color[1], color[2])
      }
      guard let plane = input.alpha else { continue }
      let alpha = output.row(y, plane: plane)
      alpha.update(from: rows.row(y, plane: plane), count: width)
      for color in colors.map({ output.row(y, plane: $0) }) {
        pe_multiply(color, alpha, width, color)
      }
    }
  }

  private static let toRGB: [Float] =
    WaveletShrinkage.toRGB.flatMap { row in row.map { Float($0) } + [0] }

  /// The transform of one part and its inverse.
  private final class Part: @unchecked Sendable {
    // Safe: used by one thread at a time, in order.
    private let size: PixelSize
    private let darkest: Float
    private let rowsBelow: Int
    private let split: WaveletSplit
    private let join: WaveletJoin
    private var (received, done) = (0, 0)

    init(_ input: WaveletInput, _ part: WaveletMeasurement.Part) {
      let (shrinkage, size, sizes) = (input.shrinkage, input.shape.size, input.sizes)
      (self.size, darkest) = (size, part.darkest)
      rowsBelow = shrinkage.rowsBelow(of: size)
      let streamed = input.bands(0..<sizes.count - part.coarse.count) {
        shrinkage.storedRows(ofLevel: $0, of: size)
      }
      split = WaveletSplit(Array(sizes.prefix(streamed.count)), into: streamed)
      join = WaveletJoin(sizes, from: streamed + part.coarse, part.thresholds)
    }

    /// Writes the next row of the result.
    ///
    /// - Parameter mix: Writes a row of the image.
    func next(
      to output: UnsafeMutablePointer<Float>, mix: (Int, UnsafeMutablePointer<Float>) -> Void
    ) {
      while received < min(done + 1 + rowsBelow, size.height) {
        mix(received, split.row)
        pe_affine(split.row, size.width, 1, -darkest, split.row)
        split.finishRow { _, _, _ in }
        received += 1
      }
      pe_affine(join.next(), size.width, 1, darkest, output)
      done += 1
    }
  }
}
