// SPDX-License-Identifier: Apache-2.0

/// A chunk of a PNG or RIFF file.
package struct Chunk {
  package let type: FourCC
  /// Where the eight bytes in front of the body begin.
  package let start: Int
  /// Its content, as much as is there.
  package let body: Range<Int>
  /// Whether the file ends before the chunk does.
  package let isCutOff: Bool

  /// The characters of the type as Latin-1, which knows no wrong byte.
  package var name: String {
    String(String.UnicodeScalarView(type.bytes.map { Unicode.Scalar($0) }))
  }
}

/// Walks through the chunks of a PNG or RIFF file.
///
/// - Source: PNG, third edition (W3C, 2025), 5.3; RFC 9649 (WebP Image Format), 2.3.
package struct ChunkReader {
  /// The first eight bytes of a PNG.
  package static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Where the next chunk begins; behind the end where the padding of the last one is missing.
  package private(set) var position: Int

  private let buffer: UnsafeRawBufferPointer
  private let end: Int
  private let isPNG: Bool

  /// Walks a file that begins with the signature of PNG.
  package init(png buffer: UnsafeRawBufferPointer) {
    self.buffer = buffer
    position = Self.pngSignature.count
    end = buffer.count
    isPNG = true
  }

  /// Walks a part of a RIFF file, which must lie inside.
  package init(riff buffer: UnsafeRawBufferPointer, in range: Range<Int>) {
    self.buffer = buffer
    position = range.lowerBound
    end = range.upperBound
    isPNG = false
  }

  /// The next chunk; nil where not even its header is there.
  package mutating func next() -> Chunk? {
    let start = position
    guard start <= end - 8, let first = buffer.unsigned32(at: start),
      let second = buffer.unsigned32(at: start + 4, isPNG ? .big : .little)
    else { return nil }
    // PNG has the length in front of the type and a checksum behind the body; RIFF pads odd bodies.
    let type = isPNG ? second : first
    let length = isPNG ? first : second
    position = start + 8 + length + (isPNG ? 4 : length % 2)
    return Chunk(
      type: FourCC(UInt32(type)), start: start, body: (start + 8)..<min(start + 8 + length, end),
      isCutOff: length > end - start - (isPNG ? 12 : 8))
  }
}
