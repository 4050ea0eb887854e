// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

extension JSONValue {
  /// Returns the unique UTF-8 text of this value under RFC 8785, the JSON canonicalization scheme.
  ///
  /// No white space, members sorted by the UTF-16 code units of their names, shortest numbers,
  /// minus zero as `0`, only the escapes that JSON requires. Equal values give equal bytes, and the
  /// output can be read back with the same limits.
  ///
  /// - Throws: `JSONWritingError` with the path of the value that cannot be written. A value that
  ///   was read with these limits fails only if the text grows: `1e20` is written with all its
  ///   digits.
  package func canonicalBytes(
    limits: JSONLimits = JSONLimits()
  ) throws(JSONWritingError) -> [UInt8] {
    var writer = JSONCanonicalWriter(limits: limits)
    try writer.write(self, depth: 0)
    return writer.bytes
  }
}

extension [String: JSONValue] {
  /// The members in the order defined by RFC 8785, section 3.2.3.
  var sortedByUTF16: [(key: String, value: JSONValue)] {
    // Bytes have the same order and compare much faster, except for four-byte characters, whose
    // surrogates sort before U+E000.
    let names = keys.map { (key: $0, bytes: Array($0.utf8)) }
    let order =
      names.contains { $0.bytes.contains { $0 >= 0xF0 } }
      ? names.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
      : names.sorted { $0.bytes.precedes($1.bytes) }
    return order.compactMap { name in self[name.key].map { (name.key, $0) } }
  }
}

extension [UInt8] {
  fileprivate func precedes(_ other: [UInt8]) -> Bool {
    let order = memcmp(self, other, Swift.min(count, other.count))
    return order == 0 ? count < other.count : order < 0
  }
}

/// Collects canonical bytes and keeps track of the path to the current value.
private struct JSONCanonicalWriter {
  let limits: JSONLimits
  var bytes: [UInt8] = []
  var path: [Step] = []

  enum Step {
    case element(Int)
    case member(String)
  }

  mutating func write(_ value: JSONValue, depth: Int) throws(JSONWritingError) {
    switch value {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let value):
      guard value.isFinite else { throw .notFinite(path: shownPath) }
      bytes += jsonNumber(value).utf8
    case .string(let value): try write(value)
    case .array(let elements): try write(elements, depth: depth + 1)
    case .object(let members): try write(members, depth: depth + 1)
    }
    guard bytes.count <= limits.maximumBytes else {
      throw .tooLarge(maximum: limits.maximumBytes)
    }
  }

  private mutating func write(_ elements: [JSONValue], depth: Int) throws(JSONWritingError) {
    try checkDepth(depth)
    guard elements.count <= limits.maximumArrayCount else {
      throw .tooManyElements(
        count: elements.count, maximum: limits.maximumArrayCount, path: shownPath)
    }
    bytes.append(UInt8(ascii: "["))
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      path.append(.element(index))
      try write(element, depth: depth)
      path.removeLast()
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func write(
    _ members: [String: JSONValue], depth: Int
  ) throws(JSONWritingError) {
    try checkDepth(depth)
    guard members.count <= limits.maximumObjectCount else {
      throw .tooManyMembers(
        count: members.count, maximum: limits.maximumObjectCount, path: shownPath)
    }
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in members.sortedByUTF16.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      path.append(.member(member.key))
      try write(member.key)
      bytes.append(UInt8(ascii: ":"))
      try write(member.value, depth: depth)
      path.removeLast()
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func write(_ text: String) throws(JSONWritingError) {
    guard text.utf8.count <= limits.maximumStringBytes else {
      throw .stringTooLong(
        bytes: text.utf8.count, maximum: limits.maximumStringBytes, path: shownPath)
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if let escape = jsonEscape(byte) { bytes += escape.utf8 } else { bytes.append(byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private func checkDepth(_ depth: Int) throws(JSONWritingError) {
    guard depth <= limits.maximumDepth else {
      throw .tooDeep(maximum: limits.maximumDepth, path: shownPath)
    }
  }

  private var shownPath: String {
    path.reduce(into: "") { shown, step in
      switch step {
      case .element(let index): shown += "[\(index)]"
      case .member(let name): shown += (shown.isEmpty ? "" : ".") + name
      }
    }
  }
}

/// Returns the escape that RFC 8785 requires for a byte of a string, or `nil` if it is not escaped.
func jsonEscape(_ byte: UInt8) -> String? {
  switch byte {
  case UInt8(ascii: "\""): "\\\""
  case UInt8(ascii: "\\"): "\\\\"
  case 0x08: "\\b"
  case 0x09: "\\t"
  case 0x0A: "\\n"
  case 0x0C: "\\f"
  case 0x0D: "\\r"
  case 0..<0x20: "\\u" + hexadecimal(UInt32(byte))
  default: nil
  }
}
