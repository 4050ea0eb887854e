// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A straight line below a threshold and a power of a straight line from there on.
///
/// y = (a·x + b)^g + e for x ≥ d, y = c·x + f below. Below zero the curve continues
/// point-symmetrically about its value at zero.
///
/// - Source: ICC.1:2022, 10.18, function type 4, which includes all the others.
public struct ParametricCurve: Sendable, Hashable {
  /// The exponent.
  public var g: Double
  /// The slope of the line inside the power.
  public var a: Double
  /// The offset of the line inside the power.
  public var b: Double
  /// The slope below `d`.
  public var c: Double
  /// The threshold from which the power applies.
  public var d: Double
  /// The constant added to the power.
  public var e: Double
  /// The offset of the line below `d`.
  public var f: Double

  /// Creates a curve; a plain power by default.
  public init(
    g: Double, a: Double = 1, b: Double = 0, c: Double = 0, d: Double = 0, e: Double = 0,
    f: Double = 0
  ) {
    self.g = g
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.e = e
    self.f = f
  }

  /// Returns the value at x.
  public func callAsFunction(_ x: Double) -> Double {
    if x < 0 { return 2 * self(0) - self(-x) }
    return x < d ? c * x + f : pow(max(a * x + b, 0), g) + e
  }

  /// Returns the x at which the curve has a value; expects an increasing curve.
  public func inverse(_ y: Double) -> Double {
    let zero = self(0)
    if y < zero { return -inverse(2 * zero - y) }
    guard d > 0, y < self(d) else { return (pow(max(y - e, 0), 1 / g) - b) / a }
    return c > 0 ? min((y - f) / c, d) : d
  }

  /// Indicates whether the curve is a plain power.
  package var isPower: Bool { a == 1 && b == 0 && d <= 0 && e == 0 }
}
