// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
import PhotoEditPlatform

/// Moves points along rays from a center, as lenses do.
///
/// A point at distance r goes to the distance s = r·Σ factorsᵢrⁱ, in red to s·Σ redᵢsⁱ, in blue
/// likewise.
public struct RadialMap: Sendable, Hashable {
  /// The factors of a map that moves nothing.
  public static let identity: (factors: [Double], fringe: [Double]) = ([1, 0, 0, 0, 0], [1, 0, 0])

  /// The center in pixels; pixel centers are at halves.
  public var center: SIMD2<Double>
  /// The distance that counts as one, in pixels.
  public var unit: Double
  /// Five coefficients, from that of r⁰ on.
  public var factors: [Double]
  /// Three coefficients of the additional factor of red.
  public var red: [Double]
  /// Three coefficients of the additional factor of blue.
  public var blue: [Double]

  /// Creates a map.
  ///
  /// - Parameters:
  ///   - size: The size of an image; its center is that of the map, and half of its diagonal the
  ///     unit.
  ///   - factors: Five coefficients.
  ///   - red: Three coefficients.
  ///   - blue: Three coefficients.
  public init(
    size: PixelSize, factors: [Double] = Self.identity.factors,
    red: [Double] = Self.identity.fringe, blue: [Double] = Self.identity.fringe
  ) {
    precondition(factors.count == 5 && red.count == 3 && blue.count == 3, "five, three and three")
    let (w, h) = (Double(size.width), Double(size.height))
    (center, unit) = (SIMD2(w / 2, h / 2), hypot(w, h) / 2)
    (self.factors, self.red, self.blue) = (factors, red, blue)
  }

  /// Indicates whether red and blue go elsewhere than green.
  package var hasFringes: Bool { red != Self.identity.fringe || blue != Self.identity.fringe }

  /// The factors of green, red and blue at a distance.
  public func factors(at r: Double) -> SIMD3<Double> {
    let f = Self.value(factors, r)
    return f * SIMD3(1, Self.value(red, r * f), Self.value(blue, r * f))
  }

  private static func value(_ coefficients: [Double], _ r: Double) -> Double {
    coefficients.reversed().reduce(0) { $0 * r + $1 }
  }

  /// Returns points around the places to which any color of a rectangle goes.
  ///
  /// - Parameter points: Points that include the rectangle's extremes.
  func bounds(of points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
    let (xs, ys) = (points.map { $0.x - center.x }, points.map { $0.y - center.y })
    let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
    let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
    func nearest(_ low: Double, _ high: Double) -> Double { max(0, max(low, -high)) }
    let first = hypot(nearest(left, right), nearest(top, bottom)) / unit
    let last = zip(xs, ys).map { hypot($0, $1) / unit }.max() ?? 0
    // Between two of the samples, the factor leaves their range by less than it changes.
    let count = 16
    let samples = (0...count).map {
      factors(at: first + (last - first) * Double($0) / Double(count))
    }
    var slack = 0.0
    for (one, next) in zip(samples, samples.dropFirst()) {
      let step: SIMD3<Double> = one - next
      slack = max(slack, abs(step.x), abs(step.y), abs(step.z))
    }
    let low = (samples.map { $0.min() }.min() ?? 1) - slack
    let high = (samples.map { $0.max() }.max() ?? 1) + slack
    return [left, right].flatMap { x in
      [top, bottom].flatMap { y in
        [low, high].map { (center.x + x * $0, center.y + y * $0) }
      }
    }
  }

  /// The largest scale at which every point of a result of the same size shows one inside the image.
  func scale(filling size: PixelSize) -> Double {
    let short = Double(min(size.width, size.height)) / 2 / unit
    // A point of the border stays on its ray, so it is inside as long as it moves inward.
    let border = (0...64).map { short + (1 - short) * Double($0) / 64 }
    func fits(_ scale: Double) -> Bool {
      border.allSatisfy { scale * factors(at: scale * $0).max() <= 1 }
    }
    var (low, high) = (0.5, 2.0)
    guard fits(low) else { return low }
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if fits(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
