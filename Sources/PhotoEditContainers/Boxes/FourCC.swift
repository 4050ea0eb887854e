// SPDX-License-Identifier: Apache-2.0

/// A four-character code that identifies a box, an item, a brand or a codec.
@usableFromInline
package struct FourCC: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The code with the first character in the highest byte, as in the file.
  package let value: UInt32

  package init(_ value: UInt32) {
    self.value = value
  }

  /// Reads the first four bytes; missing ones are zero.
  package init(_ bytes: some Sequence<UInt8>) {
    var value: UInt32 = 0
    var count = 0
    for byte in bytes.prefix(4) {
      value = value << 8 | UInt32(byte)
      count += 1
    }
    self.value = value << UInt32(8 * (4 - count))
  }

  /// Creates a code from Latin-1 characters, where © is one byte.
  @usableFromInline package init(stringLiteral text: StaticString) {
    if text.isASCII, text.utf8CodeUnitCount == 4 {
      let bytes = UnsafeRawPointer(text.utf8Start)
      self.init(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
      return
    }
    let scalars = text.description.unicodeScalars
    self.init(scalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  /// Creates a code from a value in the byte order of libavformat.
  package init(littleEndian value: UInt32) {
    self.value = value.byteSwapped
  }

  /// All four characters; those that are not printable ASCII become question marks.
  package var characters: String { String(bytes.map(Self.character)) }

  /// The characters for display: with ©, and without trailing spaces.
  @usableFromInline package var description: String {
    var text = String(bytes.map { $0 == 0xA9 ? "©" : Self.character($0) })
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }

  /// The four bytes in file order.
  package var bytes: [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

  private static func character(_ byte: UInt8) -> Character {
    (0x20...0x7E).contains(byte) ? Character(Unicode.Scalar(byte)) : "?"
  }
}
