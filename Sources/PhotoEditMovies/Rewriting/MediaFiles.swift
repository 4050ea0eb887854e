// SPDX-License-Identifier: Apache-2.0
import Glibc
import Storage

/// The files that the media of a rewritten movie comes from.
final class MediaFiles {
  private let source: OpenFile
  private let replacement: MediaFiles?
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)

  init(source: consuming OpenFile, replacement: MediaFiles? = nil) {
    self.source = source
    self.replacement = replacement
  }

  deinit { memory.deallocate() }

  /// Writes a piece of media to a place of a file.
  func write(
    _ piece: MediaPiece, to output: borrowing OpenFile, _ work: MovieWork
  ) throws(MovieError) {
    switch piece.origin {
    case .bytes(let bytes):
      do throws(FileError) {
        let content = FileBytes(bytes)
        try output.write(UnsafeRawBufferPointer(content.buffer), at: piece.target)
      } catch {
        throw .file(error)
      }
      try work.advance(by: bytes.count)
    case .source: try copy(piece, to: output, work)
    case .replacement: try replacement?.copy(piece, to: output, work)
    }
  }

  private func copy(
    _ piece: MediaPiece, to output: borrowing OpenFile, _ work: MovieWork
  ) throws(MovieError) {
    var done = 0
    while done < piece.size {
      // In steps, so that somebody who wants to stop does not wait for the end.
      let step = min(8 << 20, piece.size - done)
      let range = (piece.offset + done)..<(piece.offset + done + step)
      do throws(FileError) {
        try output.copy(range, of: source, to: piece.target + done, through: memory)
      } catch {
        throw .file(error)
      }
      done += step
      try work.advance(by: step)
    }
  }

  /// The SHA-256 of samples, one behind the other, when those of other files are the same.
  ///
  /// - Returns: nil when they are not.
  func digest(
    of chunks: [MediaChunk], sameAs theirs: [MediaChunk], in other: MediaFiles,
    _ work: MovieWork
  ) throws(MovieError) -> Digest? {
    guard chunks.count == theirs.count else { return nil }
    var builder = DigestBuilder()
    var place = 0
    while place < chunks.count {
      let (mine, their) = (chunks[place], theirs[place])
      guard mine.size == their.size else { return nil }
      var size = mine.size
      place += 1
      // Chunks that follow one another in both files are read together.
      while place < chunks.count, chunks[place].follows(mine, at: mine.offset + size),
        theirs[place].follows(their, at: their.offset + size),
        chunks[place].size == theirs[place].size
      {
        size += chunks[place].size
        place += 1
      }
      var done = 0
      while done < size {
        let count = min(size - done, memory.count)
        let part = UnsafeMutableRawBufferPointer(rebasing: memory[0..<count])
        let same = UnsafeMutableRawBufferPointer(rebasing: other.memory[0..<count])
        try fill(part, from: mine, at: done)
        try other.fill(same, from: their, at: done)
        guard let left = part.baseAddress, let right = same.baseAddress,
          memcmp(left, right, count) == 0
        else { return nil }
        builder.update(UnsafeRawBufferPointer(part))
        done += count
        try work.advance(by: 2 * count)
      }
    }
    return builder.finish()
  }

  /// Fills memory with bytes of a chunk, or of those behind it.
  private func fill(
    _ part: UnsafeMutableRawBufferPointer, from chunk: MediaChunk, at place: Int
  ) throws(MovieError) {
    var filled = 0
    switch chunk.origin {
    case .bytes(let bytes):
      let rest = bytes.dropFirst(place).prefix(part.count)
      part.copyBytes(from: rest)
      filled = rest.count
    case .source: filled = try read(into: part, at: chunk.offset + place)
    case .replacement:
      filled = try replacement?.read(into: part, at: chunk.offset + place) ?? 0
    }
    guard filled == part.count else { throw .damaged("the file shrank while it was read") }
  }

  private func read(
    into memory: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(MovieError) -> Int {
    do throws(FileError) { return try source.read(into: memory, at: offset) } catch {
      throw .file(error)
    }
  }

  /// Bytes of the source.
  func sourceBytes(_ range: Range<Int>) throws(MovieError) -> [UInt8] {
    let bytes = try source.bytes(at: range.lowerBound, atMost: range.count)
    guard bytes.count == range.count else { throw .damaged("the file shrank while it was read") }
    return bytes
  }
}

/// Bytes that go to one place of the new file.
struct MediaPiece {
  var origin: MediaChunk.Origin
  var offset: Int
  var size: Int
  /// Where they go.
  var target: Int
}

extension MediaChunk {
  /// Whether it lies in the same file, right at a place.
  fileprivate func follows(_ other: MediaChunk, at place: Int) -> Bool {
    guard offset == place else { return false }
    switch (origin, other.origin) {
    case (.source, .source), (.replacement, .replacement): return true
    default: return false
    }
  }
}
