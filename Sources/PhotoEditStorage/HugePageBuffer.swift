// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

/// Memory blocks of several megabytes.
///
/// New memory costs a page fault for every 4 KiB, a sixth of the time of a simple edit; pages of 2
/// MiB make that cost negligible.
package enum HugePageBuffer {
  /// The size of a huge page in bytes.
  package static let pageByteCount = 2 << 20

  /// Allocates uninitialized memory, to be released with `deallocate()`.
  package static func allocate(byteCount: Int) -> UnsafeMutableRawBufferPointer {
    let isLarge = byteCount >= pageByteCount
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, byteCount), alignment: isLarge ? pageByteCount : 64)
    if isLarge { pe_advise_huge_pages(memory.baseAddress, byteCount) }
    return memory
  }

  /// Returns an empty array with the given capacity.
  package static func array(capacity: Int) -> [UInt8] {
    var array: [UInt8] = []
    array.reserveCapacity(capacity)
    array.withUnsafeMutableBytes { pe_advise_huge_pages($0.baseAddress, capacity) }
    return array
  }
}
