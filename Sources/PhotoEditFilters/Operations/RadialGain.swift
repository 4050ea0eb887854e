// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
import PhotoEditPlatform

/// A radial gain: a factor for every pixel of an image, depending on the distance from a center.
public struct RadialGain: Sendable, Hashable {
  /// The falloff function.
  public enum Model: Sendable, Hashable {
    /// cos⁴ of an angle that grows with distance, like natural light falloff.
    case cosine(angle: Double)
    /// One inside the first radius, zero outside the second, smooth between.
    case smooth(inner: Double, outer: Double)
    /// The inverse of 1 + k₁d² + k₂d⁴ + k₃d⁶, the light at distance d; at most 20.
    case inverse(SIMD3<Double>)
  }

  /// The falloff function.
  public var model: Model
  /// The strength of the falloff; below zero the corners are brightened instead.
  public var amount: Double
  /// True if no color is brightened past white: with m, the largest channel of a pixel, its factor
  /// becomes factor / (1 + m·(factor − 1)).
  public var keepsWhite = false
  /// The column and row of the center, in pixels; pixel centers are at halves.
  public var center: (x: Double, y: Double) {
    (centerX - Double(firstX), centerY - Double(firstY))
  }
  /// The factors of distances along x and y; the corner of a centered image is at distance 1.
  public var reach: (x: Double, y: Double) { (reachX, reachY) }

  let centerX: Double
  let centerY: Double
  let reachX: Double
  let reachY: Double
  // Integers separate from the center, so that a cropped image gets exactly the factors of the
  // whole one.
  private var firstX = 0
  private var firstY = 0

  /// Creates a radial gain.
  ///
  /// - Parameters:
  ///   - size: The size of the image.
  ///   - center: Column and row, 0 to 1.
  ///   - roundness: 0 follows the aspect ratio of the image, 1 is a circle.
  ///   - keepsWhite: Whether no color is brightened past white.
  public init(
    _ model: Model, amount: Double, size: PixelSize, center: (x: Double, y: Double),
    roundness: Double, keepsWhite: Bool = false
  ) {
    (self.model, self.amount, self.keepsWhite) = (model, amount, keepsWhite)
    centerX = center.x * Double(size.width)
    centerY = center.y * Double(size.height)
    let circle = 2 / hypot(Double(size.width), Double(size.height))
    func reach(_ side: Int) -> Double {
      let ellipse = 2 / (Double(side) * 2.0.squareRoot())
      return ellipse + (circle - ellipse) * roundness
    }
    reachX = reach(size.width)
    reachY = reach(size.height)
  }

  /// Returns the factor at a pixel, for black if white is kept.
  public func factor(x: Int, y: Int) -> Double {
    let distance = hypot(
      (Double(x + firstX) + 0.5 - centerX) * reachX, (Double(y + firstY) + 0.5 - centerY) * reachY)
    let falloff: Double
    switch model {
    case .cosine(let angle):
      // From a right angle on there is no light; the cosine would rise again.
      let theta = angle * .pi / 180 * distance
      let c = theta < .pi / 2 ? cos(theta) : 0
      falloff = c * c * c * c
    case .smooth(let inner, let outer):
      falloff = 1 - smoothStep(inner, outer, distance)
    case .inverse(let k):
      let d = distance * distance
      falloff = 1 / max(0.05, 1 + d * (k.x + d * (k.y + d * k.z)))
    }
    return 1 + abs(amount) * (amount < 0 ? 1 - falloff : falloff - 1)
  }

  private init(
    _ other: RadialGain, centerX: Double, centerY: Double, reachX: Double, reachY: Double
  ) {
    (model, amount, keepsWhite) = (other.model, other.amount, other.keepsWhite)
    (self.centerX, self.centerY, self.reachX, self.reachY) = (centerX, centerY, reachX, reachY)
  }

  /// Returns the same gain for the rotated or flipped image.
  ///
  /// - Parameter size: Size of the image before rotation.
  package func rotated(by orientation: Orientation, size: PixelSize) -> RadialGain {
    // The matrix maps the rotated image back to the previous one, so it is transposed here.
    let m = orientation.matrix
    let (w, h) = (Double(size.width), Double(size.height))
    let center = center
    func coordinate(_ x: Int, _ y: Int) -> Double {
      (x != 0 ? (x > 0 ? center.x : w - center.x) : 0)
        + (y != 0 ? (y > 0 ? center.y : h - center.y) : 0)
    }
    return RadialGain(
      self, centerX: coordinate(m.xx, m.yx), centerY: coordinate(m.xy, m.yy),
      reachX: orientation.swapsAxes ? reachY : reachX,
      reachY: orientation.swapsAxes ? reachX : reachY)
  }

  /// Returns the same gain for a part of the image.
  package func cropped(to region: Region) -> RadialGain {
    var cropped = self
    cropped.firstX += region.x
    cropped.firstY += region.y
    return cropped
  }

  /// Returns the same gain for the image at another scale.
  ///
  /// - Parameters:
  ///   - origin: Column and row of this image at which the other one starts.
  ///   - step: Columns and rows of this image per column and row of the other.
  package func scaled(origin: (x: Double, y: Double), step: (x: Double, y: Double)) -> RadialGain {
    RadialGain(
      self, centerX: (center.x - origin.x) / step.x, centerY: (center.y - origin.y) / step.y,
      reachX: reachX * step.x, reachY: reachY * step.y)
  }
}
