// SPDX-License-Identifier: Apache-2.0
package import PhotoEditCodecs

/// Inserts profiles and other color metadata into files.
package enum ProfiledFiles {
  /// A PNG with chunks inserted after its header.
  package static func png(_ png: [UInt8], adding chunks: [(String, [UInt8])]) -> [UInt8] {
    let header = 8 + 25
    return png[..<header] + chunks.flatMap { chunk($0.0, $0.1) } + png[header...]
  }

  /// A PNG with a profile.
  package static func png(_ png: [UInt8], profile: ICCProfile) -> [UInt8] {
    self.png(png, adding: [("iCCP", Array("x\0\0".utf8) + stored(profile.bytes))])
  }

  /// A JPEG with a profile.
  package static func jpeg(_ jpeg: [UInt8], profile: ICCProfile) -> [UInt8] {
    self.jpeg(jpeg, adding: ICCProfile.segments(for: profile.bytes) ?? [])
  }

  /// A JPEG with segments inserted at the start.
  package static func jpeg(_ jpeg: [UInt8], adding segments: [JPEGSegment]) -> [UInt8] {
    let added = segments.flatMap { segment -> [UInt8] in
      let length = segment.payload.count + 2
      return [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 0xFF)] + segment.payload
    }
    return jpeg[..<2] + added + jpeg[2...]
  }

  /// An EXIF segment that states Adobe RGB by interoperability index or ColorSpace 2.
  package static func exif(colorSpace: UInt8, index: String?) -> JPEGSegment {
    var tiff: [UInt8] = Array("II*\0".utf8) + [8, 0, 0, 0]
    func entry(_ tag: Int, _ type: UInt8, _ count: UInt8, _ value: [UInt8]) -> [UInt8] {
      [UInt8(tag & 0xFF), UInt8(tag >> 8), type, 0, count, 0, 0, 0] + value
    }
    // Each IFD consists of a count, entries and an offset.
    tiff += [1, 0] + entry(0x8769, 4, 1, [26, 0, 0, 0]) + [0, 0, 0, 0]
    tiff += [2, 0] + entry(0xA001, 3, 1, [colorSpace, colorSpace == 0xFF ? 0xFF : 0, 0, 0])
    tiff += entry(0xA005, 4, 1, [56, 0, 0, 0]) + [0, 0, 0, 0]
    tiff += [1, 0] + entry(1, 2, 4, Array((index ?? "R98").utf8) + [0]) + [0, 0, 0, 0]
    return JPEGSegment(marker: 0xE1, payload: Array("Exif\0\0".utf8) + tiff)
  }

  private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in Array(type.utf8) + body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ICCProfile.number(body.count) + Array(type.utf8) + body
      + ICCProfile.number(Int(~crc))
  }

  /// A zlib stream that stores the bytes uncompressed.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let piece = rest.prefix(0xFFFF)
      rest = rest.dropFirst(0xFFFF)
      let (low, high) = (UInt8(piece.count & 0xFF), UInt8(piece.count >> 8))
      stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + piece
    } while !rest.isEmpty
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + ICCProfile.number(b << 16 | a)
  }
}
