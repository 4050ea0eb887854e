// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
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
