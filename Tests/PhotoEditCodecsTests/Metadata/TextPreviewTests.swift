// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Images that XMP holds as text")
struct TextPreviewTests {
  typealias Fixture = MetadataFixture

  /// The beginning of a JPEG as cameras write it, with noise in place of its samples.
  private static let preview: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xDB, 0, 4, 1, 1, 0xFF, 0xDA, 0, 2]
    + (0..<300).map { UInt8($0 * 7 % 251) }
  private static let note = Array("NOTE OF A CAMERA".utf8)

  /// The digits of bytes; a separator follows every `length` bytes.
  private static func digits(_ bytes: [UInt8], _ separator: String, every length: Int = 1) -> String
  {
    bytes.enumerated().map { index, byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
        + (index % length == length - 1 ? separator : "")
    }.joined()
  }

  private static func base64(_ bytes: [UInt8], plus: String = "+/") -> String {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + plus
    let alphabet = Array(letters)
    return stride(from: 0, to: bytes.count - 2, by: 3).map { index in
      let value = bytes[index..<(index + 3)].reduce(0) { $0 << 8 | Int($1) }
      return String([18, 12, 6, 0].map { alphabet[value >> $0 & 63] })
    }.joined()
  }

  private static let texts: [(name: String, text: String)] = [
    ("hexadecimal digits", digits(preview, "")),
    ("large digits", digits(preview, "").uppercased()),
    ("digits after a note", digits(note + preview, "")),
    ("lines of digits", digits(preview, "\n", every: 32)),
    ("lines by reference", digits(preview, "&#xA;", every: 32)),
    ("bytes with commas", "0x" + digits(preview, ", 0x")),
    ("bytes with colons", digits(preview, ":")),
    ("a TIFF", digits(Array("II+\0".utf8) + [8, 0, 0, 0] + preview.suffix(200), "")),
    ("a PNG", digits([0x89] + Array("PNG\r\n\u{1A}\n".utf8) + preview.suffix(200), "")),
    ("Base64 after a note", base64(note + preview)),
    ("Base64 for addresses", base64(preview, plus: "-_")),
    ("Base64 in lines after a note", base64(note + preview).replacing("Q", with: "Q&#xA;")),
  ]

  private static func rendered(_ text: String) throws -> RenderedMetadata {
    let packet = Fixture.packet("", "<a:p xmlns:a=\"urn:a\">\(text)</a:p>")
    let facts = RenderedImageProperties(size: PixelSize(width: 400, height: 300))
    return try Fixture.read([Fixture.xmp(packet)]).rendered(facts)
  }

  @Test(arguments: texts.indices)
  func `an image as text is left out and reported`(index: Int) throws {
    let (name, text) = Self.texts[index]
    let result = try Self.rendered(text)
    let bytes = result.segments.flatMap(\.payload)
    #expect(bytes.firstOffset(of: Array(text.utf8.suffix(40))) == nil, "\(name)")
    #expect(result.losses.map(\.kind) == [.thumbnail], "\(name)")
  }

  @Test(arguments: [
    "FFD8FF", "#ffd8ffe0", digits(Array(preview.prefix(64)), ""),
    digits(note + Array(repeating: 7, count: 200), ""), base64(note + note + note + note + note),
    String(repeating: "a bad face, added to a decade; ", count: 40),
  ])
  func `other digits stay`(text: String) throws {
    let result = try Self.rendered(text)
    #expect(result.segments.flatMap(\.payload).firstOffset(of: Array(text.utf8)) != nil)
    #expect(result.losses.isEmpty)
  }
}
