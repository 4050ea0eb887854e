// SPDX-License-Identifier: Apache-2.0

/// A chunk of a PNG or RIFF file.
package struct Chunk {
  package let type: FourCC
  /// The offset of the eight bytes before the body.
  package let start: Int
  /// The available part of its content.
  package let body: Range<Int>
  /// Indicates whether the file ends before the chunk does.
  package let isTruncated: Bool

  /// The characters of the type as Latin-1, in which every byte is valid.
  package var name: String {
    String(String.UnicodeScalarView(type.bytes.map { Unicode.Scalar($0) }))
  }
}

/// Iterates over the chunks of a PNG or RIFF file.
///
/// - Source: PNG, third edition (W3C, 2025), 5.3; RFC 9649 (WebP Image Format), 2.3.
package struct ChunkReader {
  /// The first eight bytes of a PNG.
  package static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The offset of the next chunk; past the end if the padding of the last one is missing.
  package private(set) var position: Int

  private let buffer: UnsafeRawBufferPointer
  private let end: Int
  private let isPNG: Bool

  /// Reads a file that begins with the PNG signature.
  package init(png buffer: UnsafeRawBufferPointer) {
    self.buffer = buffer
    position = Self.pngSignature.count
    end = buffer.count
    isPNG = true
  }

  /// Reads a part of a RIFF file; the range must be within bounds.
  package init(riff buffer: UnsafeRawBufferPointer, in range: Range<Int>) {
    self.buffer = buffer
    position = range.lowerBound
    end = range.upperBound
    isPNG = false
  }

  /// Returns the next chunk; nil if its header is incomplete.
  package mutating func next() -> Chunk? {
    let start = position
    guard start <= end - 8, let first = buffer.unsigned32(at: start),
      let second = buffer.unsigned32(at: start + 4, isPNG ? .big : .little)
    else { return nil }
    // PNG has the length before the type and a checksum after the body; RIFF pads odd bodies.
    let type = isPNG ? second : first
    let length = isPNG ? first : second
    position = start + 8 + length + (isPNG ? 4 : length % 2)
    return Chunk(
      type: FourCC(UInt32(type)), start: start, body: (start + 8)..<min(start + 8 + length, end),
      isTruncated: length > end - start - (isPNG ? 12 : 8))
  }
}
