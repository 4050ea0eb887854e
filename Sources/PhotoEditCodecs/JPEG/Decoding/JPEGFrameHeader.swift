// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The frame header of a JPEG, read before libjpeg opens the file.
///
/// This allows rejecting kinds that libjpeg would misname, and checking limits before libjpeg
/// allocates memory. Markers are found in the same way as in libjpeg: bytes between segments are
/// skipped.
///
/// - Source: ITU-T T.81, annex B.
struct JPEGFrameHeader {
  let size: PixelSize
  let componentCount: Int
  /// The offset of the two bytes with the width.
  let widthOffset: Int

  init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    guard bytes.starts(with: [0xFF, 0xD8]) else {
      throw .damaged("start marker is missing")
    }
    var offset = 2
    while true {
      let marker = try Self.nextMarker(bytes, &offset)
      switch marker {
      case 0x01, 0xD0...0xD7:
        continue
      case 0xD8:
        throw .damaged("duplicate start marker")
      case 0xD9, 0xDA:
        throw .damaged("frame header is missing")
      default:
        break
      }
      let segment = try Self.segment(bytes, &offset)
      try Self.refuse(marker)
      if [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker) {
        (size, componentCount) = try Self.frame(segment)
        widthOffset = offset - segment.count + 3
        return
      }
    }
  }

  private static func nextMarker(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int)
    throws(CodecError) -> UInt8
  {
    guard let marker = JPEGMarker.next(in: bytes, from: offset).marker else {
      throw .damaged("file ends before the frame header")
    }
    offset = marker.end
    return marker.code
  }

  private static func segment(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int)
    throws(CodecError) -> UnsafeRawBufferPointer
  {
    guard bytes.count - offset >= 2 else {
      throw .damaged("file ends before the frame header")
    }
    // libjpeg also skips a comment whose length is less than that of the length field.
    let length = max(2, Int(bytes[offset]) << 8 | Int(bytes[offset + 1]))
    guard bytes.count - offset >= length else {
      throw .damaged("a segment is longer than the file")
    }
    let segment = UnsafeRawBufferPointer(rebasing: bytes[offset + 2..<offset + length])
    offset += length
    return segment
  }

  /// Rejects unsupported coding processes.
  private static func refuse(_ marker: UInt8) throws(CodecError) {
    switch marker {
    case 0xC3, 0xCB: throw .unsupported("a lossless JPEG")
    case 0xC5, 0xC6, 0xC7, 0xCD, 0xCE, 0xCF, 0xDE: throw .unsupported("a hierarchical JPEG")
    case 0xF7: throw .unsupported("a JPEG-LS image")
    default: break
    }
  }

  private static func frame(_ segment: UnsafeRawBufferPointer) throws(CodecError) -> (
    PixelSize, Int
  ) {
    guard segment.count >= 6 else {
      throw .damaged("frame header is too short")
    }
    if segment[0] != 8 { throw .unsupported("a JPEG with \(segment[0]) bits per sample") }
    let height = Int(segment[1]) << 8 | Int(segment[2])
    let width = Int(segment[3]) << 8 | Int(segment[4])
    let count = Int(segment[5])
    if width == 0 {
      throw .damaged("frame header has width 0")
    }
    if height == 0 { throw .unsupported("a JPEG that defines its height after the scan (DNL)") }
    if segment.count != 6 + 3 * count {
      throw .damaged("frame header has an invalid length", rows: height)
    }
    if ![1, 3, 4].contains(count) { throw .unsupported("a JPEG with \(count) components") }
    return (PixelSize(width: width, height: height), count)
  }
}
