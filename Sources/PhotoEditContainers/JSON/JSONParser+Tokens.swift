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

  /// Reads the string whose opening quote is at the cursor.
  mutating func string() throws(JSONError) -> String {
    let start = offset
    offset += 1
    var runStart = offset
    var decoded: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let run = bytes[runStart..<offset]
        guard decoded.count + run.count <= limits.maximumStringBytes else {
          throw .stringTooLong(
            maximumBytes: limits.maximumStringBytes, at: position(of: start))
        }
        offset += 1
        if decoded.isEmpty { return try text(run, from: start) }
        decoded += run
        return try text(decoded[...], from: start)
      case UInt8(ascii: "\\"):
        decoded += bytes[runStart..<offset]
        decoded += try escapedScalar().utf8
        runStart = offset
      case 0..<0x20:
        throw .controlCharacter(byte, at: position(of: offset))
      default:
        offset += 1
      }
    }
    throw unexpected("the closing quote of a string")
  }

  private func text(_ decoded: ArraySlice<UInt8>, from start: Int) throws(JSONError) -> String {
    guard let text = String(validating: decoded, as: UTF8.self) else {
      throw .invalidUTF8(at: position(of: firstInvalidByte(from: start)))
    }
    return text
  }

  /// Returns the first byte that is not UTF-8.
  ///
  /// Escapes are ASCII in the source, so invalid bytes of the decoded string are invalid there too.
  private func firstInvalidByte(from start: Int) -> Int {
    var parser = UTF8.ForwardParser()
    var rest = bytes[start...].makeIterator()
    var index = start
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { index += scalar.count }
    return index
  }

  /// Reads one escape sequence, or two for a surrogate pair.
  private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    let character = next
    guard character != UInt8(ascii: "u") else { return try unicodeEscape(from: start) }
    let scalar: Unicode.Scalar =
      switch character {
      case UInt8(ascii: "\""): "\""
      case UInt8(ascii: "\\"): "\\"
      case UInt8(ascii: "/"): "/"
      case UInt8(ascii: "b"): "\u{8}"
      case UInt8(ascii: "f"): "\u{C}"
      case UInt8(ascii: "n"): "\n"
      case UInt8(ascii: "r"): "\r"
      case UInt8(ascii: "t"): "\t"
      default: throw unexpected("one of \" \\ / b f n r t u after a backslash")
      }
    offset += 1
    return scalar
  }

  /// Reads a Unicode escape; the cursor is on the `u`, and `start` is the backslash.
  private mutating func unicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
    offset += 1
    let unit = try fourDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), skip("\\") else {
      throw .loneSurrogate(unit, at: position(of: start))
    }
    guard skip("u") else { throw .loneSurrogate(unit, at: position(of: start)) }
    let second = try fourDigits()
    guard UTF16.isTrailSurrogate(second) else {
      throw .loneSurrogate(unit, at: position(of: start))
    }
    return UTF16.decode(UTF16.EncodedScalar([unit, second]))
  }

  private mutating func fourDigits() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch next ?? 0 {
      case let byte where (0x30...0x39).contains(byte): digit = byte - 0x30
      case let byte where (0x41...0x46).contains(byte & 0xDF): digit = (byte & 0xDF) - 0x37
      default: throw unexpected("four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }
}
