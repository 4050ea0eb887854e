// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Converts bytes of unknown encoding to text that is safe to display.
package enum MetadataText {
  /// The maximum number of characters of one text.
  ///
  /// A library has a lower limit, and reports what it shortens.
  static let maximumLength = 1 << 17

  /// Decodes bytes as ISO 8859-1, in which every byte is valid.
  static func latin1(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }

  /// The characters of Windows-1252 from 0x80 on that differ from ISO 8859-1.
  private static let windows = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  /// The encoding of a text file.
  package enum Encoding: Sendable, Hashable {
    case utf8, utf16, windows1252
  }

  /// Decodes a text file: as UTF-16 after its mark, as UTF-8 if it is valid, and as Windows-1252,
  /// which older programs and editors write.
  package static func file(_ bytes: [UInt8]) -> (text: String, encoding: Encoding) {
    let isBig = bytes.starts(with: [0xFE, 0xFF])
    if isBig || bytes.starts(with: [0xFF, 0xFE]) {
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
        UInt16(bytes[isBig ? index : index + 1]) << 8 | UInt16(bytes[isBig ? index + 1 : index])
      }
      return (String(decoding: units, as: UTF16.self), .utf16)
    }
    let mark: [UInt8] = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.prefix(3)) : []
    if let text = String(validating: bytes.dropFirst(mark.count), as: UTF8.self) {
      return (text, .utf8)
    }
    var text = String.UnicodeScalarView()
    for byte in bytes {
      text.append((0x80...0x9F).contains(byte) ? windows[Int(byte) - 0x80] : Unicode.Scalar(byte))
    }
    return (String(text), .windows1252)
  }

  /// Returns a text file in UTF-8.
  package static func utf8File(_ bytes: [UInt8]) -> [UInt8] {
    let (text, encoding) = file(bytes)
    return encoding == .utf8 ? bytes : Array(text.utf8)
  }

  /// Returns an XMP packet in UTF-8; one in UTF-16 begins with "<" or a mark in it.
  static func utf8Packet(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count.isMultiple(of: 2) else { return bytes }
    if bytes.starts(with: [0, 0x3C]) { return Array(file([0xFE, 0xFF] + bytes).text.utf8) }
    if bytes.starts(with: [0x3C, 0]) { return Array(file([0xFF, 0xFE] + bytes).text.utf8) }
    let isMarked = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    return isMarked ? Array(file(bytes).text.utf8) : bytes
  }

  /// Returns text without control characters and surrounding blanks; nil if nothing is left.
  ///
  /// Control characters in a caption could control the terminal.
  static func clean(_ text: String) -> String? {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(maximumLength) {
      // Invisible marks of the text direction separate no words.
      if !scalar.steersDisplay {
        scalars.append(scalar)
      } else if scalar.properties.generalCategory != .format {
        scalars.append(" ")
      }
    }
    let words = scalars.split(separator: " ", omittingEmptySubsequences: true)
    return words.isEmpty ? nil : words.map { String($0) }.joined(separator: " ")
  }

  /// Returns text like `clean(_:)`, but with its lines.
  static func cleanLines(_ text: String) -> String? {
    let text = String(text.unicodeScalars.prefix(maximumLength))
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { clean(String($0)) ?? "" }[...]
    while lines.first == "" { lines.removeFirst() }
    while lines.last == "" { lines.removeLast() }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// Parses a decimal integer, which may be surrounded by blanks; nil for anything else.
  static func integer(_ text: String) -> Int? {
    let digits = text.utf8.drop { $0 <= 0x20 }.prefix { $0 > 0x20 }
    return digits.count <= 10 ? Int(String(decoding: Array(digits), as: UTF8.self)) : nil
  }
}

/// Reads and writes the text of XML attributes and elements.
enum XMPText {
  private static let entities: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]
  /// The maximum number of bytes read from a text; base64 images are not text.
  static let maximumCount = 1 << 18

  /// Returns the text of XML bytes; character references, CDATA and comments are resolved.
  static func decoded(_ bytes: ArraySlice<UInt8>, limit: Int = maximumCount) -> String {
    var result: [UInt8] = []
    var rest = bytes.prefix(limit)
    while let byte = rest.first {
      if byte == 0x26, let end = rest.prefix(12).firstIndex(of: 0x3B),
        let scalar = scalar(named: rest[(rest.startIndex + 1)..<end])
      {
        result += Array(String(scalar).utf8)
        rest = rest[(end + 1)...]
      } else if byte == 0x3C, rest.starts(with: "<![CDATA[".utf8) {
        let (content, after) = split(rest.dropFirst(9), at: "]]>")
        result += content
        rest = after
      } else if byte == 0x3C, rest.starts(with: "<!--".utf8) {
        rest = split(rest.dropFirst(4), at: "-->").after
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns text escaped for an attribute or an element.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// Parses a number; nil for anything else and for absolute values over a million.
  static func number(_ text: String) -> Double? {
    let digits = text.utf8.drop { $0 <= 0x20 }.prefix { $0 > 0x20 }
    guard digits.count <= 40, let value = Double(String(decoding: Array(digits), as: UTF8.self)),
      abs(value) <= 1e6
    else { return nil }
    return value
  }

  /// Returns a number with at most six decimal places.
  static func decimal(_ value: Double) -> String { figure(value, decimals: 6) }

  private static func scalar(named name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let text = String(decoding: name, as: UTF8.self)
    if text.hasPrefix("#x") {
      return UInt32(text.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    }
    if text.hasPrefix("#") { return UInt32(text.dropFirst(1)).flatMap(Unicode.Scalar.init) }
    return entities[text]
  }

  private static func split(
    _ bytes: ArraySlice<UInt8>, at mark: String
  ) -> (content: ArraySlice<UInt8>, after: ArraySlice<UInt8>) {
    let mark = Array(mark.utf8)
    var i = bytes.startIndex
    while i < bytes.endIndex, !bytes.has(mark, at: i) { i += 1 }
    return (bytes[..<i], bytes[i...].dropFirst(mark.count))
  }
}
