// SPDX-License-Identifier: Apache-2.0
package import Pixels

/// Joins bands into one JPEG and puts marker segments in front.
///
/// The result equals, byte for byte, what one encoder with a restart marker per MCU row writes.
package enum JPEGAssembler {
  /// Joins bands of `JPEGStripEncoder` from top to bottom.
  ///
  /// - Parameters:
  ///   - bands: All made with the same settings; every one but the last a multiple of eight MCU rows.
  ///   - size: The whole picture.
  ///   - segments: Written behind the start marker, in this order.
  ///   - addsJFIF: Whether a JFIF segment goes first if the segments bring none.
  package static func join(
    bands: [[UInt8]], size: PixelSize, segments: [JPEGSegment] = [],
    addsJFIF: Bool = true
  ) throws(CodecError) -> [UInt8] {
    guard let first = bands.first else { throw .encoding("there are no bands to join") }
    guard (1...65_500).contains(size.height) else {
      throw .encoding("a JPEG has 1 to 65500 rows, not \(size.height)")
    }
    var parts: [JPEGBandLayout] = []
    for band in bands { parts.append(try JPEGBandLayout(band)) }
    try check(bands, parts, size: size)
    var file = try opening(segments: segments, addsJFIF: addsJFIF)
    file.reserveCapacity(file.count + bands.reduce(16) { $0 + $1.count })
    let start = file.count - 2
    file += first[2..<parts[0].scanStart]
    file[start + parts[0].heightOffset] = UInt8(size.height >> 8)
    file[start + parts[0].heightOffset + 1] = UInt8(size.height & 255)
    for (index, band) in bands.enumerated() {
      // Behind a multiple of eight MCU rows the next marker is always the eighth.
      if index > 0 { file += [0xFF, 0xD7] }
      file += band[parts[index].scanStart..<band.count - 2]
    }
    file += [0xFF, 0xD9]
    return file
  }

  /// The start marker and the segments behind it.
  static func opening(segments: [JPEGSegment], addsJFIF: Bool)
    throws(CodecError) -> [UInt8]
  {
    let name = Array("JFIF\0".utf8)
    var bytes: [UInt8] = [0xFF, 0xD8]
    if addsJFIF, !segments.contains(where: { $0.kind == .jfif }) {
      // Version 1.01, square pixels of no known size, no thumbnail: as libjpeg writes it.
      bytes += [0xFF, 0xE0, 0, 16] + name + [1, 1, 0, 0, 1, 0, 1, 0, 0]
    }
    for segment in segments {
      let (marker, payload) = (segment.marker, segment.payload)
      guard (0xE0...0xEF).contains(marker) || marker == 0xFE else {
        throw .encoding("marker \(marker) cannot stand in front of a picture")
      }
      guard payload.count <= JPEGSegment.maximumPayloadCount else {
        throw .encoding(
          "a segment of \(payload.count) bytes, at most \(JPEGSegment.maximumPayloadCount) fit")
      }
      let length = payload.count + 2
      bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)]
      bytes += payload
    }
    return bytes
  }

  private static func check(_ bands: [[UInt8]], _ parts: [JPEGBandLayout], size: PixelSize)
    throws(CodecError)
  {
    let height = parts.reduce(0) { $0 + $1.height }
    guard height == size.height, parts[0].width == size.width else {
      throw .encoding("the bands make \(parts[0].width)×\(height) pixels, expected \(size)")
    }
    for (index, part) in parts.enumerated() {
      guard part.hasSameTables(as: parts[0], bands[index], bands[0]) else {
        throw .encoding("band \(index) was made with other settings")
      }
      guard index == parts.count - 1 || part.height % (8 * part.mcuHeight) == 0 else {
        throw .encoding("band \(index) has \(part.height) rows, no multiple of eight MCU rows")
      }
    }
  }
}

/// Where the parts of a band lie.
private struct JPEGBandLayout {
  var width = 0
  var height = 0
  var mcuHeight = 8
  /// The two bytes that hold the height.
  var heightOffset = 0
  /// The first byte of entropy-coded data.
  var scanStart = 0

  init(_ band: [UInt8]) throws(CodecError) {
    let damage = CodecError.encoding("a band is not a JPEG of this encoder")
    guard band.count >= 4, band[..<2] == [0xFF, 0xD8], band[(band.count - 2)...] == [0xFF, 0xD9]
    else { throw damage }
    var offset = 2
    while offset + 4 <= band.count - 2, band[offset] == 0xFF {
      let marker = band[offset + 1]
      let end = offset + 2 + (Int(band[offset + 2]) << 8 | Int(band[offset + 3]))
      guard end <= band.count - 2 else { throw damage }
      if marker == 0xC0 || marker == 0xC1 {
        guard end - offset >= 13 else { throw damage }
        heightOffset = offset + 5
        height = Int(band[offset + 5]) << 8 | Int(band[offset + 6])
        width = Int(band[offset + 7]) << 8 | Int(band[offset + 8])
        // The sampling of a single component says nothing; of several, luma has the largest.
        mcuHeight = band[offset + 9] == 1 ? 8 : 8 * Int(band[offset + 11] & 15)
      }
      offset = end
      if marker == 0xDA {
        guard heightOffset > 0, height > 0, mcuHeight > 0 else { throw damage }
        scanStart = offset
        return
      }
    }
    throw damage
  }

  /// Whether two heads differ in nothing but the height.
  func hasSameTables(as other: JPEGBandLayout, _ band: [UInt8], _ otherBand: [UInt8]) -> Bool {
    scanStart == other.scanStart && heightOffset == other.heightOffset
      && band[..<heightOffset] == otherBand[..<heightOffset]
      && band[(heightOffset + 2)..<scanStart] == otherBand[(heightOffset + 2)..<scanStart]
  }
}
