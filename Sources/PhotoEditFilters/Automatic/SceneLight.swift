// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditPlatform

/// The color of the light of a scene, estimated from the colors of an image.
///
/// The estimate is the mean of two directions of linear light: the Minkowski mean of order 6 and
/// the 99.5th percentile of each channel, both of the pixels without a sample near 0 or 1. A scene
/// of one color, such as a lawn or a sunset, gives two different directions, and is not trusted.
///
/// - Source: Finlayson and Trezzi, 2004 (shades of gray); Land, 1977.
struct SceneLight: Sendable, Hashable {
  let illuminant: Illuminant
  /// The trust in the estimate, 0 to 1.
  let confidence: Double

  /// Estimates the light; nil without pixels that have no sample near 0 or 1.
  init?(_ cells: ColorCells, in space: WorkingSpace) {
    let levels = ColorCells.levels
    var channels = [[Double]](repeating: Array(repeating: 0, count: levels), count: 3)
    var (inside, total) = (0.0, 0.0)
    let middle = 1..<levels - 1
    for index in cells.counts.indices where cells.counts[index] > 0 {
      let count = Double(cells.counts[index])
      let cell = [index >> 12, index >> 6 & 63, index & 63]
      total += count
      guard cell.allSatisfy(middle.contains) else { continue }
      inside += count
      for channel in 0..<3 { channels[channel][cell[channel]] += count }
    }
    guard inside > 0 else { return nil }
    let means = channels.map { counts in
      let sum = counts.enumerated().reduce(0.0) {
        $0 + $1.element * pow(Self.light(Double($1.offset) + 0.5), 6)
      }
      return pow(sum / inside, 1.0 / 6)
    }
    let whites = channels.map { Self.light(Self.position(of: 0.995 * inside, in: $0)) }
    let directions = [means, whites].map { Self.direction($0) }
    let chromaticities = directions.map { Self.illuminant($0, in: space).uv }
    illuminant = Self.illuminant(directions[0] + directions[1], in: space)
    let distance = Self.distance(chromaticities[0], chromaticities[1])
    let duv = illuminant.temperatureAndTint.tint / 3000
    confidence =
      max(0, 1 - distance / 0.015) * max(0, 1 - abs(duv) / 0.02) * min(1, inside / total / 0.3)
  }

  /// The distance of the light from that of a neutral image, in the CIE 1960 plane.
  var cast: Double { Self.distance(illuminant.uv, Self.daylight.uv) }

  /// The illuminant of an image whose white is neutral: D65.
  static let daylight = Illuminant(x: 0.3127, y: 0.3290)

  /// Returns the temperature and tint with which `whiteBalance` corrects a light to gray.
  ///
  /// Neutral is D65, for which temperature and tint must have no effect; it is not on the Planckian
  /// locus, so that its tint is subtracted.
  ///
  /// - Parameters:
  ///   - strength: The share of the correction, 0 to 1, by mired.
  ///   - tint: The share of that for the tint: a cast of green or magenta is often the subject's.
  ///   - digits: The number of significant digits.
  static func correction(
    of illuminant: Illuminant, strength: Double = 1, tint: Double = 1, digits: Int = 4
  ) -> (temperature: Double, tint: Double) {
    let (own, white) = (illuminant.temperatureAndTint, daylight.temperatureAndTint)
    let mired = 1e6 / own.temperature - 1e6 / white.temperature
    let temperature = 1e6 / (1e6 / 6500 + strength * mired)
    return (
      min(max(temperature, 2000), 25000).rounded(significantDigits: digits),
      min(max(strength * tint * (own.tint - white.tint), -150), 150)
        .rounded(significantDigits: digits)
    )
  }

  /// Returns the illuminant of a linear color.
  static func illuminant(_ linear: SIMD3<Double>, in space: WorkingSpace) -> Illuminant {
    let xyz = space.toXYZ.applied(to: linear)
    let sum = xyz.sum()
    return Illuminant(x: xyz.x / sum, y: xyz.y / sum)
  }

  private static func direction(_ color: [Double]) -> SIMD3<Double> {
    let vector = SIMD3(color[0], color[1], color[2])
    return vector / (vector * vector).sum().squareRoot()
  }

  private static func distance(
    _ a: (u: Double, v: Double), _ b: (u: Double, v: Double)
  ) -> Double {
    hypot(a.u - b.u, a.v - b.v)
  }

  /// Returns the linear light at a position of the cells of a channel.
  private static func light(_ position: Double) -> Double {
    SRGBTransfer.decode((position * 4 - 0.5) / 255)
  }

  /// Returns the position below which a number of pixels is.
  private static func position(of number: Double, in counts: [Double]) -> Double {
    var rest = number
    for (index, count) in counts.enumerated() {
      if count > 0, rest <= count { return Double(index) + rest / count }
      rest -= count
    }
    return Double(counts.count)
  }
}
