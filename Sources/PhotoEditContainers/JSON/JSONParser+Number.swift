// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
  /// Reads the number whose sign or first digit is at the cursor.
  mutating func number() throws(JSONError) -> Double {
    let start = offset
    let isNegative = skip("-")
    if isNegative { try refuseNotFinite("-" + token(at: offset), at: start) }
    let digitsStart = offset
    let magnitude = try digits()
    if bytes[digitsStart] == UInt8(ascii: "0"), offset > digitsStart + 1 {
      throw .leadingZero(at: position(of: start))
    }
    let digitsEnd = offset
    var isInteger = true
    if skip(".") {
      isInteger = false
      _ = try digits()
    }
    if skip("e") || skip("E") {
      isInteger = false
      if !skip("+") { _ = skip("-") }
      _ = try digits()
    }
    // Fifteen digits are always exact.
    if isInteger && digitsEnd - digitsStart <= 15 {
      return Double(isNegative ? -magnitude : magnitude)
    }
    return try longNumber(
      bytes[start..<offset], integer: isInteger ? bytes[digitsStart..<digitsEnd] : nil)
  }

  private func longNumber(
    _ literal: ArraySlice<UInt8>, integer: ArraySlice<UInt8>?
  ) throws(JSONError) -> Double {
    func shown() -> String { String(decoding: literal.prefix(80), as: UTF8.self) }
    guard let value = Double(String(decoding: literal, as: UTF8.self)), value.isFinite else {
      throw .outOfRange(literal: shown(), at: position(of: literal.startIndex))
    }
    if value == 0 {
      let significand = literal.prefix { $0 | 0x20 != UInt8(ascii: "e") }
      let isZero = !significand.contains { (0x31...0x39).contains($0) }
      guard isZero else {
        throw .outOfRange(literal: shown(), at: position(of: literal.startIndex))
      }
      return 0
    }
    if let integer, abs(value) >= 0x1p53, !ShortestDecimal(value).isInteger(integer) {
      throw .imprecise(literal: shown(), at: position(of: literal.startIndex))
    }
    return value
  }

  /// Skips digits and returns their value, which is meaningless for more than eighteen digits.
  private mutating func digits() throws(JSONError) -> Int {
    let start = offset
    var value = 0
    while offset < bytes.count {
      let digit = bytes[offset] &- 0x30
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      offset += 1
    }
    guard offset > start else { throw unexpected("a digit") }
    return value
  }

  func refuseNotFinite(_ token: String, at start: Int) throws(JSONError) {
    switch token.lowercased() {
    case "nan", "-nan", "inf", "-inf", "infinity", "-infinity":
      throw .notFinite(literal: token, at: position(of: start))
    default: return
    }
  }
}
