// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// Copying of the media of a rewritten movie.
extension OpenedMovie {
  /// Writes all ranges to a file; the written bytes are hashed and compared meanwhile.
  func write(
    _ ranges: [MediaRange], to output: borrowing OpenFile, _ digests: StreamDigests,
    _ work: MovieProgress
  ) throws(MovieError) {
    try provide(ranges, to: digests) { bytes, target throws(MovieError) in
      try translating(MovieError.file, output.write(bytes, at: target))
      output.beginWriteback(from: target, byteCount: bytes.count)
      try work.advance(by: bytes.count)
    }
  }

  /// Reads all ranges once, and provides their bytes as the intended content of a file.
  ///
  /// - Parameter write: Receives bytes and their offset before they are compared.
  func provide(
    _ ranges: [MediaRange], to digests: StreamDigests,
    _ write: (UnsafeRawBufferPointer, Int) throws(MovieError) -> Void
  ) throws(MovieError) {
    for range in ranges {
      // In steps, so that cancellation and hashing do not have to wait for the end.
      for start in stride(from: 0, to: range.size, by: StreamDigests.mostBytes) {
        let part = start..<min(range.size, start + StreamDigests.mostBytes)
        let memory = try digests.memory(byteCount: part.count)
        let bytes = try read(part, of: range, into: memory)
        try write(bytes, range.target + start)
        try digests.compare(memory, at: range.target + start)
      }
    }
  }

  /// Reads a part of a range into memory that is at least as large.
  func read(
    _ part: Range<Int>, of range: MediaRange, into memory: UnsafeMutableRawBufferPointer
  ) throws(MovieError) -> UnsafeRawBufferPointer {
    if case .bytes(let bytes) = range.origin {
      memory.copyBytes(from: bytes[part])
      return UnsafeRawBufferPointer(memory)
    }
    return try file.fill(
      memory, with: (range.offset + part.lowerBound)..<(range.offset + part.upperBound))
  }

  /// Returns bytes of the file.
  func bytes(in range: Range<Int>) throws(MovieError) -> [UInt8] {
    let bytes = try file.bytes(at: range.lowerBound, atMost: range.count)
    guard bytes.count == range.count else {
      throw .damaged("the file was truncated while being read")
    }
    return bytes
  }
}

/// Bytes with one destination in the new file.
struct MediaRange: Sendable {
  var origin: MediaChunk.Origin
  var offset: Int
  var size: Int
  /// The destination offset.
  var target: Int
}
