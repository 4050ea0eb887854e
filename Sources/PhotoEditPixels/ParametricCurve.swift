// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A straight line up to some value, a power of a straight line from there on.
///
/// y = (a·x + b)^g + e from x = d on, y = c·x + f below. Below zero the curve goes on as it does
/// above, turned about its value at zero.
///
/// - Source: ICC.1:2022, 10.18, function type 4, which holds all the others.
public struct ParametricCurve: Sendable, Hashable {
  /// The exponent.
  public var g: Double
  /// The slope of the line under the power.
  public var a: Double
  /// The offset of the line under the power.
  public var b: Double
  /// The slope below `d`.
  public var c: Double
  /// Where the power begins.
  public var d: Double
  /// What is added to the power.
  public var e: Double
  /// What the line below `d` starts with.
  public var f: Double

  /// Makes a curve, a plain power unless told otherwise.
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

  /// The value at x.
  public func callAsFunction(_ x: Double) -> Double {
    if x < 0 { return 2 * self(0) - self(-x) }
    return x < d ? c * x + f : pow(max(a * x + b, 0), g) + e
  }

  /// Where the curve has a value; expects a curve that rises.
  public func inverse(_ y: Double) -> Double {
    let zero = self(0)
    if y < zero { return -inverse(2 * zero - y) }
    guard d > 0, y < self(d) else { return (pow(max(y - e, 0), 1 / g) - b) / a }
    return c > 0 ? min((y - f) / c, d) : d
  }

  /// Whether the curve is a power and nothing else.
  package var isPower: Bool { a == 1 && b == 0 && d <= 0 && e == 0 }
}
