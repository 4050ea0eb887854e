// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// The values that a wavelet transform needs before its first row: they depend on the whole image.
final class WaveletMeasurement: Sendable {
  /// The values of luma or a color difference.
  struct Part: Sendable {
    /// The smallest sample, which is subtracted: it may be clipped, and then says nothing about
    /// noise.
    let darkest: Float
    /// The BayesShrink thresholds of each level, for the bands after the first one; nil if nothing
    /// is shrunk.
    let thresholds: [[Float]]?
    /// The coefficients of the coarser levels, not shrunk.
    let coarse: [WaveletBands]
  }

  /// The mean colors, which are those of transparent pixels; empty without alpha.
  let means: [Float]
  let parts: [Part]

  /// Work on some rows of one of several planes; rows of a plane arrive in order.
  typealias Work = @Sendable (_ plane: Int, _ rows: Range<Int>, _ input: PlaneRows) -> Void

  /// Measures an image.
  ///
  /// - Parameter run: Passes all rows of the image to some work, for a number of planes.
  init(
    _ input: WaveletInput, _ run: (_ planes: Int, @escaping Work) throws(RenderError) -> Void
  ) throws(RenderError) {
    var means: [Float] = []
    if let alpha = input.alpha {
      let planes = Array(input.colors) + [alpha]
      let sums = planes.map { _ in RowSum() }
      let width = input.shape.size.width
      try run(planes.count) { plane, rows, input in
        for y in rows { sums[plane].add(input.row(y, plane: planes[plane]), width) }
      }
      let total = sums[input.colors.count].sum
      means = sums.dropLast().map { total > 0 ? Float($0.sum / total) : 0 }
    }
    let parts = [Int](input.mixes.indices).map {
      WaveletPartMeasuring(input, part: $0, means: means)
    }
    try run(parts.count) { parts[$0].findDarkest($1, of: $2) }
    for part in parts { part.start() }
    try run(parts.count) { parts[$0].split($1, of: $2) }
    while parts.map({ $0.findMedian() }).contains(false) {
      // A median is not where the first pass, without knowing the darkest sample, expected it.
      for part in parts { part.startAgain() }
      try run(parts.count) { parts[$0].split($1, of: $2) }
    }
    self.means = means
    self.parts = parts.map(\.result)
  }
}

extension WaveletMeasurement: Hashable {
  static func == (one: WaveletMeasurement, other: WaveletMeasurement) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The sum of the samples of a plane, in order.
private final class RowSum: @unchecked Sendable {
  // Safe: used by one thread at a time.
  private(set) var sum = 0.0

  func add(_ row: UnsafePointer<Float>, _ width: Int) {
    sum = (0..<width).reduce(sum) { $0 + Double(row[$1]) }
  }
}
