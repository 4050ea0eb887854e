// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// The inverse wavelet transform of a plane with shrunk coefficients, row by row from the top.
final class WaveletJoin {
  private final class Level {
    let bands: WaveletBands
    /// The width of the image.
    let width: Int
    /// The thresholds of the bands after the first one; nil if nothing is shrunk.
    let thresholds: [Float]?
    /// The number of rows of coefficients so far.
    var done = 0
    /// Indicates whether the second one of two rows of the image is still to be returned.
    var hasRow = false
    private let half: Int
    private let memory: UnsafeMutablePointer<Float>

    init(_ size: PixelSize, _ bands: WaveletBands, _ thresholds: [Float]?) {
      (self.bands, width, self.thresholds) = (bands, size.width, thresholds)
      half = bands.size.width - 1
      memory = .allocate(capacity: 12 * half)
    }

    deinit { memory.deallocate() }

    /// Returns one of two rows of the image.
    func row(_ y: Int) -> UnsafeMutablePointer<Float> { memory + (8 + 2 * y) * half }

    /// Returns a row of the coefficients, low or high, joined horizontally.
    func joined(_ y: Int, _ part: Int) -> UnsafeMutablePointer<Float> {
      memory + (2 * (y % 2) + part) * 2 * half
    }

    /// Joins the next row of coefficients horizontally.
    func join(_ low: UnsafePointer<Float>, shrunk: UnsafeMutablePointer<Float>) {
      var filters = WaveletBands.filters
      let y = done
      done += 1
      func coefficients(_ band: Int) -> UnsafePointer<Float> {
        let row = bands.row(y, band)
        guard let thresholds else { return UnsafePointer(row) }
        let target = shrunk + band % 2 * bands.size.width
        pe_shrink(row, bands.size.width, thresholds[band - 1], target)
        return UnsafePointer(target)
      }
      pe_wavelet_join(low, coefficients(1), half, &filters, joined(y, 0))
      pe_wavelet_join(coefficients(2), coefficients(3), half, &filters, joined(y, 1))
    }
  }

  private let levels: [Level]
  /// The shrunk rows of two bands.
  private let shrunk: UnsafeMutablePointer<Float>
  private var filters = WaveletBands.filters

  /// Creates the inverse of a transform.
  ///
  /// - Parameter thresholds: The thresholds of each level; nil if nothing is shrunk.
  init(_ sizes: [PixelSize], from bands: [WaveletBands], _ thresholds: [[Float]]?) {
    levels = sizes.indices.map { Level(sizes[$0], bands[$0], thresholds?[$0]) }
    shrunk = .allocate(capacity: 2 * (bands.map(\.size.width).max() ?? 0))
  }

  deinit { shrunk.deallocate() }

  /// Returns the next row, which is valid until the call after the next one.
  func next() -> UnsafePointer<Float> { next(of: 0) }

  private func next(of index: Int) -> UnsafePointer<Float> {
    let level = levels[index]
    if level.hasRow {
      level.hasRow = false
      return UnsafePointer(level.row(1))
    }
    if level.done == 0 { level.join(low(index), shrunk: shrunk) }
    level.join(low(index), shrunk: shrunk)
    let last = level.done - 1
    pe_wavelet_join_rows(
      [UnsafePointer(level.joined(last - 1, 0)), UnsafePointer(level.joined(last, 0))],
      [UnsafePointer(level.joined(last - 1, 1)), UnsafePointer(level.joined(last, 1))],
      level.width, &filters, level.row(0), level.row(1))
    level.hasRow = true
    return UnsafePointer(level.row(0))
  }

  /// Returns the next row of the low band of a level.
  private func low(_ index: Int) -> UnsafePointer<Float> {
    let level = levels[index]
    return index + 1 < levels.count
      ? next(of: index + 1) : UnsafePointer(level.bands.row(level.done, 0))
  }
}
