// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
package import PhotoEditStorage

/// The SHA-256 digest of the coded pixels of a file, without its metadata.
///
/// It is unchanged when a program sets a rating or a title, and changes with the pixels, their
/// orientation and their color profile. It is only comparable between files of the same format.
package enum PixelDigest {
  /// The fewest bytes of a photo whose digests are worth a thread.
  private static let threadedByteCount = 1 << 20

  /// Returns the digests of a whole file and of its pixels, as `digest(of:)`.
  ///
  /// A photo is read once, and both digests are computed at the same time.
  package static func digests(
    of path: String
  ) throws(FileError) -> (file: SHA256Digest, pixels: SHA256Digest?) {
    try digests(of: try OpenFile(reading: path))
  }

  /// Returns the same digests of an open file.
  package static func digests(
    of file: borrowing OpenFile
  ) throws(FileError) -> (file: SHA256Digest, pixels: SHA256Digest?) {
    guard try isImage(file) else { return (try FileBytes.digest(of: file), movieDigest(of: file)) }
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try FileBytes.reading(file)
    } catch {
      guard error.kind == .tooLarge else { throw error }
      return (try FileBytes.digest(of: file), nil)
    }
    guard bytes.count >= threadedByteCount else { return (bytes.digest(), digest(of: bytes)) }
    let pixels = BackgroundValue { digest(of: bytes) }
    return (bytes.digest(), pixels.wait())
  }

  /// Returns the digest of a file; nil if its pixels cannot be separated from its metadata.
  package static func digest(of path: String) -> SHA256Digest? {
    do throws(FileError) {
      let file = try OpenFile(reading: path)
      return try isImage(file) ? digest(of: FileBytes.reading(file)) : movieDigest(of: file)
    } catch {
      return nil
    }
  }

  private static func movieDigest(of file: borrowing OpenFile) -> SHA256Digest? {
    (try? file.regularSize()).flatMap { MovieSampleDigest.digest(of: file, size: $0) }
  }

  private static func isImage(_ file: borrowing OpenFile) throws(FileError) -> Bool {
    var head = [UInt8](repeating: 0, count: min(try file.regularSize(), 1024))
    let count = try head.withUnsafeMutableBufferPointer { memory throws(FileError) in
      try file.read(into: UnsafeMutableRawBufferPointer(memory), at: 0)
    }
    return head[..<count].withUnsafeBytes { (try? ImageFormat.detect($0)) != nil }
  }

  /// Returns the digest of an image in memory.
  package static func digest(of bytes: FileBytes) -> SHA256Digest? {
    // Raw files with the same pixels are copies, byte for byte.
    guard let format = try? ImageFormat.detect(bytes.buffer), format != .raw,
      let metadata = try? ImageMetadata.read(bytes)
    else { return nil }
    var parts = Parts()
    parts.add(Array("\(format.uniformTypeIdentifier) \(metadata.orientation.rawValue)".utf8))
    parts.add(metadata.icc ?? [])
    let isWhole =
      switch format {
      case .jpeg: parts.add(jpeg: bytes.buffer, metadata)
      case .png: parts.add(png: bytes.buffer)
      case .webp: parts.add(webP: bytes.buffer)
      case .heif, .avif: parts.add(heif: bytes.buffer)
      case .tiff, .gif, .raw: parts.add(decoded: bytes)
      }
    withExtendedLifetime(bytes) {}
    return isWhole ? parts.finish() : nil
  }

  /// Parts of a file, each prefixed by its length, so that different divisions do not produce the
  /// same digest.
  private struct Parts: ~Copyable {
    var builder = DigestBuilder()

    consuming func finish() -> SHA256Digest { builder.finish() }

    mutating func add(_ part: UnsafeRawBufferPointer) {
      withUnsafeBytes(of: UInt64(part.count).bigEndian) { builder.update($0) }
      builder.update(part)
    }

    mutating func add(_ part: [UInt8]) { part.withUnsafeBytes { add($0) } }

    mutating func add(jpeg buffer: UnsafeRawBufferPointer, _ metadata: ImageMetadata) -> Bool {
      var walk = JPEGMarkerParser(buffer, limits: ImageLimits())
      guard (try? walk.run()) != nil else { return false }
      // The color transform determines the meaning of the coefficients.
      for segment in metadata.segments where segment.kind == .adobe { add(segment.payload) }
      // Hashed as one part, regardless of the number of metadata segments in between.
      let removed = walk.metadataRanges.reduce(0) { $0 + $1.count }
      withUnsafeBytes(of: UInt64(walk.end - removed).bigEndian) { builder.update($0) }
      var start = 0
      for range in walk.metadataRanges {
        builder.update(UnsafeRawBufferPointer(rebasing: buffer[start..<range.lowerBound]))
        start = range.upperBound
      }
      builder.update(UnsafeRawBufferPointer(rebasing: buffer[start..<walk.end]))
      return true
    }

    mutating func add(png buffer: UnsafeRawBufferPointer) -> Bool {
      let coded: Set<FourCC> = [
        "IHDR", "PLTE", "IDAT", "tRNS", "sBIT", "gAMA", "cHRM", "sRGB", "cICP", "acTL", "fcTL",
        "fdAT",
      ]
      var reader = ChunkReader(png: buffer)
      while let chunk = reader.next(), !chunk.isTruncated {
        if coded.contains(chunk.type) {
          add(UnsafeRawBufferPointer(rebasing: buffer[(chunk.start + 4)..<chunk.body.upperBound]))
        }
        if chunk.type == "IEND" { return true }
      }
      return false
    }

    mutating func add(webP buffer: UnsafeRawBufferPointer) -> Bool {
      let coded: Set<FourCC> = ["VP8 ", "VP8L", "ALPH", "ANIM", "ANMF"]
      guard buffer.count >= 12 else { return false }
      var reader = ChunkReader(riff: buffer, in: 12..<buffer.count)
      while let chunk = reader.next() {
        if chunk.isTruncated { return false }
        if coded.contains(chunk.type) {
          add(UnsafeRawBufferPointer(rebasing: buffer[chunk.start..<chunk.body.upperBound]))
        }
      }
      return reader.position >= buffer.count
    }

    mutating func add(heif buffer: UnsafeRawBufferPointer) -> Bool {
      do throws(BoxError) {
        let structure = try HEIFStructure(buffer)
        for box in structure.boxes where box.type == "meta" {
          var reader = BoxReader(buffer, in: box.body)
          try reader.skip(4)
          for part in try reader.boxes()
          where part.type == "iprp" || part.type == "pitm" {
            add(UnsafeRawBufferPointer(rebasing: buffer[part.body]))
          }
        }
        for item in structure.items where item.isImage {
          add(Array("\(item.identifier) \(item.type.characters)".utf8))
          for range in try structure.ranges(of: item) {
            add(UnsafeRawBufferPointer(rebasing: buffer[range]))
          }
        }
        return true
      } catch {
        return false
      }
    }

    /// Adds the decoded pixels, for formats whose files are rewritten entirely when tags change.
    mutating func add(decoded bytes: FileBytes) -> Bool {
      guard let image = try? ImageDecoders.decode(bytes) else { return false }
      add(Array("\(image.size)".utf8))
      image.bytes.withUnsafeBytes { add($0) }
      return true
    }
  }
}
