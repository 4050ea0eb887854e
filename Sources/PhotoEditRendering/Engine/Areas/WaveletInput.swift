// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// The image that a wavelet transform reads: luma and color differences of some planes.
struct WaveletInput: Sendable {
  let shrinkage: WaveletShrinkage
  let shape: StripShape
  let colors: Range<Int>
  /// The plane of alpha, if there is one.
  let alpha: Int?
  /// The sizes of the images that are decomposed.
  let sizes: [PixelSize]

  /// Returns nil if a pass is not a wavelet transform.
  init?(_ stage: Stage) {
    guard case .area(.wavelet(let shrinkage), let fromPlane) = stage.inputMapping,
      case .planes(let count) = stage.input.format
    else { return nil }
    self.shrinkage = shrinkage
    shape = stage.input
    colors = fromPlane..<count - (stage.hasAlpha ? 1 : 0)
    alpha = stage.hasAlpha ? count - 1 : nil
    sizes = shrinkage.levelSizes(of: stage.input.size)
  }

  /// The weights of the colors in each part; the luma of a gray image is its only channel.
  var mixes: [[Double]] { colors.count == 3 ? WaveletShrinkage.fromRGB : [[1]] }

  /// Returns the standard deviation of given noise in a part: the variances of independent noise in
  /// three channels add up.
  func noise(inPart part: Int) -> Double? {
    let share = WaveletShrinkage.fromRGB[part].reduce(0) { $0 + $1 * $1 }.squareRoot()
    return shrinkage.sigma.map { $0 * share }
  }

  /// Allocates the bands of some levels.
  ///
  /// - Parameter rows: The number of rows of a level that are in memory.
  func bands(_ levels: Range<Int>, rows: (Int) -> Int) -> [WaveletBands] {
    levels.map { WaveletBands(of: sizes[$0], capacity: rows($0)) }
  }

  /// Writes a row of a part: colors that were multiplied by alpha are divided by it again.
  ///
  /// - Parameter means: The color where alpha is 0.
  func mix(
    _ part: Int, y: Int, of input: PlaneRows, means: [Float], into out: UnsafeMutablePointer<Float>
  ) {
    let width = shape.size.width
    let rows = colors.map { input.row(y, plane: $0) }
    let weights = mixes[part].map { Float($0) }
    if rows.count == 3 {
      pe_weighted_sum(rows[0], rows[1], rows[2], width, weights + [0], out)
    } else {
      out.update(from: rows[0], count: width)
    }
    guard let alpha else { return }
    let hidden = zip(weights, means).reduce(Float(0)) { $0 + $1.0 * $1.1 }
    let row = input.row(y, plane: alpha)
    for x in 0..<width { out[x] = row[x] > 0 ? out[x] / row[x] : hidden }
  }
}

/// The order of work on several planes of strips: each plane from the top of the image, and
/// different planes at the same time.
final class PlaneOrder: Sendable {
  /// The number of finished rows of each plane.
  private let finished: LockedValue<[Int]>

  init(planes: Int) { finished = LockedValue(Array(repeating: 0, count: planes)) }

  /// Runs a body for each plane, after the rows above are finished.
  func forEachPlane(_ rows: Range<Int>, _ body: (Int) -> Void) {
    for plane in 0..<finished.withLock({ $0.count }) {
      finished.wait { $0[plane] == rows.lowerBound ? () : nil }
      body(plane)
      finished.change { $0[plane] = rows.upperBound }
    }
  }
}
