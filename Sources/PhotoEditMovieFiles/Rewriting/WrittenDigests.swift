// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

/// The digests of a file and of the tracks in it, made on a second thread while it is written.
///
/// One reading serves both, and most of it is done when the last byte is written; where there is no
/// second thread, all of it is done then. A file that is
/// there already is read in the same way.
final class WrittenDigests: Sendable {
  /// What comes of it.
  struct Digests: Sendable {
    /// Of all bytes.
    var file: Digest
    /// Of the samples of each track, one behind the other.
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

  /// Begins.
  ///
  /// - Parameters:
  ///   - path: The file, which is there and may be empty.
  ///   - chunks: For each track, where its samples will be, in their order; none for no tracks.
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
    // Its work holds this object, which must not hold it for ever.
    let work = work.withLock { work in
      defer { work = nil }
      return work
    }
    work?.wait()
  }

  /// Tells that the file is written up to a place.
  func advance(to end: Int) {
    state.withLock { $0.written = end }
    news.signal()
  }

  /// Waits for the digests of a file that is written.
  func result() throws(MovieError) -> Digests {
    state.withLock { $0.isComplete = true }
    news.signal()
    wait()
    let outcome = state.withLock { $0.outcome }
    guard let outcome else { throw .cancelled }
    return try outcome.get()
  }

  /// Ends the work on a file that will not be finished; nothing happens to one that is.
  func giveUp() {
    state.withLock { $0.isGivenUp = true }
    news.signal()
    wait()
  }

  /// Waits until there is more than `place`; nil when there will not be.
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

/// The digest of a track whose file goes by in order.
private final class TrackDigest {
  private let chunks: [Range<Int>]
  /// Whether the samples come in the file in the order of the track.
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
    // What can be used once only has to leave its place for that.
    var ended = DigestBuilder()
    swap(&ended, &builder)
    return ended.finish()
  }
}
