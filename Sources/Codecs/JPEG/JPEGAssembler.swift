// SPDX-License-Identifier: Apache-2.0
package import Pixels

/// Joins separately encoded bands into one JPEG and puts metadata in front.
package enum JPEGAssembler {
  /// Where the parts of an encoded band are.
  private struct Parts {
    var tables: Range<Int>
    var frameHeight: Int
    var scan: Range<Int>
  }

  /// Joins bands; all but the last are `JPEGStripEncoder.bandHeight` rows high.
  ///
  /// The bytes are those of encoding all rows at once with a restart marker behind every MCU row.
  package static func join(
    bands: [[UInt8]], size: PixelSize, segments: [JPEGSegment]
  ) throws(CodecError) -> [UInt8] {
    guard let first = bands.first else { throw .encoding("there are no rows") }
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes.reserveCapacity(bands.reduce(1 << 16) { $0 + $1.count })
    try append(segments, to: &bytes)
    var head = try parts(of: first)
    var tables = Array(first[head.tables])
    tables[head.frameHeight - head.tables.lowerBound] = UInt8(size.height >> 8)
    tables[head.frameHeight - head.tables.lowerBound + 1] = UInt8(size.height & 255)
    bytes += tables
    for (index, band) in bands.enumerated() {
      if index > 0 {
        head = try parts(of: band)
        bytes += [0xFF, 0xD7]
      }
      bytes += band[head.scan]
    }
    bytes += [0xFF, 0xD9]
    return bytes
  }

  /// Puts metadata into a whole JPEG that has none.
  package static func insert(
    _ segments: [JPEGSegment], into jpeg: [UInt8]
  ) throws(CodecError) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes.reserveCapacity(jpeg.count + (1 << 16))
    try append(segments, to: &bytes)
    bytes += jpeg.dropFirst(2)
    return bytes
  }

  private static func append(
    _ segments: [JPEGSegment], to bytes: inout [UInt8]
  ) throws(CodecError) {
    for segment in segments {
      let length = segment.payload.count + 2
      guard length <= 65_535 else {
        throw .encoding("a metadata segment of \(length) bytes; at most 65535 fit")
      }
      bytes += [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 255)]
      bytes += segment.payload
    }
  }

  private static func parts(of band: [UInt8]) throws(CodecError) -> Parts {
    var position = 2
    var frameHeight: Int?
    while position + 4 <= band.count, band[position] == 0xFF {
      let marker = band[position + 1]
      let end = position + 2 + (Int(band[position + 2]) << 8 | Int(band[position + 3]))
      if marker == 0xC0 { frameHeight = position + 5 }
      if marker == 0xDA, let frameHeight, end + 2 <= band.count {
        return Parts(tables: 2..<end, frameHeight: frameHeight, scan: end..<band.count - 2)
      }
      position = end
    }
    throw .encoding("an encoded band has no scan")
  }
}
