// SPDX-License-Identifier: Apache-2.0

/// Turns bytes of unknown manners into text that is safe to show.
enum MetadataText {
  /// Most characters of one text that a summary shows.
  static let maximumLength = 2000

  /// Bytes up to the first zero as UTF-8, repaired where it is broken.
  static func utf8(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes.prefix { $0 != 0 }), as: UTF8.self)
  }

  /// Bytes as ISO 8859-1, which knows no wrong byte.
  static func latin1(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }

  /// Text without control characters and outer blanks; nil when nothing is left.
  ///
  /// Control characters could steer the terminal that shows a caption.
  static func clean(_ text: String) -> String? {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(maximumLength) {
      scalars.append(scalar.steersDisplay ? " " : scalar)
    }
    let words = scalars.split(separator: " ", omittingEmptySubsequences: true)
    return words.isEmpty ? nil : words.map { String($0) }.joined(separator: " ")
  }

  /// A decimal integer, with blanks around it; nil for anything else.
  static func integer(_ text: String) -> Int? {
    let digits = text.utf8.drop { $0 <= 0x20 }.prefix { $0 > 0x20 }
    return digits.count <= 10 ? Int(String(decoding: Array(digits), as: UTF8.self)) : nil
  }
}
