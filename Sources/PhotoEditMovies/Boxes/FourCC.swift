// SPDX-License-Identifier: Apache-2.0

/// Four characters that name a box, a brand or a codec.
struct FourCC: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The first character in the highest byte, as in the file.
  let value: UInt32

  init(_ value: UInt32) {
    self.value = value
  }

  /// Reads the first four bytes; missing ones are zero.
  init(_ bytes: some Sequence<UInt8>) {
    var value: UInt32 = 0
    var count = 0
    for byte in bytes.prefix(4) {
      value = value << 8 | UInt32(byte)
      count += 1
    }
    self.value = value << UInt32(8 * (4 - count))
  }

  /// Takes the characters as Latin-1, where © is one byte.
  init(stringLiteral text: StaticString) {
    let scalars = text.description.unicodeScalars
    self.init(scalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  /// The same code in the byte order of libavformat.
  init(littleEndian value: UInt32) {
    self.value = value.byteSwapped
  }

  /// The characters, trailing spaces left out; anything that does not print becomes "?".
  var description: String {
    var text = ""
    for shift: UInt32 in [24, 16, 8, 0] {
      let byte = UInt8(truncatingIfNeeded: value >> shift)
      switch byte {
      case 0x20...0x7e: text.unicodeScalars.append(Unicode.Scalar(byte))
      case 0xa9: text += "©"
      default: text += "?"
      }
    }
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
