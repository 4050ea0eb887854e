// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// The forward wavelet transform of a plane, as rows arrive from the top.
///
/// A row of coefficients is computed from four rows of the image, so each level keeps the last four
/// rows of its image.
final class WaveletSplit {
  private final class Level {
    let size: PixelSize
    let bands: WaveletBands
    private let memory: UnsafeMutablePointer<Float>
    /// The number of rows of the image, and of its coefficients, so far.
    var (received, done) = (0, 0)

    init(_ size: PixelSize, _ bands: WaveletBands) {
      (self.size, self.bands) = (size, bands)
      memory = .allocate(capacity: 4 * size.width)
    }

    deinit { memory.deallocate() }

    func row(_ y: Int) -> UnsafeMutablePointer<Float> { memory + y % 4 * size.width }

    /// Indicates whether the next row of coefficients can be computed.
    var isReady: Bool { done < bands.size.height && received >= min(size.height, 2 * done + 2) }
  }

  /// Receives a row of coefficients: the level, the number of the row, and the low band.
  typealias Sink = (_ level: Int, _ y: Int, _ low: UnsafePointer<Float>) -> Void

  private let levels: [Level]
  /// Two rows that start two samples before the left edge and end up to three samples after the
  /// right one.
  private let padded: UnsafeMutablePointer<Float>
  private let stride: Int
  private var filters = WaveletBands.filters

  /// Creates the transform to some levels, whose coefficients are written to bands.
  init(_ sizes: [PixelSize], into bands: [WaveletBands]) {
    levels = zip(sizes, bands).map { Level($0, $1) }
    stride = (sizes.map(\.width).max() ?? 0) + 6
    padded = .allocate(capacity: 2 * stride)
  }

  deinit { padded.deallocate() }

  /// The next row of the image, to be written before `finishRow`.
  var row: UnsafeMutablePointer<Float> { levels[0].row(levels[0].received) }

  /// Computes the coefficients that the next row of the image completes.
  ///
  /// - Parameter step: The distance between the computed rows of coefficients of the finest level.
  func finishRow(every step: Int = 1, _ sink: Sink) { finishRow(of: 0, step, sink) }

  private func finishRow(of index: Int, _ step: Int, _ sink: Sink) {
    let level = levels[index]
    level.received += 1
    while level.isReady {
      let y = level.done
      level.done += 1
      if y % step != 0 { continue }
      let isLast = index == levels.count - 1
      let low =
        isLast ? level.bands.row(y, 0) : levels[index + 1].row(levels[index + 1].received)
      split(level, y, low)
      sink(index, y, low)
      if !isLast { finishRow(of: index + 1, step, sink) }
    }
  }

  private func split(_ level: Level, _ y: Int, _ low: UnsafeMutablePointer<Float>) {
    let size = level.size
    let inputs: [UnsafePointer<Float>?] = (0..<4).map {
      UnsafePointer(level.row(EdgeMode.mirror.position(2 * y - 2 + $0, count: size.height)))
    }
    pe_wavelet_split_rows(inputs, size.width, &filters, padded + 2, padded + stride + 2)
    for part in 0..<2 {
      let row = padded + part * stride + 2
      for x in [-2, -1, size.width, size.width + 1, size.width + 2] {
        row[x] = row[EdgeMode.mirror.position(x, count: size.width)]
      }
      pe_wavelet_split(
        row - 2, level.bands.size.width, &filters,
        part == 0 ? low : level.bands.row(y, 2), level.bands.row(y, 2 * part + 1))
    }
  }
}
