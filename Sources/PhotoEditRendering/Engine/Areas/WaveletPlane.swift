// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// One plane of an image, split into wavelet bands and joined again.
final class WaveletPlane {
  private var samples: WaveletBand

  /// Daubechies' wavelet with two vanishing moments, with its coefficients in reverse order.
  private static let filters: pe_wavelet = {
    let root = 3.0.squareRoot()
    let low = [1 - root, 3 - root, 3 + root, 1 + root].map { Float($0 / 32.0.squareRoot()) }
    return pe_wavelet(
      low: (low[0], low[1], low[2], low[3]), high: (-low[3], low[2], -low[1], low[0]))
  }()

  init(_ size: PixelSize, _ fill: (Int, UnsafeMutablePointer<Float>) -> Void) {
    samples = WaveletBand(width: size.width, height: size.height)
    for y in 0..<size.height { fill(y, samples.row(y)) }
  }

  func row(_ y: Int) -> UnsafePointer<Float> { UnsafePointer(samples.row(y)) }

  /// Removes noise of the given standard deviation, which is estimated if `noise` is nil.
  func shrink(_ shrinkage: WaveletShrinkage, noise: Double?) {
    let levels = shrinkage.levels(width: samples.width, height: samples.height)
    // The darkest samples carry no information about noise, because they may be clipped.
    let darkest = samples.least
    samples.add(-darkest)
    defer { samples.add(darkest) }
    var details: [[WaveletBand]] = []
    var sizes: [(width: Int, height: Int)] = []
    var estimate = 0.0
    for _ in 0..<levels {
      sizes.append((samples.width, samples.height))
      var bands = split(samples)
      samples = bands.removeFirst()
      if details.isEmpty && noise == nil { estimate = bands[2].medianMagnitude(without: samples) }
      details.append(bands)
    }
    // The median magnitude of normally distributed values is 0.674 σ.
    let sigma = noise ?? estimate / 0.6744897501960817
    for (bands, size) in zip(details, sizes).reversed() {
      for band in bands { band.shrink(variance: sigma * sigma, strength: shrinkage.strength) }
      samples = join([samples] + bands, width: size.width, height: size.height)
    }
  }

  /// Splits a plane into low and high vertical bands, each split horizontally: four bands, low
  /// first.
  private func split(_ input: WaveletBand) -> [WaveletBand] {
    var how = Self.filters
    let (width, height) = ((input.width + 3) / 2, (input.height + 3) / 2)
    let bands = (0..<4).map { _ in WaveletBand(width: width, height: height) }
    // A padded row starts two samples before the left edge and ends up to three samples after the
    // right one.
    let padded = WaveletBand(width: input.width + 6, height: 2)
    for y in 0..<height {
      let rows: [UnsafePointer<Float>?] = (0..<4).map {
        UnsafePointer(input.row(EdgeMode.mirror.position(2 * y - 2 + $0, count: input.height)))
      }
      pe_wavelet_split_rows(rows, input.width, &how, padded.row(0) + 2, padded.row(1) + 2)
      for part in 0..<2 {
        let row = padded.row(part) + 2
        for x in [-2, -1, input.width, input.width + 1, input.width + 2] {
          row[x] = row[EdgeMode.mirror.position(x, count: input.width)]
        }
        pe_wavelet_split(
          row - 2, width, &how, bands[2 * part].row(y), bands[2 * part + 1].row(y))
      }
    }
    return bands
  }

  private func join(_ bands: [WaveletBand], width: Int, height: Int) -> WaveletBand {
    var how = Self.filters
    let result = WaveletBand(width: width, height: height)
    let half = bands[1].width - 1
    // Rows of the low and high bands, joined horizontally: those of this row of coefficients and of
    // the next one.
    let joined = WaveletBand(width: 2 * half, height: 4)
    let spare = WaveletBand(width: width, height: 1)
    for y in 0..<bands[1].height {
      for part in 0..<2 {
        pe_wavelet_join(
          bands[2 * part].row(y), bands[2 * part + 1].row(y), half, &how,
          joined.row(2 * (y % 2) + part))
      }
      if y == 0 { continue }
      let (before, now) = (2 * ((y - 1) % 2), 2 * (y % 2))
      let low: [UnsafePointer<Float>?] = [
        UnsafePointer(joined.row(before)), UnsafePointer(joined.row(now)),
      ]
      let high: [UnsafePointer<Float>?] = [
        UnsafePointer(joined.row(before + 1)), UnsafePointer(joined.row(now + 1)),
      ]
      let first = 2 * (y - 1)
      pe_wavelet_join_rows(
        low, high, width, &how, result.row(first),
        first + 1 < height ? result.row(first + 1) : spare.row(0))
    }
    return result
  }
}

/// Coefficients of one band, row by row.
final class WaveletBand {
  let width: Int
  let height: Int
  private let memory: UnsafeMutablePointer<Float>

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    memory = .allocate(capacity: width * height)
  }

  deinit { memory.deallocate() }

  func row(_ y: Int) -> UnsafeMutablePointer<Float> { memory + y * width }

  /// The smallest value.
  var least: Float {
    var least = memory[0]
    for index in 1..<max(1, width * height) { least = min(least, memory[index]) }
    return least
  }

  func add(_ offset: Float) { pe_affine(memory, width * height, 1, offset, memory) }

  /// Returns the median of the magnitudes, ignoring zeros where the other band is zero too.
  func medianMagnitude(without low: WaveletBand) -> Double {
    pe_median_magnitude(memory, low.memory, width * height)
  }

  /// Shrinks coefficients toward zero by the BayesShrink threshold.
  func shrink(variance: Double, strength: Double) {
    if variance == 0 || strength == 0 { return }
    var sum = 0.0
    for y in 0..<height { pe_sum_squares(row(y), width, &sum) }
    let signal = max(sum / Double(width * height) - variance, .ulpOfOne)
    let threshold = strength * variance / signal.squareRoot()
    pe_shrink(memory, width * height, Float(min(threshold, 1e30)), memory)
  }
}
