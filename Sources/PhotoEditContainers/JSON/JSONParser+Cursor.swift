// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
  /// The byte at the cursor, or `nil` at the end.
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func skipWhiteSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }

  /// Skips one ASCII character if it is present; returns whether it was.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// Returns up to 32 ASCII letters and digits starting at `start`.
  func token(at start: Int) -> String {
    let letters = bytes[start...].prefix(32).prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    return String(decoding: letters, as: UTF8.self)
  }

  func unexpected(_ expected: String) -> JSONError {
    guard offset < bytes.count else {
      return .truncated(expected: expected, at: position(of: offset))
    }
    return .unexpected(
      found: found(at: offset), expected: expected, at: position(of: offset))
  }

  /// Returns the token at `start` for a message: a word, a character or a byte.
  func found(at start: Int) -> String {
    let token = token(at: start)
    guard token.isEmpty else { return quoted(token) }
    var rest = bytes[start...].prefix(4).makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else {
      return "byte 0x\(String(bytes[start], radix: 16))"
    }
    return quoted(String(scalar))
  }

  func position(of offset: Int) -> JSONPosition {
    var line = 1
    var column = 1
    for byte in bytes[..<offset] {
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return JSONPosition(line: line, column: column)
  }

  /// Rejects other encodings: JSON begins with an ASCII character, so the positions of the first
  /// zero bytes reveal the encoding.
  func refuseOtherEncodings() throws(JSONError) {
    let head = Array(bytes.prefix(4))
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { throw .byteOrderMark }
    if head == [0xFF, 0xFE, 0, 0] || head == [0, 0, 0xFE, 0xFF] {
      throw .wrongEncoding(name: "UTF-32")
    }
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      throw .wrongEncoding(name: "UTF-16")
    }
    guard head.count >= 2, head[0] == 0 || head[1] == 0 else { return }
    let zeros = head.count(where: { $0 == 0 })
    throw .wrongEncoding(name: head.count == 4 && zeros == 3 ? "UTF-32" : "UTF-16")
  }
}
