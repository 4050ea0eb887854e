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

  /// Lets the kernel begin to write a range to the disk, so that a later sync has less to wait for.
  package func beginWriteback(from offset: Int, byteCount: Int) {
    pe_begin_writeback(descriptor, Int64(offset), Int64(byteCount))
  }
}
