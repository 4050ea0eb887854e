// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Memory of strips that are done, for the strips to come.
///
/// Fresh memory costs a page fault every 4 KiB, which is a third of the work of a simple edit.
final class StripPool: Sendable {
  /// Bytes of a strip, about: the writer and the reader of one find it in the cache of their core.
  static let targetByteCount = 512 << 10

  private struct Free: @unchecked Sendable {  // Safe: a block is in the pool or in one strip.
    var blocks: [Int: [UnsafeMutableRawPointer]] = [:]
  }

  private let free = Mutex(Free())

  /// Memory for so many bytes, aligned to 64; its contents are whatever they were.
  func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let found = free.withLock {
      Free(blocks: [0: $0.blocks[byteCount]?.popLast().map { [$0] } ?? []])
    }
    return found.blocks[0]?.first ?? .allocate(byteCount: byteCount, alignment: 64)
  }

  func giveBack(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
    let returned = Free(blocks: [byteCount: [memory]])
    free.withLock { $0.blocks[byteCount, default: []] += returned.blocks[byteCount] ?? [] }
  }

  deinit {
    for block in free.withLock({ $0 }).blocks.values.joined() { block.deallocate() }
  }
}
