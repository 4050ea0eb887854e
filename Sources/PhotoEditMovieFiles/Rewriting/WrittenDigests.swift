// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

/// Computes the digests of a file and its tracks on a second thread while the file is written.
///
/// One pass serves both, and most of it is done when the last byte is written; without a second
/// thread, all of it is done then. An existing file is read in the same way.
final class WrittenDigests: Sendable {
  /// The resulting digests.
  struct Digests: Sendable {
    /// The digest of all bytes.
    var file: Digest
    /// The digest of the samples of each track, concatenated.
    var tracks: [Digest]
  }

  private struct State {
    var written = 0
    var isComplete = false
    var isGivenUp = false
    var outcome: Result<Digests, MovieError>?
  }

  private let state = Guarded(State())
  private let news = DispatchSemaphore(value: 0)
  private let work = Guarded<BackgroundWork?>(nil)

  /// Starts hashing.
  ///
  /// - Parameters:
  ///   - path: The file, which exists and may be empty.
  ///   - chunks: For each track, the ranges of its samples in order; empty for no tracks.
  init(of path: String, chunks: [[Range<Int>]] = [], _ cancellation: Cancellation) {
    let work = BackgroundWork {
      let outcome: Result<Digests, MovieError>
      do throws(MovieError) {
        outcome = .success(try self.read(path, chunks, cancellation))
      } catch {
        outcome = .failure(error)
      }
      self.state.withLock { $0.outcome = outcome }
    }
    self.work.withLock { $0 = work }
  }

  private func wait() {
    // The work retains this object, which must not retain it permanently.
    let work = work.withLock { work in
      defer { work = nil }
      return work
    }
    work?.wait()
  }

  /// Reports that the file is written up to an offset.
  func advance(to end: Int) {
    state.withLock { $0.written = end }
    news.signal()
  }

  /// Waits for the digests of a completely written file.
  func result() throws(MovieError) -> Digests {
    state.withLock { $0.isComplete = true }
    news.signal()
    wait()
    let outcome = state.withLock { $0.outcome }
    guard let outcome else { throw .cancelled }
    return try outcome.get()
  }

  /// Cancels the work on a file that will not be finished; has no effect on a finished one.
  func giveUp() {
    state.withLock { $0.isGivenUp = true }
    news.signal()
    wait()
  }

  /// Waits until there are bytes after `place`; nil if there will not be any.
  private func end(after place: Int) throws(MovieError) -> Int? {
    while true {
      let state = state.withLock { ($0.written, $0.isComplete, $0.isGivenUp) }
      if state.2 { throw .cancelled }
      if state.0 > place { return state.0 }
      if state.1 { return nil }
      news.wait()
    }
  }

  private func read(
    _ path: String, _ chunks: [[Range<Int>]], _ cancellation: Cancellation
  ) throws(MovieError) -> Digests {
    let file = try openMovie(path, mayBeEmpty: true)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
    defer { memory.deallocate() }
    var whole = DigestBuilder()
    let tracks = chunks.map { TrackDigest($0) }
    var place = 0
    while let end = try end(after: place) {
      while place < end {
        try cancellation.check()
        let bytes = try file.fill(memory, with: place..<min(end, place + memory.count))
        whole.update(bytes)
        for track in tracks { track.update(bytes, at: place) }
        place += bytes.count
      }
    }
    var digests: [Digest] = []
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

  func update(_ bytes: UnsafeRawBufferPointer, at place: Int) {
    guard isInOrder else { return }
    let here = place..<(place + bytes.count)
    while next < chunks.count, chunks[next].lowerBound < here.upperBound {
      let part = chunks[next].clamped(to: here)
      builder.update(
        UnsafeRawBufferPointer(
          rebasing: bytes[(part.lowerBound - place)..<(part.upperBound - place)]))
      if chunks[next].upperBound > here.upperBound { return }
      next += 1
    }
  }

  func finish(
    _ file: borrowing OpenFile, _ memory: UnsafeMutableRawBufferPointer,
    _ cancellation: Cancellation
  ) throws(MovieError) -> Digest {
    for chunk in isInOrder ? [] : chunks {
      var place = chunk.lowerBound
      while place < chunk.upperBound {
        try cancellation.check()
        let bytes = try file.fill(
          memory, with: place..<min(chunk.upperBound, place + memory.count))
        builder.update(bytes)
        place += bytes.count
      }
    }
    // A value that can be consumed only once must be moved out first.
    var ended = DigestBuilder()
    swap(&ended, &builder)
    return ended.finish()
  }
}
