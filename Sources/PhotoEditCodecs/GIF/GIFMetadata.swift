// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension ContainerMetadata {
  /// Reads the metadata of a GIF file.
  init(gif buffer: UnsafeRawBufferPointer, limits: ImageLimits) throws(MetadataError) {
    let blocks = try GIFBlocks(buffer, limits: limits)
    self.init()
    xmp = blocks.xmp.map { Array(buffer[$0]) }
    icc = blocks.profile
    comments = blocks.comments.map { String(decoding: $0, as: UTF8.self) }
    if !blocks.isWhole { findings.notice("The GIF has no end block; it is probably truncated.") }
    if blocks.imageCount > 1 {
      findings.reportLoss(
        .frames, "The GIF is animated (\(blocks.imageCount) frames); only the first is kept.")
    }
    if blocks.hasPlainText {
      findings.reportLoss(
        .text, "Text for display by GIF viewers (plain text extension) is left out.")
    }
    findings.reportUnknown("GIF extensions", blocks.unknown.sorted())
    if blocks.end < buffer.count, buffer[blocks.end...].contains(where: { $0 != 0 }) {
      let count = buffer.count - blocks.end
      findings.reportLoss(.trailingData, "\(count) trailing bytes after the image are left out.")
    }
  }
}

/// The blocks of a GIF, with its metadata and the number of images.
///
/// - Source: GIF 89a specification, sections 17 to 27; XMP specification part 3, 1.1.2 (GIF).
struct GIFBlocks {
  /// Images in the file; those after the first are animation frames.
  private(set) var imageCount = 0
  /// Comments, joined from their sub-blocks.
  private(set) var comments: [[UInt8]] = []
  private(set) var xmp: Range<Int>?
  private(set) var profile: [UInt8]?
  /// Names of unknown application extensions; at most 100.
  private(set) var unknown: Set<String> = []
  private(set) var hasPlainText = false
  /// The position after the last block.
  private(set) var end: Int
  /// Indicates whether there is a trailer.
  private(set) var isWhole = false

  private let buffer: UnsafeRawBufferPointer
  private let limit: Int
  private var byteCount = 0

  /// Walks a whole file; throws if its metadata exceeds the limits.
  init(_ buffer: UnsafeRawBufferPointer, limits: ImageLimits) throws(MetadataError) {
    self.buffer = buffer
    limit = limits.maximumMetadataBytes
    end = buffer.count
    var position = 13
    guard buffer.count >= position else { return }
    position += Self.paletteCount(buffer[10])
    while position < buffer.count {
      switch buffer[position] {
      case 0x21:
        guard position + 1 < buffer.count else { return }
        let label = buffer[position + 1]
        try readExtension(label, from: position + 2)
        position = skipBlocks(from: position + 2)
      case 0x2C:
        imageCount += 1
        guard position + 9 < buffer.count else { return }
        // Ten bytes of descriptor, the palette, one byte for the code size.
        position = skipBlocks(from: position + 11 + Self.paletteCount(buffer[position + 9]))
      case 0x3B:
        end = position + 1
        isWhole = true
        return
      // Some writers insert zeros between blocks.
      case 0: position += 1
      default: return
      }
    }
  }

  /// Returns the palette size in bytes specified by a packed field.
  private static func paletteCount(_ packed: UInt8) -> Int {
    packed & 0x80 == 0 ? 0 : 3 << (Int(packed & 7) + 1)
  }

  /// Returns the position after the empty sub-block that ends a chain.
  private func skipBlocks(from start: Int) -> Int {
    var position = start
    while position < buffer.count, buffer[position] != 0 { position += 1 + Int(buffer[position]) }
    return position + 1
  }

  /// Joins the sub-blocks of a chain.
  private mutating func joined(from start: Int) throws(MetadataError) -> [UInt8] {
    var bytes: [UInt8] = []
    var position = start
    while position < buffer.count, buffer[position] != 0 {
      let stop = min(position + 1 + Int(buffer[position]), buffer.count)
      try count(stop - position - 1)
      bytes += buffer[(position + 1)..<stop]
      position = stop
    }
    return bytes
  }

  private mutating func count(_ bytes: Int) throws(MetadataError) {
    byteCount += bytes
    guard byteCount <= limit else { throw .tooManyBytes(limit: limit) }
  }

  private mutating func readExtension(_ label: UInt8, from start: Int) throws(MetadataError) {
    switch label {
    case 0xFE:
      guard comments.count < ImageMetadata.maximumSegmentCount else {
        throw .tooManySegments(limit: ImageMetadata.maximumSegmentCount)
      }
      comments.append(try joined(from: start))
    case 0xFF: try readApplication(from: start)
    case 0x01: hasPlainText = true
    default: break
    }
  }

  private mutating func readApplication(from start: Int) throws(MetadataError) {
    guard start + 12 <= buffer.count, buffer[start] == 11 else { return }
    let name = MetadataText.latin1(buffer[(start + 1)..<(start + 12)])
    let data = start + 12
    switch name {
    case "XMP DataXMP": try readPacket(from: data)
    case "ICCRGBG1012": if profile == nil { profile = try joined(from: data) }
    // The repeat count of an animation.
    case "NETSCAPE2.0", "ANIMEXTS1.0": break
    default:
      if unknown.count < 100, let name = MetadataText.clean(name) { unknown.insert(name) }
    }
  }

  /// Reads an XMP packet, which is not divided into sub-blocks.
  ///
  /// The packet is followed by the bytes 1, 255, 254, … 0: if its characters are read as sub-block
  /// lengths, the chain always reaches these bytes and then the zero at their end.
  private mutating func readPacket(from start: Int) throws(MetadataError) {
    let terminator = skipBlocks(from: start) - 1
    let end = terminator - 257
    guard xmp == nil, terminator < buffer.count, end >= start, buffer[end] == 1 else { return }
    try count(end - start)
    xmp = start..<end
  }
}
