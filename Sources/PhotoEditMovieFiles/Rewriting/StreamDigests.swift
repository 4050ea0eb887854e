// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// Reads a file back while it is written, on a second thread: compares it with the intended content
/// and computes the digests of the file and its tracks.
///
/// The intended content is in memory, where the writer has just read it, so that every byte of the
/// source and of the file is read once. Without a second thread, the writer does all of it.
final class StreamDigests: Sendable {
  struct Digests: Sendable {
    /// The digest of all bytes.
    var file: SHA256Digest
    /// The digest of the samples of each track, concatenated.
    var tracks: [SHA256Digest]
  }

  /// The maximum number of bytes that are compared at once: few enough for the cache.
  static let mostBytes = 1 << 19
  /// The number of buffers, so that writer and reader seldom wait for each other.
  private static let bufferCount = 4

  // Safe: a buffer is used by the thread that has taken it.
  private struct State: @unchecked Sendable {
    let buffers: [UnsafeMutableRawBufferPointer]
    var free: [UnsafeMutableRawBufferPointer]
    var written: [(offset: Int, bytes: UnsafeMutableRawBufferPointer)] = []
    var isComplete = false
    var isCancelled = false
    var outcome: Result<Digests, MovieError>?
  }

  private let state: LockedValue<State>
  private let reader: FileReader
  private let work = LockedValue<BackgroundWork?>(nil)

  /// Starts reading.
  ///
  /// - Parameters:
  ///   - path: The file, which exists and may be empty.
  ///   - chunks: For each track, the ranges of its samples in order; empty for no tracks.
  init(of path: String, chunks: [[Range<Int>]], _ cancellation: Cancellation) throws(MovieError) {
    reader = try FileReader(path, chunks, cancellation)
    let buffers = (0..<Self.bufferCount).map { _ in
      UnsafeMutableRawBufferPointer.allocate(byteCount: Self.mostBytes, alignment: 4096)
    }
    state = LockedValue(State(buffers: buffers, free: buffers))
    let work = BackgroundWork { self.readAll() }
    self.work.withLock { $0 = work }
  }

  deinit { for buffer in state.withLock({ $0.buffers }) { buffer.deallocate() } }

  /// Returns memory for intended content, to be filled and passed to `compare`.
  ///
  /// - Throws: The error of the second thread, if it has ended.
  func memory(byteCount: Int) throws(MovieError) -> UnsafeMutableRawBufferPointer {
    let result = state.wait { state -> Result<UnsafeMutableRawBufferPointer, MovieError>? in
      if case .failure(let error)? = state.outcome { return .failure(error) }
      return state.free.popLast().map { .success($0) }
    }
    return UnsafeMutableRawBufferPointer(rebasing: try result.get()[..<byteCount])
  }

  /// Compares the file with intended content that follows what was compared before.
  func compare(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(MovieError) {
    state.change { $0.written.append((offset, bytes)) }
    if work.withLock({ $0?.isRunning ?? false }) { return }
    while let piece = state.withLock({ $0.written.isEmpty ? nil : $0.written.removeFirst() }) {
      try compare(piece)
    }
  }

  private func compare(
    _ piece: (offset: Int, bytes: UnsafeMutableRawBufferPointer)
  ) throws(MovieError) {
    try reader.compare(UnsafeRawBufferPointer(piece.bytes), at: piece.offset)
    let whole = UnsafeMutableRawBufferPointer(start: piece.bytes.baseAddress, count: Self.mostBytes)
    state.change { $0.free.append(whole) }
  }

  /// Waits for the digests of a completely written file.
  ///
  /// - Throws: `verificationFailed` if the file differs from the intended content.
  func result() throws(MovieError) -> Digests {
    state.change { $0.isComplete = true }
    wait()
    guard let outcome = state.withLock({ $0.outcome }) else { throw .cancelled }
    return try outcome.get()
  }

  /// Reads a complete file once; the caller compares the digests with those of the intended content.
  static func read(
    _ path: String, chunks: [[Range<Int>]], _ cancellation: Cancellation
  ) throws(MovieError) -> Digests {
    try FileReader(path, chunks, cancellation).readAll()
  }

  /// Cancels the work on a file that will not be finished; has no effect on a finished one.
  func cancelHashing() {
    state.change { $0.isCancelled = true }
    wait()
  }

  private func wait() {
    // The work retains this object, so this object must not retain the work permanently.
    let work = work.withLock { work in
      defer { work = nil }
      return work
    }
    work?.wait()
  }

  private func readAll() {
    let outcome: Result<Digests, MovieError>
    do throws(MovieError) {
      while let piece = try next() { try compare(piece) }
      outcome = .success(try reader.finish())
    } catch {
      outcome = .failure(error)
    }
    state.change { $0.outcome = outcome }
  }

  /// Waits for bytes to compare; nil if there will not be any.
  private func next() throws(MovieError) -> (offset: Int, bytes: UnsafeMutableRawBufferPointer)? {
    let isCancelled = state.wait { state -> Bool? in
      if state.isCancelled { return true }
      return !state.written.isEmpty || state.isComplete ? false : nil
    }
    if isCancelled { throw .cancelled }
    return state.withLock { $0.written.isEmpty ? nil : $0.written.removeFirst() }
  }
}

/// The written file and what has been read of it; used by one thread at a time.
private final class FileReader: @unchecked Sendable {
  // Safe: the writer uses it only if there is no second thread.
  private let file: OpenFile
  private let tracks: [TrackDigest]
  private let memory: UnsafeMutableRawBufferPointer
  private let cancellation: Cancellation
  private let whole = RunningDigest()
  private var end = 0

  init(
    _ path: String, _ chunks: [[Range<Int>]], _ cancellation: Cancellation
  ) throws(MovieError) {
    file = try openMovie(path, mayBeEmpty: true)
    tracks = chunks.map { TrackDigest($0) }
    memory = .allocate(byteCount: StreamDigests.mostBytes, alignment: 4096)
    self.cancellation = cancellation
  }

  deinit { memory.deallocate() }

  func compare(_ intended: UnsafeRawBufferPointer, at offset: Int) throws(MovieError) {
    guard let expected = intended.baseAddress else { return }
    let found = try read(offset..<(offset + intended.count))
    guard found.baseAddress.map({ memcmp(expected, $0, found.count) == 0 }) ?? false else {
      throw .verificationFailed("bytes from offset \(offset) differ from the source")
    }
  }

  func readAll() throws(MovieError) -> StreamDigests.Digests {
    let size = try file.movieSize()
    while end < size { _ = try read(end..<min(size, end + memory.count)) }
    return try finish()
  }

  /// Reads and hashes what follows what was read before.
  private func read(_ range: Range<Int>) throws(MovieError) -> UnsafeRawBufferPointer {
    try cancellation.check()
    let found = try file.fill(memory, with: range)
    whole.update(found)
    for track in tracks { track.update(found, at: range.lowerBound) }
    end = range.upperBound
    return found
  }

  func finish() throws(MovieError) -> StreamDigests.Digests {
    guard try file.movieSize() == end else { throw .verificationFailed("larger than expected") }
    var digests: [SHA256Digest] = []
    for track in tracks { digests.append(try track.finish(file, memory, cancellation)) }
    return StreamDigests.Digests(file: whole.finish(), tracks: digests)
  }
}

/// Computes the digest of a track while its file is read in order.
private final class TrackDigest {
  private let chunks: [Range<Int>]
  /// Indicates whether the samples in the file are in the order of the track.
  private let isInOrder: Bool
  private var next = 0
  private let digest = RunningDigest()

  init(_ chunks: [Range<Int>]) {
    self.chunks = chunks
    isInOrder = zip(chunks, chunks.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
  }

  func update(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard isInOrder else { return }
    let here = offset..<(offset + bytes.count)
    while next < chunks.count, chunks[next].lowerBound < here.upperBound {
      let part = chunks[next].clamped(to: here)
      digest.update(
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
        digest.update(bytes)
        offset += bytes.count
      }
    }
    return digest.finish()
  }
}

/// A digest that grows with the bytes of a file or of a track.
final class RunningDigest {
  private var builder = DigestBuilder()

  func update(_ bytes: UnsafeRawBufferPointer) { builder.update(bytes) }

  /// Returns the digest of the bytes so far, and starts again.
  func finish() -> SHA256Digest {
    // A value that can be consumed only once must be moved out first.
    var ended = DigestBuilder()
    swap(&ended, &builder)
    return ended.finish()
  }
}
