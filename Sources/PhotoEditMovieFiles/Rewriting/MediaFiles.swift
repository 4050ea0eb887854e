// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// The source files of the media of a rewritten movie.
final class MediaFiles: Sendable {
  private let source: OpenFile
  private let replacement: LockedValue<MediaFiles?> = LockedValue(nil)

  init(source: consuming OpenFile) { self.source = source }

  /// Sets the movie that provides the new frames.
  func replaceFrames(with files: MediaFiles) { replacement.withLock { $0 = files } }

  private func files(of origin: MediaChunk.Origin) -> MediaFiles {
    guard case .replacement = origin else { return self }
    return replacement.withLock { $0 } ?? self
  }

  /// Writes all ranges to a file; the written bytes are hashed and compared meanwhile.
  func write(
    _ ranges: [MediaRange], to output: borrowing OpenFile, _ digests: StreamDigests,
    _ work: MovieProgress
  ) throws(MovieError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
    defer { memory.deallocate() }
    for range in ranges { try write(range, to: output, through: memory, digests, work) }
  }

  private func write(
    _ mediaRange: MediaRange, to output: borrowing OpenFile,
    through memory: UnsafeMutableRawBufferPointer, _ digests: StreamDigests, _ work: MovieProgress
  ) throws(MovieError) {
    switch mediaRange.origin {
    case .bytes(let bytes):
      let content = FileBytes(bytes)
      try translating(
        MovieError.file,
        output.write(UnsafeRawBufferPointer(content.buffer), at: mediaRange.target))
      digests.advance(to: mediaRange.target + bytes.count)
      try work.advance(by: bytes.count)
    case .source, .replacement:
      try files(of: mediaRange.origin).copy(
        mediaRange, to: output, through: memory, digests, work)
    }
  }

  private func copy(
    _ mediaRange: MediaRange, to output: borrowing OpenFile,
    through memory: UnsafeMutableRawBufferPointer, _ digests: StreamDigests, _ work: MovieProgress
  ) throws(MovieError) {
    var done = 0
    while done < mediaRange.size {
      // In steps, so that cancellation and hashing do not have to wait for the end.
      let step = min(4 << 20, mediaRange.size - done)
      let range = (mediaRange.offset + done)..<(mediaRange.offset + done + step)
      try translating(
        MovieError.file,
        output.copy(range, of: source, to: mediaRange.target + done, through: memory))
      output.beginWriteback(from: mediaRange.target + done, byteCount: step)
      done += step
      digests.advance(to: mediaRange.target + done)
      try work.advance(by: step)
    }
  }

  /// Returns whether bytes are those of a range of media.
  ///
  /// - Parameters:
  ///   - start: The position of the first byte in the range.
  ///   - memory: A buffer for as many bytes.
  func areSame(
    _ found: UnsafeRawBufferPointer, as mediaRange: MediaRange, from start: Int,
    _ memory: UnsafeMutableRawBufferPointer
  ) throws(MovieError) -> Bool {
    guard let written = found.baseAddress else { return true }
    if case .bytes(let bytes) = mediaRange.origin {
      return bytes.withUnsafeBytes { expected in
        expected.baseAddress.map { memcmp($0 + start, written, found.count) == 0 } ?? false
      }
    }
    let offset = mediaRange.offset + start
    let expected = try files(of: mediaRange.origin).source.fill(
      memory, with: offset..<(offset + found.count))
    return expected.baseAddress.map { memcmp($0, written, found.count) == 0 } ?? false
  }

  /// Returns bytes of the source.
  func sourceBytes(_ range: Range<Int>) throws(MovieError) -> [UInt8] {
    let bytes = try source.bytes(at: range.lowerBound, atMost: range.count)
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

/// Compares a new file, read in order, with the sources of its bytes.
struct MediaComparison {
  private let ranges: [MediaRange]
  private let sources: MediaFiles
  private var next = 0

  /// - Parameter ranges: The ranges of the new file in order, without gaps.
  init(_ ranges: [MediaRange], of sources: MediaFiles) {
    self.ranges = ranges
    self.sources = sources
  }

  /// Compares the bytes at an offset, which follow those that were compared before.
  ///
  /// - Throws: `verificationFailed` if they differ.
  mutating func check(
    _ found: UnsafeRawBufferPointer, at offset: Int, _ memory: UnsafeMutableRawBufferPointer
  ) throws(MovieError) {
    var done = 0
    while done < found.count {
      while next < ranges.count, ranges[next].target + ranges[next].size <= offset + done {
        next += 1
      }
      guard next < ranges.count else {
        throw .verificationFailed("larger than expected")
      }
      let start = offset + done - ranges[next].target
      let count = min(found.count - done, ranges[next].size - start)
      let part = UnsafeRawBufferPointer(rebasing: found[done..<(done + count)])
      guard try sources.areSame(part, as: ranges[next], from: start, memory) else {
        throw .verificationFailed(
          "bytes from offset \(ranges[next].target) differ from the source")
      }
      done += count
    }
  }
}
