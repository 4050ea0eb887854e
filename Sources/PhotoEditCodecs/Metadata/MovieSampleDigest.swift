// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The SHA-256 digest of the samples of a QuickTime or MPEG-4 file and of how they are presented.
///
/// User data, dates and the positions of the samples in the file are excluded, because programs
/// that write tags change them.
///
/// - Source: ISO/IEC 14496-12:2022, 8.1 (media data) and 8.2 (movie structure).
enum MovieSampleDigest {
  private static let maximumHeaderBytes = 256 << 20
  private static let maximumBoxCount = 1 << 20

  /// Container boxes on the path to the sample tables.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts",
  ]
  /// Tags, dates, padding and positions.
  private static let omitted: Set<FourCC> = [
    "udta", "meta", "uuid", "free", "skip", "wide", "stco", "co64", "mvhd", "mdhd",
  ]

  /// Returns the digest; nil for other files and for damaged ones.
  static func digest(of file: borrowing OpenFile, size: Int) -> SHA256Digest? {
    var builder = DigestBuilder()
    var position = 0
    var hasHeader = false
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    do throws(FileError) {
      while position < size {
        guard let (type, header, length) = try box(at: position, of: file, size: size) else {
          return nil
        }
        switch type {
        case "moov":
          guard length <= maximumHeaderBytes else { return nil }
          var moov = [UInt8](repeating: 0, count: length)
          guard try read(&moov, length, of: file, at: position) else { return nil }
          hasHeader = true
          let isWhole = moov.withUnsafeBytes { bytes in
            (try? add(BoxReader(bytes), to: &builder)) != nil
          }
          guard isWhole else { return nil }
        case "mdat", "moof":
          var start = position + header
          while start < position + length {
            let count = min(chunk.count, position + length - start)
            guard try read(&chunk, count, of: file, at: start) else { return nil }
            chunk.withUnsafeBytes { builder.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            start += count
          }
        default: break
        }
        position += length
      }
    } catch {
      return nil
    }
    return hasHeader ? builder.finish() : nil
  }

  private static func read(
    _ memory: inout [UInt8], _ count: Int, of file: borrowing OpenFile, at position: Int
  ) throws(FileError) -> Bool {
    try memory.withUnsafeMutableBufferPointer { memory throws(FileError) in
      let part = UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(memory)[..<count])
      return try file.read(into: part, at: position) == count
    }
  }

  /// Returns the box at an offset of the file: its type, the length of its header, and its total
  /// length.
  private static func box(
    at position: Int, of file: borrowing OpenFile, size: Int
  ) throws(FileError) -> (type: FourCC, header: Int, length: Int)? {
    var head = [UInt8](repeating: 0, count: 16)
    let count = min(16, size - position)
    guard count >= 8, try read(&head, count, of: file, at: position) else { return nil }
    return head.withUnsafeBytes { bytes in
      var reader = BoxReader(bytes, in: 0..<count)
      guard let (type, length) = try? reader.boxHeader(capacity: size - position),
        length >= reader.position, length <= size - position
      else { return nil }
      return (type, reader.position, length)
    }
  }

  private static func add(
    _ boxes: BoxReader, to builder: inout DigestBuilder
  ) throws(BoxError) {
    for box in try boxes.boxes(limit: maximumBoxCount) where !omitted.contains(box.type) {
      if containers.contains(box.type) {
        try add(BoxReader(boxes.bytes, in: box.body), to: &builder)
        continue
      }
      // From a track header, only its matrix and its size; the rest is dates and numbers.
      let body = box.type == "tkhd" ? box.body.suffix(44) : box.body[...]
      withUnsafeBytes(of: box.type.value.bigEndian) { builder.update($0) }
      withUnsafeBytes(of: UInt64(body.count).bigEndian) { builder.update($0) }
      builder.update(
        UnsafeRawBufferPointer(rebasing: boxes.bytes[body.startIndex..<body.endIndex]))
    }
  }
}
