// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension ContainerMetadata {
  /// Reads the metadata of a WebP file.
  init(webP buffer: UnsafeRawBufferPointer, limits: ImageLimits) throws(MetadataError) {
    let chunks = WebPChunks(buffer)
    let ranges = [chunks.profile, chunks.exif, chunks.xmp].compactMap { $0 }
    guard ranges.reduce(0, { $0 + $1.count }) <= limits.maximumMetadataBytes else {
      throw .tooManyBytes(limit: limits.maximumMetadataBytes)
    }
    self.init()
    icc = chunks.profile.map { Array(buffer[$0]) }
    xmp = chunks.xmp.map { Array(buffer[$0]) }
    exif = chunks.exif.map { range in
      let bytes = Array(buffer[range])
      // Some writers include the prefix that EXIF has in a JPEG.
      return bytes.has(JPEGSegment.Signature.exif, at: 0)
        ? Array(bytes.dropFirst(JPEGSegment.exifPrefixCount)) : bytes
    }
    note(chunks)
    if chunks.end < buffer.count {
      let count = buffer.count - chunks.end
      findings.reportLoss(.trailingData, "\(count) trailing bytes after the image are left out.")
    }
  }

  private mutating func note(_ chunks: WebPChunks) {
    if chunks.isTruncated { findings.notice("The WebP file is shorter than its chunk sizes.") }
    if !chunks.repeated.isEmpty {
      let names = chunks.repeated.sorted().joined(separator: ", ")
      findings.notice("The WebP file has duplicate chunks (\(names)); the first of each is used.")
    }
    findings.reportUnknown("WebP chunks", chunks.unknown.sorted())
    if chunks.frameCount > 1 {
      findings.reportLoss(
        .frames, "The WebP is animated (\(chunks.frameCount) frames); only the first is kept.")
    }
  }
}

/// Iterates over the chunks of a WebP file and finds its first image and its metadata.
///
/// - Source: RFC 9649 (WebP Image Format), sections 2.3 to 2.7.
struct WebPChunks {
  /// The size of the canvas; only in extended files.
  private(set) var canvas: PixelSize?
  /// The bitstream of the first image: a "VP8L" chunk, or "VP8 " with a preceding "ALPH".
  private(set) var image: Range<Int>?
  /// The position and size of an animation's first frame on the canvas.
  private(set) var frame: Region?
  /// The number of animation frames; 0 for a still image.
  private(set) var frameCount = 0
  private(set) var profile: Range<Int>?
  private(set) var exif: Range<Int>?
  private(set) var xmp: Range<Int>?
  /// The names of unknown chunks; at most 100.
  private(set) var unknown: Set<String> = []
  /// Metadata chunks that occur more than once.
  private(set) var repeated: Set<String> = []
  /// The position after the last chunk.
  private(set) var end: Int
  /// Indicates whether the file is shorter than its chunks state.
  private(set) var isTruncated = false

  private let buffer: UnsafeRawBufferPointer

  /// Reads a file that begins with "RIFF" and "WEBP".
  init(_ buffer: UnsafeRawBufferPointer) {
    self.buffer = buffer
    end = buffer.count
    guard let length = buffer.unsigned32(at: 4, .little), buffer.count >= 12 else {
      isTruncated = true
      return
    }
    if length <= buffer.count - 8 { end = max(8 + length, 12) } else { isTruncated = true }
    var reader = ChunkReader(riff: buffer, in: 12..<end)
    var alpha: Int?
    while let chunk = reader.next() {
      isTruncated = isTruncated || chunk.isTruncated
      readImage(chunk, &alpha)
      read(chunk)
    }
  }

  /// Records the first bitstream; `alpha` is the offset of a preceding "ALPH" chunk.
  private mutating func readImage(_ chunk: Chunk, _ alpha: inout Int?) {
    guard image == nil else { return }
    switch chunk.type {
    case "ALPH": alpha = alpha ?? chunk.start
    case "VP8 ": image = (alpha ?? chunk.start)..<chunk.body.upperBound
    case "VP8L": image = chunk.start..<chunk.body.upperBound
    default: break
    }
  }

  private mutating func read(_ chunk: Chunk) {
    switch chunk.type {
    case "VP8X":
      guard canvas == nil, let width = unsigned24(at: chunk.body.lowerBound + 4, in: chunk.body),
        let height = unsigned24(at: chunk.body.lowerBound + 7, in: chunk.body)
      else { return }
      canvas = PixelSize(width: width + 1, height: height + 1)
    case "ANMF":
      frameCount += 1
      if image == nil, frame == nil { readFrame(chunk.body) }
    case "ICCP": keep(chunk, in: \.profile)
    case "EXIF": keep(chunk, in: \.exif)
    case "XMP ": keep(chunk, in: \.xmp)
    case "VP8 ", "VP8L", "ALPH", "ANIM": break
    default:
      if unknown.count < 100, let name = MetadataText.clean(chunk.name) { unknown.insert(name) }
    }
  }

  private mutating func keep(_ chunk: Chunk, in property: WritableKeyPath<Self, Range<Int>?>) {
    if self[keyPath: property] != nil {
      repeated.insert(chunk.name)
    } else {
      self[keyPath: property] = chunk.body
    }
  }

  private mutating func readFrame(_ body: Range<Int>) {
    let fields = stride(from: 0, to: 12, by: 3).compactMap {
      unsigned24(at: body.lowerBound + $0, in: body)
    }
    guard fields.count == 4, body.count >= 16 else { return }
    // Positions are stored in units of two pixels.
    frame = Region(
      x: 2 * fields[0], y: 2 * fields[1], width: fields[2] + 1, height: fields[3] + 1)
    var reader = ChunkReader(riff: buffer, in: (body.lowerBound + 16)..<body.upperBound)
    var alpha: Int?
    while image == nil, let inner = reader.next() {
      readImage(inner, &alpha)
    }
  }

  private func unsigned24(at offset: Int, in range: Range<Int>) -> Int? {
    guard offset + 3 <= range.upperBound, let low = buffer.unsigned16(at: offset, .little) else {
      return nil
    }
    return low | Int(buffer[offset + 2]) << 16
  }
}
