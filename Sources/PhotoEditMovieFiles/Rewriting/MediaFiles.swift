// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// The source files of the media of a rewritten movie.
final class MediaFiles {
  private let source: OpenFile
  /// The movie that provides the new frames; nil for none.
  var replacement: MediaFiles?
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)

  init(source: consuming OpenFile) { self.source = source }

  deinit { memory.deallocate() }

  /// Writes a range of media to an offset of a file; the written bytes are hashed.
  func write(
    _ piece: MediaPiece, to output: borrowing OpenFile, _ digests: WrittenDigests,
    _ work: MovieWork
  ) throws(MovieError) {
    switch piece.origin {
    case .bytes(let bytes):
      do throws(FileError) {
        let content = FileBytes(bytes)
        try output.write(UnsafeRawBufferPointer(content.buffer), at: piece.target)
      } catch {
        throw .file(error)
      }
      digests.advance(to: piece.target + bytes.count)
      try work.advance(by: bytes.count)
    case .source: try copy(piece, to: output, digests, work)
    case .replacement: try replacement?.copy(piece, to: output, digests, work)
    }
  }

  private func copy(
    _ piece: MediaPiece, to output: borrowing OpenFile, _ digests: WrittenDigests,
    _ work: MovieWork
  ) throws(MovieError) {
    var done = 0
    while done < piece.size {
      // In steps, so that cancellation and hashing do not have to wait for the end.
      let step = min(4 << 20, piece.size - done)
      let range = (piece.offset + done)..<(piece.offset + done + step)
      do throws(FileError) {
        try output.copy(range, of: source, to: piece.target + done, through: memory)
      } catch {
        throw .file(error)
      }
      done += step
      digests.advance(to: piece.target + done)
      try work.advance(by: step)
    }
  }

  /// Returns whether a range of media is identical in the file to which it was written.
  func isSame(
    _ piece: MediaPiece, in written: MediaFiles, _ work: MovieWork
  ) throws(MovieError) -> Bool {
    if case .replacement = piece.origin, let replacement {
      var piece = piece
      piece.origin = .source
      return try replacement.isSame(piece, in: written, work)
    }
    var done = 0
    while done < piece.size {
      let count = min(piece.size - done, memory.count)
      let place = piece.target + done
      let found = try written.source.fill(written.memory, with: place..<(place + count))
      let wanted: UnsafeRawBufferPointer
      if case .bytes(let bytes) = piece.origin {
        memory.copyBytes(from: bytes[done..<(done + count)])
        wanted = UnsafeRawBufferPointer(memory)
      } else {
        let start = piece.offset + done
        wanted = try source.fill(memory, with: start..<(start + count))
      }
      guard let left = wanted.baseAddress, let right = found.baseAddress,
        memcmp(left, right, count) == 0
      else { return false }
      done += count
      try work.advance(by: count)
    }
    return true
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
struct MediaPiece {
  var origin: MediaChunk.Origin
  var offset: Int
  var size: Int
  /// The destination offset.
  var target: Int
}
