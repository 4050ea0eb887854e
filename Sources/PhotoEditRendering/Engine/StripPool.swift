// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// A pool that reuses the memory of finished strips for later strips.
///
/// Blocks are carved from large allocations, which live as long as the pool.
final class StripPool: Sendable {
  /// The approximate size of a strip in bytes: the strip stays in the core's cache from its writer
  /// to its reader.
  static let targetByteCount = 512 << 10

  private struct State {
    var free: [Int: [UnsafeMutableRawPointer]] = [:]
    var allocations: [HugePageMemory] = []
    /// The remainder of the last allocation.
    var rest = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    mutating func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
      if let block = free[byteCount]?.popLast() { return block }
      if rest.count < byteCount {
        // Small images get exactly the memory they need, large ones whole pages.
        let isLarge = byteCount >= HugePageMemory.pageByteCount / 16
        let allocation = HugePageMemory(
          byteCount: isLarge ? max(byteCount, HugePageMemory.pageByteCount) : byteCount)
        allocations.append(allocation)
        rest = allocation.buffer
      }
      let block = rest.baseAddress
      rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(byteCount))
      return block
    }
  }

  private let state = LockedValue(State())

  /// Returns memory of the given size, aligned to 64 bytes; its contents are undefined.
  func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
    guard let block = state.withLock({ $0.allocate(Self.rounded(byteCount)) }) else {
      preconditionFailure("buffer has no base address")
    }
    return block
  }

  /// The total size of all allocations in bytes.
  var byteCount: Int { state.withLock { $0.allocations.reduce(0) { $0 + $1.buffer.count } } }

  func recycle(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
    state.withLock { $0.free[Self.rounded(byteCount), default: []].append(memory) }
  }

  private static func rounded(_ byteCount: Int) -> Int { (byteCount + 63) & ~63 }
}
