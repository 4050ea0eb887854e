// SPDX-License-Identifier: Apache-2.0
/// Small PNGs built chunk by chunk, of kinds that the encoder of this package does not write.
enum PNGFixture {
  /// 4×2 pixels of two colors, one of them half transparent.
  static let palette = file(
    width: 4, height: 2, depth: 1, color: 3, rows: [0, 0b0101_0000, 0, 0b1010_0000],
    before: [("PLTE", [10, 20, 30, 40, 50, 60]), ("tRNS", [128])])

  /// 5×5 pixels of gray, 0 to 240 in steps of ten, in the seven passes of Adam7.
  static let interlaced: [UInt8] = {
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    var rows: [UInt8] = []
    for (x0, y0, dx, dy) in passes where x0 < 5 && y0 < 5 {
      for y in stride(from: y0, to: 5, by: dy) {
        rows.append(0)
        for x in stride(from: x0, to: 5, by: dx) { rows.append(UInt8((y * 5 + x) * 10)) }
      }
    }
    return file(width: 5, height: 5, depth: 8, color: 0, rows: rows, interlace: 1)
  }()

  /// Builds a file of filtered rows; the chunks in `before` precede the data.
  static func file(
    width: Int, height: Int, depth: Int, color: UInt8, rows: [UInt8],
    before: [(String, [UInt8])] = [], interlace: UInt8 = 0
  ) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
    let size = [0, 0, 0, UInt8(width), 0, 0, 0, UInt8(height)]
    bytes += chunk("IHDR", size + [UInt8(depth), color, 0, 0, interlace])
    for (name, payload) in before { bytes += chunk(name, payload) }
    return bytes + chunk("IDAT", deflated(rows)) + chunk("IEND", [])
  }

  /// The offset of the checksum of a chunk.
  static func checksumOffset(of name: String, in bytes: [UInt8]) -> Int? {
    var offset = 8
    while offset + 12 <= bytes.count {
      let count = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
      if bytes[offset + 4..<offset + 8].elementsEqual(name.utf8) { return offset + 8 + count }
      offset += 12 + count
    }
    return nil
  }

  private static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + payload
    return big(UInt32(payload.count)) + body + big(checksum(body))
  }

  /// A zlib stream with one stored block.
  private static func deflated(_ data: [UInt8]) -> [UInt8] {
    let (low, high) = (UInt8(data.count & 255), UInt8(data.count >> 8))
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 1, 1, low, high, ~low, ~high] + data + big(b << 16 | a)
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(value >> $0 & 255) }
  }

  /// CRC-32 of ISO 3309, computed bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }
}
