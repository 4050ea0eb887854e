// SPDX-License-Identifier: Apache-2.0

/// Parses decimal numbers as the nearest 32-bit float, independent of the locale and of the number
/// of digits.
enum DecimalFloat {
  /// Powers of ten that a double represents exactly.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Reads `[+-]digits[.digits][e[+-]digits]`; nil for anything else, and for numbers that are too
  /// large.
  static func value(_ text: ArraySlice<UInt8>) -> Float? {
    // Slices incur reference counting at every step, and a cube has a million numbers.
    text.withUnsafeBufferPointer { value($0) }
  }

  private static func value(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
    var index = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { index = 1 }
    var digits: UInt64 = 0
    var (count, exponent, isLong) = (0, 0, false)
    var isFraction = false
    while index < text.count {
      let byte = text[index]
      if let digit = digit(byte) {
        count += 1
        if isFraction { exponent -= 1 }
        if digits < 1 << 53 / 16 { digits = digits * 10 + digit } else { isLong = true }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      index += 1
    }
    guard count > 0 else { return nil }
    if index < text.count {
      guard text[index] | 0x20 == UInt8(ascii: "e"),
        let power = wholeNumber(text[(index + 1)...])
      else { return nil }
      exponent += power
    }
    // One rounding to double and one to float: together they give the nearest float unless the
    // double is exactly halfway between two floats.
    if !isLong, powers.indices.contains(abs(exponent)) {
      let double =
        exponent < 0 ? Double(digits) / powers[-exponent] : Double(digits) * powers[exponent]
      if double.bitPattern & 0x1FFF_FFFF != 0x1000_0000 {
        return isNegative ? -Float(double) : Float(double)
      }
    }
    guard let value = Float(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? UInt64(digit) : nil
  }

  /// Reads an exponent; one that is out of range stays out of range.
  private static func wholeNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var text = text
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { text.removeFirst() }
    guard !text.isEmpty else { return nil }
    var number = 0
    for byte in text {
      guard let digit = digit(byte) else { return nil }
      number = min(number * 10 + Int(digit), 1_000_000)
    }
    return isNegative ? -number : number
  }
}
