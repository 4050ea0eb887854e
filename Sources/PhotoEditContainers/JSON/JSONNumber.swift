// SPDX-License-Identifier: Apache-2.0

/// Returns a number in the format of RFC 8785 and ECMAScript's `Number.prototype.toString`.
///
/// The shortest digits that parse to the same value; no exponent from 1e-6 up to 1e21; minus zero
/// is `0`. NaN and the infinities, which JSON lacks, become `null` as in `JSON.stringify`;
/// `JSONValue.canonicalBytes` rejects them instead.
package func jsonNumber(_ value: Double) -> String {
  guard value.isFinite else { return "null" }
  guard value != 0 else { return "0" }
  let decimal = ShortestDecimal(value)
  let digits = String(decoding: decimal.digits, as: UTF8.self)
  let point = decimal.point
  let sign = decimal.isNegative ? "-" : ""
  func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

  switch point {
  case digits.utf8.count...21:
    return sign + digits + zeros(point - digits.utf8.count)
  case 1...21:
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  case -5...0:
    return sign + "0." + zeros(-point) + digits
  default:
    let fraction = digits.dropFirst()
    let exponent = point - 1
    return sign + digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction)
      + (exponent < 0 ? "e-" : "e+") + String(exponent.magnitude)
  }
}

extension Double {
  /// Returns the nearest number with a limited number of decimal digits, ties away from zero.
  ///
  /// Works on the shortest decimal form, so that 0.15 becomes 0.2 as users expect, and is
  /// idempotent. Values that are not finite, or would become infinite, are returned unchanged.
  ///
  /// - Parameter significantDigits: 1 or more; less means 1.
  package func rounded(significantDigits: Int) -> Double {
    let count = Swift.max(1, significantDigits)
    let decimal = ShortestDecimal(self)
    guard decimal.digits.count > count else { return self }
    var digits = Array(decimal.digits[..<count])
    var point = decimal.point
    if decimal.digits[count] >= UInt8(ascii: "5") {
      while digits.last == UInt8(ascii: "9") { digits.removeLast() }
      if let last = digits.popLast() {
        digits.append(last + 1)
      } else {
        digits = [UInt8(ascii: "1")]
        point += 1
      }
    }
    let text =
      (decimal.isNegative ? "-0." : "0.") + String(decoding: digits, as: UTF8.self)
      + "e\(point)"
    guard let value = Double(text), value.isFinite else { return self }
    return value
  }
}

/// The fewest decimal digits that parse to the same 64-bit float.
///
/// The value is ±0.d₁d₂d₃… × 10^`point`. The digits come from the standard library, whose
/// `description` is the shortest and, among those, the closest; ECMAScript requires the same.
struct ShortestDecimal {
  let isNegative: Bool
  /// ASCII digits without leading or trailing zeros; empty for zero.
  var digits: [UInt8]
  /// The position of the decimal point, counted from before the first digit.
  var point: Int

  /// Determines the digits of a number.
  ///
  /// - Parameter value: A finite number; others give no digits.
  init(_ value: Double) {
    isNegative = value < 0
    digits = []
    point = 0
    guard value.isFinite && value != 0 else { return }
    let parts = value.magnitude.description.utf8.split(separator: UInt8(ascii: "e"))
    let significand = parts[0]
    let whole = significand.prefix { $0 != UInt8(ascii: ".") }
    digits = significand.filter { $0 != UInt8(ascii: ".") }
    point = whole.count + (parts.count > 1 ? Int(Substring(parts[1])) ?? 0 : 0)
    let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(zeros)
    point -= zeros
    dropTrailingZeros()
  }

  mutating func dropTrailingZeros() {
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
  }

  /// Returns whether an integer literal, given without its sign, is this number digit for digit.
  func isInteger(_ literal: ArraySlice<UInt8>) -> Bool {
    literal.count == point && literal.starts(with: digits)
      && literal.dropFirst(digits.count).allSatisfy { $0 == UInt8(ascii: "0") }
  }
}
