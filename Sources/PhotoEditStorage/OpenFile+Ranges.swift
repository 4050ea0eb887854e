// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

extension OpenFile {
  /// Reads into the memory from an offset; returns the number of bytes read before the end.
  package func read(
    into memory: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileError) -> Int {
    var filled = 0
    while filled < memory.count, let base = memory.baseAddress {
      let count = pread(descriptor, base + filled, memory.count - filled, offset + filled)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(errno: errno, "cannot read", path: path) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// Writes all bytes at an offset or throws.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = pwrite(descriptor, base + done, bytes.count - done, offset + done)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(errno: errno, "cannot write", path: path) }
      done += count
    }
  }

  /// Copies bytes of another file to an offset, within the kernel if possible.
  ///
  /// - Parameters:
  ///   - range: The bytes of the other file; all of them must exist.
  ///   - memory: A nonempty buffer, used if the kernel cannot copy.
  package func copy(
    _ range: Range<Int>, of source: borrowing OpenFile, to offset: Int,
    through memory: UnsafeMutableRawBufferPointer
  ) throws(FileError) {
    var from = Int64(range.lowerBound)
    var to = Int64(offset)
    // For smaller ranges an ordinary copy is faster than the setup in the kernel.
    let isLong = range.count >= 1 << 18
    while isLong && from < range.upperBound {
      let count = pe_copy_file_range_at(
        source.descriptor, &from, descriptor, &to, range.upperBound - Int(from))
      if count < 0 && errno == EINTR { continue }
      if count < 0 && [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) { break }
      guard count >= 0 else { throw FileError(errno: errno, "cannot copy", path: source.path) }
      if count == 0 { throw Self.shrank(source.path) }
    }
    while from < range.upperBound {
      let part = UnsafeMutableRawBufferPointer(
        rebasing: memory[0..<min(range.upperBound - Int(from), memory.count)])
      guard try source.read(into: part, at: Int(from)) == part.count else {
        throw Self.shrank(source.path)
      }
      try write(UnsafeRawBufferPointer(part), at: Int(to))
      from += Int64(part.count)
      to += Int64(part.count)
    }
  }

  /// Lets the kernel begin to write a range to the disk, so that a later sync has less to wait for.
  package func beginWriteback(from offset: Int, byteCount: Int) {
    pe_begin_writeback(descriptor, Int64(offset), Int64(byteCount))
  }

  private static func shrank(_ path: String) -> FileError {
    FileError(.changed, path: path, reason: "file shrank while being copied")
  }
}
