// SPDX-License-Identifier: Apache-2.0

/// Converts bytes of unknown encoding to text that is safe to display.
enum MetadataText {
  /// The maximum number of characters of one text in a summary.
  static let maximumLength = 2000

  /// Decodes bytes up to the first zero as UTF-8 and repairs invalid sequences.
  static func utf8(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes.prefix { $0 != 0 }), as: UTF8.self)
  }

  /// Decodes bytes as ISO 8859-1, in which every byte is valid.
  static func latin1(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
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
