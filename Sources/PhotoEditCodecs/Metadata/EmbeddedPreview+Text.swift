// SPDX-License-Identifier: Apache-2.0

/// Images that metadata holds as text.
extension EmbeddedPreview {
  /// The beginnings of images in Base64: JPEG, PNG, TIFF, and those that have digits of a length
  /// between the first ones and others: WebP, HEIF and AVIF.
  private static let textMarks: [(first: [UInt8], offset: Int, second: [UInt8])] = [
    ("/9j/", 0, ""), ("_9j_", 0, ""), ("iVBORw0KGgo", 0, ""), ("SUkqA", 0, ""), ("TU0AK", 0, ""),
    ("R0lGOD", 0, ""), ("UklGR", 12, "RUJQVlA4"), ("AAAA", 8, "eXBoZWlj"), ("AAAA", 8, "eXBhdmlm"),
  ].map { (Array($0.0.utf8), $0.1, Array($0.2.utf8)) }

  /// Returns whether there is an image in Base64 or in hexadecimal digits, even a truncated one.
  static func occurs(asTextIn bytes: some Collection<UInt8>) -> Bool {
    let text = Array(bytes)
    let isMarked = textMarks.contains { mark in
      var position = 0
      while let hit = text.firstOffset(of: mark.first, from: position) {
        // In the middle of other data, the same digits mean nothing.
        if hit == 0 || !isDigit(text[hit - 1]), text.has(mark.second, at: hit + mark.offset) {
          return true
        }
        position = hit + 1
      }
      return false
    }
    if isMarked { return true }
    let plain = withoutReferences(text)
    return base64Data(in: plain).contains { occurs(asBytesIn: $0) }
      || hexadecimalData(in: plain).contains { occurs(asBytesIn: $0) }
  }

  /// The number of digits from which a run of them may be an image, and not a digest.
  private static let minimumDigits = 136

  /// Returns the text without references to characters, by which XML writes line breaks.
  private static func withoutReferences(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(0x26) else { return text }
    var plain: [UInt8] = []
    var position = 0
    while position < text.count {
      let isReference = text[position] == 0x26 && text.dropFirst(position + 1).first == 0x23
      let end = text[position...].prefix(8).firstIndex(of: 0x3B)
      if isReference, let end {
        position = end + 1
      } else {
        plain.append(text[position])
        position += 1
      }
    }
    return plain
  }

  /// Returns the data of the runs of digits in Base64; line breaks are no ends.
  private static func base64Data(in text: [UInt8]) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var (data, bits, digits): ([UInt8], Int, Int) = ([], 0, 0)
    for byte in text + [0] {
      if let value = sextet(byte) {
        bits = (bits & 0x3FFF) << 6 | value
        digits += 1
        // Two digits have the bits of one byte and four more, three those of two and two more.
        if digits % 4 != 1 {
          data.append(UInt8(truncatingIfNeeded: bits >> ((4 - digits % 4) % 4 * 2)))
        }
      } else if byte != 0x0A, byte != 0x0D, byte != 0x09 {
        if digits >= minimumDigits { found.append(data) }
        (data, bits, digits) = ([], 0, 0)
      }
    }
    return found
  }

  /// Returns the data of the runs of hexadecimal digits, from the first digit and from the second;
  /// blanks, commas, colons, dashes and "0x" may separate bytes.
  private static func hexadecimalData(in text: [UInt8]) -> [[UInt8]] {
    var found: [[UInt8]] = []
    var digits: [UInt8] = []
    for byte in text + [0] {
      if let value = nibble(byte) {
        digits.append(value)
        continue
      }
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09, 0x2C, 0x3A, 0x2D: break
      case 0x58 where digits.last == 0, 0x78 where digits.last == 0: digits.removeLast()
      default:
        if digits.count >= minimumDigits {
          found += [0, 1].map { first in
            stride(from: first, to: digits.count - 1, by: 2).map {
              digits[$0] << 4 | digits[$0 + 1]
            }
          }
        }
        digits = []
      }
    }
    return found
  }

  /// Returns the four bits of a hexadecimal digit.
  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte != 0x2D && byte != 0x5F && sextet(byte) != nil
  }

  /// Returns the six bits of a digit of Base64, also in the alphabet for addresses.
  private static func sextet(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x41...0x5A: Int(byte) - 0x41
    case 0x61...0x7A: Int(byte) - 0x61 + 26
    case 0x30...0x39: Int(byte) - 0x30 + 52
    case 0x2B, 0x2D: 62
    case 0x2F, 0x5F: 63
    default: nil
    }
  }
}
