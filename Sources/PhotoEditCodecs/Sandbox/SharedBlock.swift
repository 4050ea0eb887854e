// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

/// Memory that two processes map, followed by a page that must not be touched.
package final class SharedBlock: @unchecked Sendable {
  // Safe: the address does not change; messages state when the memory is read and written.

  /// The first byte.
  package let base: UnsafeMutableRawPointer
  /// The size in bytes: whole pages.
  package let byteCount: Int

  /// Maps memory of `rounded` bytes; nil if there is not enough.
  package init?(_ descriptor: Int32, byteCount: Int) {
    guard byteCount > 0, let memory = pe_map_slots(descriptor, byteCount, 1) else { return nil }
    (base, self.byteCount) = (UnsafeMutableRawPointer(memory), byteCount)
  }

  deinit { pe_unmap_slots(base.assumingMemoryBound(to: UInt8.self), byteCount, 1) }

  /// Returns the size of memory that has space for some bytes: whole pages.
  package static func rounded(_ byteCount: Int) -> Int {
    let page = pe_page_size()
    return max(1, (byteCount + page - 1) / page) * page
  }
}
