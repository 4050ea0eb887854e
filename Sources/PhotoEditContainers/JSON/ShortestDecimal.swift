// SPDX-License-Identifier: Apache-2.0

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
