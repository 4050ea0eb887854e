// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The conversion of one channel from encoded values to linear light, 0 to 1, and back.
public enum TransferCurve: Sendable, Hashable {
  /// A formula.
  case parametric(ParametricCurve)
  /// Straight lines between evenly spaced entries; constant outside 0 to 1.
  case sampled(SampledCurve)

  /// Converts an encoded value to linear light.
  public func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .parametric(let curve): curve(x)
    case .sampled(let curve): curve(x)
    }
  }

  /// Converts linear light to an encoded value; expects an increasing curve.
  public func inverse(_ y: Double) -> Double {
    switch self {
    case .parametric(let curve): curve.inverse(y)
    case .sampled(let curve): curve.inverse(y)
    }
  }

  /// Returns whether encoded values survive the round trip although the linear value is off by a
  /// millionth, as after float arithmetic.
  ///
  /// - Parameter tolerance: The largest allowed deviation of an encoded value, 0 to 1.
  package func isReversible(tolerance: Double) -> Bool {
    var previous = self(0)
    guard previous.isFinite else { return false }
    // More than the entries of any usual table, and includes every level of a byte.
    let steps = 4 * 1020
    for step in 0...steps {
      let x = Double(step) / Double(steps)
      let y = self(x)
      guard y.isFinite, abs(y) < 1e3, step == 0 || y > previous else { return false }
      let error = 1e-6 * abs(y)
      guard abs(inverse(y + error) - x) <= tolerance, abs(inverse(y - error) - x) <= tolerance
      else { return false }
      previous = y
    }
    return true
  }
}

/// Straight lines between evenly spaced values that rise from 0 to 1.
public struct SampledCurve: Sendable, Hashable {
  /// The values, at least two, each above the one before.
  public let values: [Float]

  /// Creates a curve; nil if values decrease, or if there are fewer than two or more than 65,536.
  ///
  /// If adjacent values are equal, like the smallest ones of a 16-bit power curve, a ramp of 2⁻¹⁴ is
  /// mixed in so that the curve can be inverted.
  package init?(_ entries: [Double]) {
    guard (2...65_536).contains(entries.count), entries.allSatisfy(\.isFinite) else { return nil }
    let entries = Self.thinned(entries)
    let steps = zip(entries.dropFirst(), entries).map { $0 - $1 }
    guard steps.allSatisfy({ $0 >= 0 }), entries[0] < entries[entries.count - 1] else { return nil }
    let share = steps.contains(0) ? 0x1p-14 : 0
    let last = Double(entries.count - 1)
    let values = entries.enumerated().map { index, entry in
      Float((1 - share) * entry + share * Double(index) / last)
    }
    // In floats the ramp may be lost next to large values.
    guard zip(values.dropFirst(), values).allSatisfy({ $0 > $1 }) else { return nil }
    self.values = values
  }

  /// Returns at most 4096 entries of the same curve: more are too close together for floats to
  /// distinguish.
  private static func thinned(_ entries: [Double]) -> [Double] {
    let count = 4096
    guard entries.count > count else { return entries }
    return (0..<count).map { index in
      let position = Double(index) * Double(entries.count - 1) / Double(count - 1)
      let entry = min(Int(position), entries.count - 2)
      let share = position - Double(entry)
      return entries[entry] + (entries[entry + 1] - entries[entry]) * share
    }
  }

  /// Returns the value at x.
  public func callAsFunction(_ x: Double) -> Double {
    let last = Double(values.count - 1)
    let position = min(x > 0 ? x * last : 0, last)
    let entry = min(Int(position), values.count - 2)
    let share = position - Double(entry)
    return Double(values[entry]) * (1 - share) + Double(values[entry + 1]) * share
  }

  /// Returns the x at which the curve has a value.
  public func inverse(_ y: Double) -> Double {
    let last = values.count - 1
    guard y > Double(values[0]) else { return 0 }
    guard y < Double(values[last]) else { return 1 }
    var (low, high) = (0, last)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Double(values[middle]) <= y { low = middle } else { high = middle }
    }
    let (a, b) = (Double(values[low]), Double(values[high]))
    return (Double(low) + (y - a) / (b - a)) / Double(last)
  }
}

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
    (self.g, self.a, self.b, self.c) = (g, a, b, c)
    (self.d, self.e, self.f) = (d, e, f)
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
