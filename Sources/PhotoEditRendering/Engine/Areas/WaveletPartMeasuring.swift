// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// The measuring of luma or a color difference, in passes over the image.
final class WaveletPartMeasuring: @unchecked Sendable {
  // Safe: used by one thread at a time.
  private let input: WaveletInput
  private let part: Int
  private let means: [Float]
  private var darkest = Float.infinity
  private var transform: WaveletSplit
  private var bands: [WaveletBands]
  private var coarse: [WaveletBands] = []
  /// The sums of the squares of each band after the first one, for each level.
  private var squares: [[Double]]
  /// Indicates whether the sums are complete.
  private var hasSquares = false
  /// The magnitudes of the finest band that is high in both directions; nil if noise is given.
  private let magnitudes: MagnitudeCounts?
  private var median: Double?

  /// Starts to measure.
  ///
  /// - Parameter means: The color where alpha is 0.
  init(_ input: WaveletInput, part: Int, means: [Float]) {
    (self.input, self.part, self.means) = (input, part, means)
    bands = input.bands(0..<1) { _ in 1 }
    transform = WaveletSplit([input.sizes[0]], into: bands)
    squares = input.sizes.map { _ in [0, 0, 0] }
    magnitudes = input.noise(inPart: part) == nil ? MagnitudeCounts() : nil
  }

  private var width: Int { input.shape.size.width }

  /// Finds the smallest sample, and the approximate median of magnitudes.
  func findDarkest(_ rows: Range<Int>, of image: PlaneRows) {
    // An eighth of the rows of a large image is enough to expect a median.
    let step = input.shape.size.height < 1024 ? 1 : 8
    for y in rows {
      let row = transform.row
      input.mix(part, y: y, of: image, means: means, into: row)
      darkest = min(darkest, row.least(width))
      guard let magnitudes else { continue }
      transform.finishRow(every: step) { _, y, low in
        magnitudes.add(bands[0].row(y, 3), low: low, bands[0].size.width)
      }
    }
  }

  /// Prepares for the coefficients of all levels.
  func start() {
    magnitudes?.expectMedian()
    let streamed = input.shrinkage.streamedLevels(of: input.shape.size)
    bands = input.bands(input.sizes.indices) { level in
      level < streamed ? 1 : input.shrinkage.storedRows(ofLevel: level, of: input.shape.size)
    }
    coarse = Array(bands.dropFirst(streamed))
    transform = WaveletSplit(input.sizes, into: bands)
  }

  /// Prepares for the coefficients of the finest level, to count them again.
  func startAgain() {
    hasSquares = true
    bands = input.bands(0..<1) { _ in 1 }
    transform = WaveletSplit([input.sizes[0]], into: bands)
  }

  /// Counts coefficients and adds them up.
  func split(_ rows: Range<Int>, of image: PlaneRows) {
    let isCounting = magnitudes != nil && median == nil
    guard isCounting || !hasSquares else { return }
    for y in rows {
      let row = transform.row
      input.mix(part, y: y, of: image, means: means, into: row)
      pe_affine(row, width, 1, -darkest, row)
      transform.finishRow { level, y, low in
        let (bands, sums) = (bands[level], hasSquares ? 0 : 3)
        for band in 0..<sums {
          var sum = 0.0
          pe_sum_squares(bands.row(y, band + 1), bands.size.width, &sum)
          squares[level][band] += sum
        }
        if level == 0, isCounting { magnitudes?.add(bands.row(y, 3), low: low, bands.size.width) }
      }
    }
  }

  /// Finds the median magnitude; returns false if the coefficients must be counted again.
  func findMedian() -> Bool {
    guard let magnitudes, median == nil else { return true }
    median = magnitudes.median()
    return median != nil
  }

  var result: WaveletMeasurement.Part {
    WaveletMeasurement.Part(darkest: darkest, thresholds: thresholds, coarse: coarse)
  }

  private var thresholds: [[Float]]? {
    // The median magnitude of normally distributed values is 0.674 σ.
    let sigma = input.noise(inPart: part) ?? (median ?? 0) / 0.6744897501960817
    let (variance, strength) = (sigma * sigma, input.shrinkage.strength)
    if variance == 0 || strength == 0 { return nil }
    return zip(input.sizes, squares).map { size, sums in
      sums.map { sum in
        let mean = sum / Double(WaveletShrinkage.bandSize(of: size).pixelCount)
        let signal = max(mean - variance, .ulpOfOne)
        return Float(min(strength * variance / signal.squareRoot(), 1e30))
      }
    }
  }
}

extension UnsafeMutablePointer<Float> {
  /// Returns the smallest of some samples.
  fileprivate func least(_ count: Int) -> Float {
    var lanes = SIMD16<Float>(repeating: .infinity)
    let whole = count / 16 * 16
    for index in stride(from: 0, to: whole, by: 16) {
      let samples = UnsafeRawPointer(self + index).loadUnaligned(as: SIMD16<Float>.self)
      lanes.replace(with: samples, where: samples .< lanes)
    }
    return (whole..<count).reduce(lanes.min()) { Swift.min($0, self[$1]) }
  }
}
