// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The request line and the header fields of a request, as they were received.
struct RequestHead: Sendable {
  /// One header field; the name is in lower case.
  struct Field: Sendable, Hashable {
    let name: String
    let value: String
  }

  let method: String
  /// The target of the request line, still percent-encoded.
  let target: String
  /// "HTTP/1.1".
  let version: String
  let fields: [Field]
  /// The number of bytes from the request line to the empty line.
  let byteCount: Int

  /// Returns the only value of a field; nil without one or more than one.
  subscript(name: String) -> String? {
    let values = values(of: name)
    return values.count == 1 ? values[0] : nil
  }

  /// Returns every value of a field, in order.
  func values(of name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// The number of bytes that the head has if each field is on one line, as
  /// `name: value`, with or without the space before an empty value.
  var expectedByteCounts: ClosedRange<Int> {
    let line = method.utf8.count + target.utf8.count + version.utf8.count + 4
    let fields = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    let empty = self.fields.count { $0.value.isEmpty }
    return (line + fields + 2 - empty)...(line + fields + 2)
  }
}

/// The path and the query of a request target.
struct RequestTarget: Sendable, Hashable {
  /// The decoded parts of the path between slashes, without the part of a login; empty for "/".
  let path: [String]
  /// The key of a login, from a path that begins with `/s/KEY/api/`.
  let key: String?
  /// The decoded parameters of the query.
  let query: [String: String]

  /// Parses a target in origin form; nil for any other form, invalid escapes, parts that could
  /// name other folders, and characters that no identifier has.
  init?(_ target: String) {
    guard target.utf8.first == UInt8(ascii: "/"),
      target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
    else { return nil }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard !parts[0].contains("#"), !target.contains("#") else { return nil }
    var path: [String] = []
    if parts[0] != "/" {
      for part in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
        guard let text = Self.decoded(part), !text.isEmpty, text != ".", text != "..",
          !text.has("/"), !text.has("\\")
        else { return nil }
        path.append(text)
      }
    }
    var query: [String: String] = [:]
    if parts.count == 2 {
      for pair in parts[1].split(separator: "&") {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = Self.decoded(sides[0]),
          let value = sides.count == 2 ? Self.decoded(sides[1]) : "",
          query.updateValue(value, forKey: name) == nil
        else { return nil }
      }
    }
    let hasKey = path.count > 2 && path[0] == Self.keyPrefix && path[2] == "api"
    key = hasKey ? path[1] : nil
    if hasKey { path.removeFirst(2) }
    (self.path, self.query) = (path, query)
  }

  /// The part of a path that precedes the key of a login.
  static let keyPrefix = "s"

  /// Returns text without percent escapes; nil for an invalid escape, invalid UTF-8 and control
  /// characters.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let high = hexValue(rest.removeFirst()),
        let low = hexValue(rest.removeFirst())
      else { return nil }
      bytes.append(high << 4 | low)
    }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
