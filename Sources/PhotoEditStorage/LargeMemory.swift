// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

/// Memory for megabytes at a time.
///
/// Fresh memory costs a fault for every 4 KiB, which is a sixth of the work of a simple edit; pages
/// of 2 MiB make it next to nothing.
package enum LargeMemory {
  /// Bytes of a huge page.
  package static let pageByteCount = 2 << 20

  /// Memory with whatever it holds; to be given back with `deallocate()`.
  package static func allocate(byteCount: Int) -> UnsafeMutableRawBufferPointer {
    let isLarge = byteCount >= pageByteCount
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, byteCount), alignment: isLarge ? pageByteCount : 64)
    if isLarge { pe_advise_huge_pages(memory.baseAddress, byteCount) }
    return memory
  }

  /// An empty array with space for so many bytes.
  package static func array(capacity: Int) -> [UInt8] {
    var array: [UInt8] = []
    array.reserveCapacity(capacity)
    array.withUnsafeMutableBytes { pe_advise_huge_pages($0.baseAddress, capacity) }
    return array
  }
}
