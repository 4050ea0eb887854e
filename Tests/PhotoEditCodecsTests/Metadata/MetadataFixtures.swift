// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

/// Builds small JPEG and PNG files around metadata; they contain no real pixels.
enum MetadataFixture {
  /// SOI, the segments, a frame header, one scan, EOI.
  static func jpeg(_ segments: [JPEGSegment], trailer: [UInt8] = []) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    for segment in segments {
      let length = segment.payload.count + 2
      bytes += [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 0xFF)] + segment.payload
    }
    bytes += [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]
    return bytes + [0xFF, 0xD9] + trailer
  }

  static func read(_ segments: [JPEGSegment], trailer: [UInt8] = []) throws -> ImageMetadata {
    try ImageMetadata.read(jpeg: FileBytes(jpeg(segments, trailer: trailer)))
  }

  static func exif(_ tiff: [UInt8]) -> JPEGSegment {
    JPEGSegment(marker: 0xE1, payload: Array("Exif\0\0".utf8) + tiff)
  }

  static func xmp(_ packet: String) -> JPEGSegment {
    JPEGSegment(marker: 0xE1, payload: Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet.utf8)
  }

  static func app(_ number: UInt8, _ text: String, _ bytes: [UInt8] = []) -> JPEGSegment {
    JPEGSegment(marker: 0xE0 + number, payload: Array(text.utf8) + bytes)
  }

  /// A packet with one description, in the style of Adobe's tools.
  static func packet(_ attributes: String, _ elements: String = "", padding: Int = 0) -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
    xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
    \(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>\
    \(String(repeating: " ", count: padding))<?xpacket end="w"?>
    """
  }

  /// A profile of `count` bytes with a header and a "desc" tag.
  static func profile(count: Int = 300, space: String = "RGB ") -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    func put(_ values: [UInt8], _ offset: Int) {
      bytes.replaceSubrange(offset..<(offset + values.count), with: values)
    }
    put(big32(count), 0)
    put(Array(space.utf8), 16)
    put(Array("acsp".utf8), 36)
    put(big32(1) + Array("desc".utf8) + big32(144) + big32(19), 128)
    put(Array("desc".utf8) + big32(0) + big32(7) + Array("Tested\0".utf8), 144)
    return bytes
  }

  static func iccPiece(_ number: UInt8, _ count: UInt8, _ bytes: some Sequence<UInt8>)
    -> JPEGSegment
  {
    app(2, "ICC_PROFILE\0", [number, count] + bytes)
  }

  static func big32(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  // MARK: PNG

  static func png(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    let header = big32(8) + big32(8) + [8, 0, 0, 0, 0]
    return ([("IHDR", header)] + chunks + [("IDAT", [1, 2, 3]), ("IEND", [])]).reduce(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    ) { $0 + chunk($1.0, $1.1) }
  }

  static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    big32(body.count) + type.utf8 + body + big32(Int(crc32(Array(type.utf8) + body)))
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~crc
  }

  /// A zlib stream with stored bytes.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let piece = rest.prefix(0xFFFF)
      rest = rest.dropFirst(0xFFFF)
      let low = UInt8(piece.count & 0xFF)
      let high = UInt8(piece.count >> 8)
      stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + piece
    } while !rest.isEmpty
    var a = 1
    var b = 0
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + big32(b << 16 | a)
  }

  /// The start of a zlib stream that expands to a zero and `repeats` times 258 more.
  ///
  /// Fixed Huffman codes: 285 (length 258) is 11000101, distance 1 is 00000.
  static func zeros(repeats: Int) -> [UInt8] {
    var bits: [UInt8] = [1, 1, 0]
    bits += [0, 0, 1, 1, 0, 0, 0, 0]
    for _ in 0..<repeats { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bits.count, by: 8) {
      stream.append(bits[start..<min(start + 8, bits.count)].reversed().reduce(0) { $0 << 1 | $1 })
    }
    return stream
  }
}
