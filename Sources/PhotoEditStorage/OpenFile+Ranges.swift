// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

extension OpenFile {
  /// Fills the memory from a place; returns how many bytes came before the end.
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

  /// Writes every byte to a place or throws.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let count = pwrite(descriptor, base + done, bytes.count - done, offset + done)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(errno: errno, "cannot write", path: path) }
      done += count
    }
  }

  /// Writes bytes of another file to a place, inside the kernel where it can do that.
  ///
  /// - Parameters:
  ///   - range: The bytes of the other file; all must be there.
  ///   - memory: Used where the kernel cannot; not empty.
  package func copy(
    _ range: Range<Int>, of source: borrowing OpenFile, to offset: Int,
    through memory: UnsafeMutableRawBufferPointer
  ) throws(FileError) {
    var from = Int64(range.lowerBound)
    var to = Int64(offset)
    // Below this the copy is done before the kernel has made its preparations.
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

  private static func shrank(_ path: String) -> FileError {
    FileError(.changed, path: path, reason: "shrank while copied")
  }
}
