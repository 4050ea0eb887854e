// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// A block of memory, freed along with this object; in pages of 2 MiB if it has several megabytes.
///
/// New memory costs a page fault for every 4 KiB, a sixth of the time of a simple edit; pages of 2
/// MiB make that cost negligible. Large blocks do not come from the heap: after the first of them is
/// freed, the C library would carve others from regions that it does not return to the system, and
/// a process that reads many photos would grow by hundreds of megabytes.
package final class HugePageMemory: Sendable {
  /// The size of a huge page in bytes, from which on blocks do not come from the heap.
  package static let pageByteCount = 2 << 20

  /// The memory, aligned to 64 bytes and at first uninitialized; valid during the lifetime of this
  /// object.
  ///
  /// Marked unsafe: its owner prevents that threads write to it at the same time.
  package nonisolated(unsafe) let buffer: UnsafeMutableRawBufferPointer

  /// Freed blocks of one page, since the system would have to clear new ones for each rendering.
  private static let spare = LockedValue<[UnsafeMutableRawPointer]>([])
  /// The maximum number of those.
  private static let mostSpare = 8

  private var isMapped: Bool { buffer.count >= Self.pageByteCount }

  /// Allocates a block; traps if there is not enough memory, like allocations of the standard library.
  package init(byteCount: Int) {
    guard byteCount >= Self.pageByteCount else {
      buffer = .allocate(byteCount: byteCount, alignment: 64)
      return
    }
    let spare = byteCount == Self.pageByteCount ? Self.spare.withLock { $0.popLast() } : nil
    guard let memory = spare ?? pe_map_huge_pages(byteCount) else {
      preconditionFailure("cannot allocate \(byteCount) bytes")
    }
    buffer = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
  }

  deinit {
    guard isMapped, let memory = buffer.baseAddress else { return buffer.deallocate() }
    let isKept =
      buffer.count == Self.pageByteCount
      && Self.spare.withLock { spare in
        guard spare.count < Self.mostSpare else { return false }
        spare.append(memory)
        return true
      }
    if !isKept { pe_unmap_huge_pages(memory, buffer.count) }
  }

  /// Returns an empty array with the given capacity, in huge pages if possible.
  package static func array(capacity: Int) -> [UInt8] {
    var array: [UInt8] = []
    array.reserveCapacity(capacity)
    array.withUnsafeMutableBytes { pe_advise_huge_pages($0.baseAddress, capacity) }
    return array
  }
}
