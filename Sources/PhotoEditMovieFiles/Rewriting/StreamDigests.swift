// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

/// Computes the digests of a file and its tracks, and compares the file with its sources, on a
/// second thread while the file is written.
///
/// One pass serves all, and most of it is done when the last byte is written; without a second
/// thread, all of it is done then. An existing file is read in the same way.
final class StreamDigests: Sendable {
  struct Digests: Sendable {
    /// The digest of all bytes.
    var file: SHA256Digest
    /// The digest of the samples of each track, concatenated.
    var tracks: [SHA256Digest]
  }

  private struct State {
    var written = 0
    var isComplete = false
    var isCancelled = false
    var outcome: Result<Digests, MovieError>?
  }

  private let state = LockedValue(State())
  private let semaphore = DispatchSemaphore(value: 0)
  private let work = LockedValue<BackgroundWork?>(nil)

  /// Starts hashing.
  ///
  /// - Parameters:
  ///   - path: The file, which exists and may be empty.
  ///   - chunks: For each track, the ranges of its samples in order; empty for no tracks.
  ///   - comparison: The intended content, with which the file is compared; nil for none.
  init(
    of path: String, chunks: [[Range<Int>]] = [], comparison: MediaComparison? = nil,
    _ cancellation: Cancellation
  ) {
    let work = BackgroundWork {
      let outcome: Result<Digests, MovieError>
      do throws(MovieError) {
        outcome = .success(try self.read(path, chunks, comparison, cancellation))
      } catch {
        outcome = .failure(error)
      }
      self.state.withLock { $0.outcome = outcome }
    }
    self.work.withLock { $0 = work }
  }

  private func wait() {
    // The work retains this object, so this object must not retain the work permanently.
    let work = work.withLock { work in
      defer { work = nil }
      return work
    }
    work?.wait()
  }

  /// Reports that the file is written up to an offset.
  func advance(to end: Int) {
    state.withLock { $0.written = end }
    semaphore.signal()
  }

  /// Waits for the digests of a completely written file.
  ///
  /// - Throws: `verificationFailed` if the file differs from the intended content.
  func result() throws(MovieError) -> Digests {
    state.withLock { $0.isComplete = true }
    semaphore.signal()
    wait()
    let outcome = state.withLock { $0.outcome }
    guard let outcome else { throw .cancelled }
    return try outcome.get()
  }

  /// Cancels the work on a file that will not be finished; has no effect on a finished one.
  func cancelHashing() {
    state.withLock { $0.isCancelled = true }
    semaphore.signal()
    wait()
  }

  /// Waits until there are bytes after `offset`; nil if there will not be any.
  private func end(after offset: Int) throws(MovieError) -> Int? {
    while true {
      let state = state.withLock { ($0.written, $0.isComplete, $0.isCancelled) }
      if state.2 { throw .cancelled }
      if state.0 > offset { return state.0 }
      if state.1 { return nil }
      semaphore.wait()
    }
  }

  private func read(
    _ path: String, _ chunks: [[Range<Int>]], _ comparison: MediaComparison?,
    _ cancellation: Cancellation
  ) throws(MovieError) -> Digests {
    let file = try openMovie(path, mayBeEmpty: true)
    let size = 1 << 18
    let both = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * size, alignment: 4096)
    defer { both.deallocate() }
    let memory = UnsafeMutableRawBufferPointer(rebasing: both[..<size])
    let expected = UnsafeMutableRawBufferPointer(rebasing: both[size...])
    var comparison = comparison
    var whole = DigestBuilder()
    let tracks = chunks.map { TrackDigest($0) }
    var offset = 0
    while let end = try end(after: offset) {
      while offset < end {
        try cancellation.check()
        let bytes = try file.fill(memory, with: offset..<min(end, offset + memory.count))
        try comparison?.check(bytes, at: offset, expected)
        whole.update(bytes)
        for track in tracks { track.update(bytes, at: offset) }
        offset += bytes.count
      }
    }
    var digests: [SHA256Digest] = []
    for track in tracks { digests.append(try track.finish(file, memory, cancellation)) }
    return Digests(file: whole.finish(), tracks: digests)
  }
}

/// Computes the digest of a track while its file is read in order.
private final class TrackDigest {
  private let chunks: [Range<Int>]
  /// Indicates whether the samples in the file are in the order of the track.
  private let isInOrder: Bool
  private var next = 0
  private var builder = DigestBuilder()

  init(_ chunks: [Range<Int>]) {
    self.chunks = chunks
    isInOrder = zip(chunks, chunks.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
  }

  func update(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard isInOrder else { return }
    let here = offset..<(offset + bytes.count)
    while next < chunks.count, chunks[next].lowerBound < here.upperBound {
      let part = chunks[next].clamped(to: here)
      builder.update(
        UnsafeRawBufferPointer(
          rebasing: bytes[(part.lowerBound - offset)..<(part.upperBound - offset)]))
      if chunks[next].upperBound > here.upperBound { return }
      next += 1
    }
  }

  func finish(
    _ file: borrowing OpenFile, _ memory: UnsafeMutableRawBufferPointer,
    _ cancellation: Cancellation
  ) throws(MovieError) -> SHA256Digest {
    for chunk in isInOrder ? [] : chunks {
      var offset = chunk.lowerBound
      while offset < chunk.upperBound {
        try cancellation.check()
        let bytes = try file.fill(
          memory, with: offset..<min(chunk.upperBound, offset + memory.count))
        builder.update(bytes)
        offset += bytes.count
      }
    }
    // A value that can be consumed only once must be moved out first.
    var ended = DigestBuilder()
    swap(&ended, &builder)
    return ended.finish()
  }
}
