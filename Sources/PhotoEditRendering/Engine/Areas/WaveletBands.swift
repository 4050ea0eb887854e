// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// Rows of samples or coefficients in memory.
struct WaveletRows: @unchecked Sendable {
  // Safe: threads write different rows, and read rows only after they are complete.
  let width: Int
  private let rows: [UnsafeMutablePointer<Float>]

  init(width: Int, height: Int, _ row: (Int) -> UnsafeMutablePointer<Float>) {
    self.width = width
    rows = (0..<height).map(row)
  }

  var height: Int { rows.count }

  func row(_ y: Int) -> UnsafeMutablePointer<Float> { rows[y] }
}

/// The coefficients of a decomposition level in four bands, low or high vertically and then
/// horizontally.
final class WaveletBands: @unchecked Sendable {
  // Safe: threads write different rows, and read rows only after they are complete.
  /// The number of columns of each band.
  let width: Int
  let height: Int
  let low: WaveletRows
  private let memory: UnsafeMutableRawBufferPointer
  private let first: UnsafeMutablePointer<Float>
  /// The sums of the squares of each row, for each band.
  private var sums: [UnsafeMutableBufferPointer<Double>] = []

  /// Daubechies' wavelet with two vanishing moments, with its coefficients in reverse order.
  private static let filters: pe_wavelet = {
    let root = 3.0.squareRoot()
    let low = [1 - root, 3 - root, 3 + root, 1 + root].map { Float($0 / 32.0.squareRoot()) }
    return pe_wavelet(
      low: (low[0], low[1], low[2], low[3]), high: (-low[3], low[2], -low[1], low[0]))
  }()

  /// Allocates the bands of an image of the given size.
  init(of size: PixelSize) {
    let size = WaveletShrinkage.bandSize(of: size)
    let (width, height) = (size.width, size.height)
    (self.width, self.height) = (width, height)
    let byteCount = 4 * width * height * MemoryLayout<Float>.stride
    let memory = HugePageBuffer.allocate(byteCount: byteCount)
    guard let base = memory.baseAddress else { preconditionFailure("buffer has no base address") }
    let first = base.bindMemory(to: Float.self, capacity: 4 * width * height)
    low = WaveletRows(width: width, height: height) { first + $0 * width }
    (self.memory, self.first) = (memory, first)
    sums = (0..<4).map { _ in .allocate(capacity: height) }
  }

  deinit {
    memory.deallocate()
    for band in sums { band.deallocate() }
  }

  private func row(_ y: Int, _ band: Int) -> UnsafeMutablePointer<Float> {
    first + (band * height + y) * width
  }

  /// Returns the median of the magnitudes of the band that is high in both directions, ignoring
  /// zeros where the low band is zero too.
  func medianMagnitude() -> Double { pe_median_magnitude(row(0, 3), row(0, 0), width * height) }

  /// Computes rows of all bands.
  func split(_ input: WaveletRows, into rows: Range<Int>) {
    var how = Self.filters
    // A padded row starts two samples before the left edge and ends up to three samples after the
    // right one.
    let stride = input.width + 6
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * stride) { padded in
      guard let padded = padded.baseAddress else { return }
      for y in rows {
        let inputs: [UnsafePointer<Float>?] = (0..<4).map {
          UnsafePointer(input.row(EdgeMode.mirror.position(2 * y - 2 + $0, count: input.height)))
        }
        pe_wavelet_split_rows(inputs, input.width, &how, padded + 2, padded + stride + 2)
        for part in 0..<2 {
          let row = padded + part * stride + 2
          for x in [-2, -1, input.width, input.width + 1, input.width + 2] {
            row[x] = row[EdgeMode.mirror.position(x, count: input.width)]
          }
          let (low, high) = (self.row(y, 2 * part), self.row(y, 2 * part + 1))
          pe_wavelet_split(row - 2, width, &how, low, high)
          for (band, row) in [(2 * part, low), (2 * part + 1, high)] where band > 0 {
            sums[band][y] = 0
            pe_sum_squares(row, width, &sums[band][y])
          }
        }
      }
    }
  }

  /// Returns the BayesShrink thresholds of the bands after the first one; nil if nothing is shrunk.
  func thresholds(variance: Double, strength: Double) -> [Float]? {
    if variance == 0 || strength == 0 { return nil }
    return sums.dropFirst().map { rows in
      // Rows are added in order, so that threads do not affect the sum.
      let mean = rows.reduce(0, +) / Double(width * height)
      let signal = max(mean - variance, .ulpOfOne)
      return Float(min(strength * variance / signal.squareRoot(), 1e30))
    }
  }

  /// Computes rows of the image from shrunk coefficients.
  ///
  /// - Parameter rows: The rows of coefficients, each of which completes two rows of the image
  ///   together with the previous one.
  func join(_ rows: Range<Int>, _ thresholds: [Float]?, into output: WaveletRows) {
    var how = Self.filters
    let half = width - 1
    // Rows of the low and high bands, joined horizontally: those of this row of coefficients and of
    // the previous one; then a row that is not needed, and the shrunk rows of two bands.
    let capacity = 8 * half + output.width + 2 * width
    withUnsafeTemporaryAllocation(of: Float.self, capacity: capacity) { memory in
      guard let joined = memory.baseAddress else { return }
      let spare = joined + 8 * half
      let shrunk = spare + output.width
      func coefficients(_ y: Int, _ band: Int) -> UnsafePointer<Float> {
        let row = row(y, band)
        guard band > 0, let thresholds else { return UnsafePointer(row) }
        let target = shrunk + band % 2 * width
        pe_shrink(row, width, thresholds[band - 1], target)
        return UnsafePointer(target)
      }
      func joinedRow(_ y: Int, _ part: Int) -> UnsafeMutablePointer<Float> {
        joined + (2 * (y % 2) + part) * 2 * half
      }
      for y in rows.lowerBound - 1..<rows.upperBound {
        for part in 0..<2 {
          pe_wavelet_join(
            coefficients(y, 2 * part), coefficients(y, 2 * part + 1), half, &how,
            joinedRow(y, part))
        }
        if y < rows.lowerBound { continue }
        let (low, high) = (
          [UnsafePointer<Float>?](arrayLiteral: joinedRow(y - 1, 0), joinedRow(y, 0)),
          [UnsafePointer<Float>?](arrayLiteral: joinedRow(y - 1, 1), joinedRow(y, 1))
        )
        let first = 2 * (y - 1)
        pe_wavelet_join_rows(
          low, high, output.width, &how, output.row(first),
          first + 1 < output.height ? output.row(first + 1) : spare)
      }
    }
  }
}
