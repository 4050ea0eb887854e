// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// Opens a regular file for reading; a pipe or a folder is refused without blocking.
///
/// - Parameter mayBeEmpty: Whether the file is still being written.
func openMovie(_ path: String, mayBeEmpty: Bool = false) throws(MovieError) -> OpenFile {
  do throws(FileError) {
    let file = try OpenFile(reading: path)
    guard try file.regularSize() > 0 || mayBeEmpty else {
      throw FileError(.empty, path: path, reason: "the file is empty")
    }
    return file
  } catch {
    throw .file(error)
  }
}

extension OpenFile {
  /// The size of the file now.
  func movieSize() throws(MovieError) -> Int {
    do throws(FileError) { return try regularSize() } catch { throw .file(error) }
  }

  /// Up to `count` bytes from a position; fewer only at the end of the file.
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

  /// Reads a range, which is no longer than the memory.
  func fill(
    _ memory: UnsafeMutableRawBufferPointer, with range: Range<Int>
  ) throws(MovieError) -> UnsafeRawBufferPointer {
    let part = UnsafeMutableRawBufferPointer(rebasing: memory[..<range.count])
    let count: Int
    do throws(FileError) { count = try read(into: part, at: range.lowerBound) } catch {
      throw .file(error)
    }
    guard count == range.count else { throw .damaged("the file shrank while it was read") }
    return UnsafeRawBufferPointer(part)
  }

  /// The SHA-256 of all bytes, read in pieces.
  ///
  /// - Parameter work: Where the bytes count; nil for none.
  func movieDigest(
    _ cancellation: Cancellation, _ work: MovieWork? = nil
  ) throws(MovieError) -> Digest {
    // One memory for all pieces: new pages cost more than reading into old ones.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
    defer { memory.deallocate() }
    var builder = DigestBuilder()
    var offset = 0
    while true {
      try cancellation.check()
      let count: Int
      do throws(FileError) { count = try read(into: memory, at: offset) } catch {
        throw .file(error)
      }
      if count == 0 { return builder.finish() }
      builder.update(UnsafeRawBufferPointer(rebasing: memory[..<count]))
      offset += count
      try work?.advance(by: count)
    }
  }
}
