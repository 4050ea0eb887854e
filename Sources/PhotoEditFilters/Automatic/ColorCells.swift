// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform

/// The numbers of pixels of an image by color, with 64 levels for each channel.
///
/// Counts are integers, so the order of rows and the number of threads do not affect them.
package struct ColorCells: Sendable {
  /// The number of levels of a channel.
  package static let levels = 64
  private static let cells = levels * levels * levels

  /// The number of pixels of each color, red changing slowest.
  package var counts = [UInt32](repeating: 0, count: cells)
  /// The sums of the weights of the same pixels, which depend on their distance from the center.
  package var weights = [UInt64](repeating: 0, count: cells)

  /// Creates counts of no pixels.
  package init() {}

  /// Returns the weights of the positions along one side of an image, 255 at its center.
  ///
  /// The weight of a pixel, the product of those of its column and its row, is a Gaussian of the
  /// distance from the center with a standard deviation of 0.35 sides.
  package static func weights(along side: Int) -> [UInt8] {
    (0..<side).map { position in
      let distance = (Double(position) + 0.5) / Double(side) - 0.5
      return UInt8((255 * exp(-distance * distance / (2 * 0.35 * 0.35))).rounded())
    }
  }

  /// Adds the counts of other pixels.
  package mutating func add(_ other: ColorCells) {
    for index in counts.indices where other.counts[index] > 0 {
      counts[index] += other.counts[index]
      weights[index] += other.weights[index]
    }
  }

  /// The colors that occur.
  var colors: WeightedColors {
    var colors = WeightedColors()
    for index in counts.indices where counts[index] > 0 {
      let cell = SIMD3(index >> 12, index >> 6 & 63, index & 63)
      // The middle of the four levels of a cell.
      let levels = SIMD3(Double(cell.x), Double(cell.y), Double(cell.z)) * 4 + 1.5
      colors.colors.append(levels / 255)
      colors.counts.append(Double(counts[index]))
      colors.weights.append(Double(weights[index]))
    }
    return colors
  }
}

/// Gamma-encoded colors with the number of pixels and the weight of each.
struct WeightedColors: Sendable {
  var colors: [SIMD3<Double>] = []
  var counts: [Double] = []
  var weights: [Double] = []

  /// Returns the same pixels after the filters that process each pixel separately.
  func applying(_ filters: [any Filter], in space: WorkingSpace) throws(ParameterError)
    -> WeightedColors
  {
    var result = self
    let context = LoweringContext(size: PixelSize(width: 1, height: 1), space: space)
    for filter in filters {
      for operation in try filter.lowered(in: context) {
        switch operation {
        case .curves(let curves):
          let sampled = curves.channels.map { SampledCurve($0) }
          result.change { SIMD3(sampled[0]($0.x), sampled[1]($0.y), sampled[2]($0.z)) }
        case .matrix(let matrix): result.change { matrix.applied(to: $0) }
        case .map(let map): result.change { map($0) }
        default: continue
        }
      }
    }
    return result
  }

  private mutating func change(_ change: (SIMD3<Double>) -> SIMD3<Double>) {
    for index in colors.indices { colors[index] = change(colors[index]) }
  }

  /// Returns the pixels by the level of a value.
  func levels(_ value: (SIMD3<Double>) -> Double) -> LevelShares {
    var levels = LevelShares()
    for (color, count) in zip(colors, counts) { levels.add(value(color), count) }
    return levels
  }

  /// The pixels by luma (BT.601).
  var lumaLevels: LevelShares { levels { PixelMap.luma($0) } }

  /// The same, those in the center counting most.
  var centralLevels: LevelShares {
    var levels = LevelShares()
    for (color, weight) in zip(colors, weights) { levels.add(PixelMap.luma(color), weight) }
    return levels
  }

  /// The average luma of the pixels that are neither black nor white, those in the center counting
  /// most; nil without such pixels.
  var key: Double? {
    var (sum, total) = (0.0, 0.0)
    for (color, weight) in zip(colors, weights) {
      let luma = PixelMap.luma(color)
      guard luma > 0.04, luma < 0.985 else { continue }
      sum += weight * luma
      total += weight
    }
    return total > 0 ? sum / total : nil
  }

  /// Returns the average chroma (Oklch) of the pixels that have a color, and their share of all; nil
  /// without such pixels.
  ///
  /// The color of dark pixels is noise.
  func chroma(in space: WorkingSpace) -> (average: Double, share: Double)? {
    let cones = Oklab.coneResponse(of: space)
    var (sum, total) = (0.0, 0.0)
    for (color, count) in zip(colors, counts) where PixelMap.luma(color) > 0.15 {
      let lab = Oklab.lab(of: color, cones)
      let chroma = (lab.y * lab.y + lab.z * lab.z).squareRoot()
      guard chroma > 0.02 else { continue }
      sum += count * chroma
      total += count
    }
    return total > 0 ? (sum / total, total / counts.reduce(0, +)) : nil
  }

  /// Returns the chroma (Oklch) of the average color of the brightest hundredth of the pixels that
  /// are not clipped; nil if none is bright.
  func chromaOfBrightest(in space: WorkingSpace) -> Double? {
    let bright = zip(colors, counts).filter { PixelMap.luma($0.0) > 0.6 && $0.0.max() < 0.98 }
    var levels = LevelShares()
    for (color, count) in bright { levels.add(PixelMap.luma(color), count) }
    let required = 0.01 * counts.reduce(0, +)
    guard levels.total >= required / 2 else { return nil }
    let least = levels.quantile(max(0, 1 - required / levels.total))
    let cones = Oklab.coneResponse(of: space)
    var (lab, total) = (SIMD3<Double>(), 0.0)
    for (color, count) in bright where PixelMap.luma(color) >= least - 0.01 {
      lab += count * Oklab.lab(of: color, cones)
      total += count
    }
    guard total > 0 else { return nil }
    return (lab.y * lab.y + lab.z * lab.z).squareRoot() / total
  }
}

extension Oklab {
  /// Returns lightness, a and b of a gamma-encoded color.
  fileprivate static func lab(
    of color: SIMD3<Double>, _ cones: ColorTransform
  ) -> SIMD3<Double> {
    let linear = SIMD3(
      SRGBTransfer.decode(color.x), SRGBTransfer.decode(color.y), SRGBTransfer.decode(color.z))
    let response = cones.applied(to: linear)
    return opponent.applied(to: SIMD3(cbrt(response.x), cbrt(response.y), cbrt(response.z)))
  }
}

/// The distribution of a value from 0 to 1 over the pixels, by 256 levels.
struct LevelShares: Sendable {
  private var counts = [Double](repeating: 0, count: 256)
  private(set) var total = 0.0

  /// Adds pixels whose values are spread evenly over the four levels of a cell.
  mutating func add(_ value: Double, _ count: Double) {
    for offset in [-1.5, -0.5, 0.5, 1.5] {
      let level = min(max((value * 255 + offset).rounded(), 0), 255)
      counts[Int(level)] += count / 4
    }
    total += count
  }

  /// Returns the value below which a share of the pixels is.
  func quantile(_ share: Double) -> Double {
    var rest = share * total
    for (level, count) in counts.enumerated() {
      if count > rest || level == 255 { return Double(level) / 255 }
      rest -= count
    }
    return 1
  }

  /// Returns the share of the pixels in a range of values.
  func share(_ range: Range<Double>) -> Double {
    guard total > 0 else { return 0 }
    let inside = counts.enumerated().filter { range.contains(Double($0.offset) / 255) }
    return inside.reduce(0) { $0 + $1.element } / total
  }
}

/// A curve replaced by linear interpolation between 6,145 values from −0.5 to 2.5, with an error of
/// less than a thousandth of a level.
private struct SampledCurve {
  private static let perUnit = 2048.0
  private let values: [Double]

  init(_ curve: ToneCurve) {
    values = (0...6145).map { curve(Double($0) / Self.perUnit - 0.5) }
  }

  func callAsFunction(_ x: Double) -> Double {
    let position = min(max((x + 0.5) * Self.perUnit, 0), 6144)
    let index = Int(position)
    let (low, high) = (values[index], values[index + 1])
    return low + (high - low) * (position - Double(index))
  }
}
