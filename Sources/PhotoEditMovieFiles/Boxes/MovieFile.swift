// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// Opens a regular file for reading; a pipe or a folder is rejected without blocking.
///
/// - Parameter mayBeEmpty: Whether an empty file is accepted because it is still being written.
func openMovie(_ path: String, mayBeEmpty: Bool = false) throws(MovieError) -> OpenFile {
  let file = try translating(MovieError.file, OpenFile(reading: path))
  let size = try translating(MovieError.file, file.acceptedSize())
  guard size > 0 || mayBeEmpty else {
    throw .file(FileError(.empty, path: path, reason: "file is empty"))
  }
  return file
}

extension OpenFile {
  func movieSize() throws(MovieError) -> Int {
    try translating(MovieError.file, regularSize())
  }

  /// Returns up to `count` bytes from an offset; fewer only at the end of the file.
  func bytes(at offset: Int, atMost count: Int) throws(MovieError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
      while filled < count, let base = buffer.baseAddress {
        let part = pread(descriptor, base + filled, count - filled, offset + filled)
        if part < 0 && errno == EINTR { continue }
        if part < 0 { failure = errno }
        if part <= 0 { break }
        filled += part
      }
    }
    guard failure == 0 else {
      throw .file(FileError(errno: failure, "cannot read", path: path))
    }
    return bytes
  }

  /// Reads a range, which must not be longer than the memory.
  func fill(
    _ memory: UnsafeMutableRawBufferPointer, with range: Range<Int>
  ) throws(MovieError) -> UnsafeRawBufferPointer {
    let part = UnsafeMutableRawBufferPointer(rebasing: memory[..<range.count])
    let count = try translating(MovieError.file, read(into: part, at: range.lowerBound))
    guard count == range.count else { throw .damaged("the file was truncated while being read") }
    return UnsafeRawBufferPointer(part)
  }

  /// Returns the SHA-256 digest of all bytes, read in chunks.
  ///
  /// - Parameter work: The progress to which the bytes are added; nil for none.
  func movieDigest(
    _ cancellation: Cancellation, _ work: MovieProgress? = nil
  ) throws(MovieError) -> SHA256Digest {
    // One buffer for all chunks: new pages cost more than reading into existing ones.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
    defer { memory.deallocate() }
    var builder = DigestBuilder()
    var offset = 0
    while true {
      try cancellation.check()
      let count = try translating(MovieError.file, read(into: memory, at: offset))
      if count == 0 { return builder.finish() }
      builder.update(UnsafeRawBufferPointer(rebasing: memory[..<count]))
      offset += count
      try work?.advance(by: count)
    }
  }
}

/// The progress of writing a video, with its cancellation check.
///
/// Used by one thread.
final class MovieProgress {
  let cancellation: Cancellation
  private let progress: @Sendable (Double) -> Void
  private var done = 0
  /// The number of bytes to copy plus the number to read back.
  var total = 1

  init(
    _ cancellation: Cancellation, _ progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) {
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Adds bytes to the progress; throws if the caller has canceled the operation.
  func advance(by bytes: Int) throws(MovieError) {
    try cancellation.check()
    done += bytes
    progress(min(1, Double(done) / Double(max(total, 1))))
  }

  /// Reports completion, even if fewer bytes were counted than the file has.
  func finish() { progress(1) }
}

extension Cancellation {
  /// Throws `MovieError.cancelled` if the caller has canceled the operation.
  func check() throws(MovieError) {
    if isCancelled { throw .cancelled }
  }
}
