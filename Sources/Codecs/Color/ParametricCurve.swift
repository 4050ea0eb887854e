// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A straight line up to some value, a power of a straight line from there on.
///
/// y = (a·x + b)^g + e from x = d on, y = c·x + f below.
///
/// - Source: ICC.1:2022, 10.18, function type 4, which holds all the others.
package struct ParametricCurve: Sendable, Hashable {
  /// The exponent.
  package var g: Double
  /// The slope of the line under the power.
  package var a = 1.0
  /// The offset of the line under the power.
  package var b = 0.0
  /// The slope below `d`.
  package var c = 0.0
  /// Where the power begins.
  package var d = 0.0
  /// What is added to the power.
  package var e = 0.0
  /// What the line below `d` starts with.
  package var f = 0.0

  /// The value at x.
  package func callAsFunction(_ x: Double) -> Double {
    x < d ? c * x + f : pow(max(a * x + b, 0), g) + e
  }
}
