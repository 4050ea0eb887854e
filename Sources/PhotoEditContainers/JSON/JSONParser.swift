// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// Parses one JSON text (RFC 8259) strictly.
  ///
  /// In addition to the grammar, it rejects ambiguous input: duplicate names, byte order marks,
  /// lone surrogates, integers that a 64-bit float would change. Two names that differ only in
  /// Unicode normalization count as duplicates. Takes time linear in the number of bytes.
  ///
  /// - Throws: `JSONError`, with the line and column of the first violation.
  package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    guard bytes.count <= limits.maximumBytes else {
      throw .tooLarge(bytes: bytes.count, maximum: limits.maximumBytes)
    }
    var parser = JSONParser(bytes: bytes, limits: limits)
    self = try parser.document()
  }

  /// Parses one JSON text from borrowed memory, which is copied once its size is accepted.
  package init(
    parsing bytes: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    guard bytes.count <= limits.maximumBytes else {
      throw .tooLarge(bytes: bytes.count, maximum: limits.maximumBytes)
    }
    try self.init(parsing: [UInt8](bytes), limits: limits)
  }
}

/// A cursor over the bytes of a JSON text; recursion is bounded by the depth limit.
struct JSONParser {
  let bytes: [UInt8]
  let limits: JSONLimits
  var offset = 0

  mutating func document() throws(JSONError) -> JSONValue {
    try refuseOtherEncodings()
    skipWhiteSpace()
    guard offset < bytes.count else { throw .empty }
    let value = try value(depth: 0)
    skipWhiteSpace()
    guard offset == bytes.count else {
      throw .trailingData(found: found(at: offset), at: position(of: offset))
    }
    return value
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard let byte = next else { throw unexpected("a value") }
    switch byte {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return .object(try members(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try elements(depth: depth + 1))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: return try literal()
    }
  }

  private mutating func elements(depth: Int) throws(JSONError) -> [JSONValue] {
    try checkDepth(depth)
    let start = offset
    var elements: [JSONValue] = []
    offset += 1
    skipWhiteSpace()
    if skip("]") { return elements }
    while true {
      guard elements.count < limits.maximumArrayCount else {
        throw .tooManyElements(maximum: limits.maximumArrayCount, at: position(of: start))
      }
      elements.append(try value(depth: depth))
      if try !hasAnother(before: "]") { return elements }
    }
  }

  private mutating func members(depth: Int) throws(JSONError) -> [String: JSONValue] {
    try checkDepth(depth)
    let start = offset
    var members: [String: JSONValue] = [:]
    offset += 1
    skipWhiteSpace()
    if skip("}") { return members }
    while true {
      guard members.count < limits.maximumObjectCount else {
        throw .tooManyMembers(maximum: limits.maximumObjectCount, at: position(of: start))
      }
      let nameStart = offset
      guard next == UInt8(ascii: "\"") else { throw unexpected("a name in double quotes") }
      let name = try string()
      guard members[name] == nil else {
        throw .duplicateName(name, at: position(of: nameStart))
      }
      skipWhiteSpace()
      guard skip(":") else { throw unexpected("a colon") }
      skipWhiteSpace()
      members[name] = try value(depth: depth)
      if try !hasAnother(before: "}") { return members }
    }
  }

  /// Consumes the comma or the closing bracket after an element; returns whether another one
  /// follows.
  private mutating func hasAnother(before close: Unicode.Scalar) throws(JSONError) -> Bool {
    skipWhiteSpace()
    let comma = offset
    if skip(",") {
      skipWhiteSpace()
      guard next != UInt8(ascii: close) else { throw .trailingComma(at: position(of: comma)) }
      return true
    }
    guard skip(close) else { throw unexpected("a comma or \"\(close)\"") }
    return false
  }

  private mutating func literal() throws(JSONError) -> JSONValue {
    let token = token(at: offset)
    let value: JSONValue
    switch token {
    case "null": value = .null
    case "true": value = .bool(true)
    case "false": value = .bool(false)
    default:
      try refuseNotFinite(token, at: offset)
      throw unexpected("a value")
    }
    offset += token.utf8.count
    return value
  }

  private func checkDepth(_ depth: Int) throws(JSONError) {
    guard depth <= limits.maximumDepth else {
      throw .tooDeep(maximum: limits.maximumDepth, at: position(of: offset))
    }
  }

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
