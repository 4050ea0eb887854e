// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Memory of strips that are done, for the strips to come.
///
/// Blocks are cut from large pieces, which live as long as the pool.
final class StripPool: Sendable {
  /// Bytes of a strip, about: the writer and the reader of one find it in the cache of their core.
  static let targetByteCount = 512 << 10

  private struct State {
    var free: [Int: [UnsafeMutableRawPointer]] = [:]
    var pieces: [UnsafeMutableRawBufferPointer] = []
    /// What is left of the last piece.
    var rest = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    mutating func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
      if let block = free[byteCount]?.popLast() { return block }
      if rest.count < byteCount {
        // Small pictures get what they need, large ones whole pages.
        let isLarge = byteCount >= LargeMemory.pageByteCount / 16
        let piece = LargeMemory.allocate(
          byteCount: isLarge ? max(byteCount, LargeMemory.pageByteCount) : byteCount)
        pieces.append(piece)
        rest = piece
      }
      let block = rest.baseAddress
      rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(byteCount))
      return block
    }
  }

  private let state = Guarded(State())

  /// Memory for so many bytes, aligned to 64; its contents are whatever they were.
  func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
    guard let block = state.withLock({ $0.take(Self.rounded(byteCount)) }) else {
      preconditionFailure("memory has an address")
    }
    return block
  }

  /// Bytes of all pieces.
  var byteCount: Int { state.withLock { $0.pieces.reduce(0) { $0 + $1.count } } }

  func giveBack(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
    state.withLock { $0.free[Self.rounded(byteCount), default: []].append(memory) }
  }

  private static func rounded(_ byteCount: Int) -> Int { (byteCount + 63) & ~63 }

  deinit {
    for piece in state.withLock({ $0 }).pieces { piece.deallocate() }
  }
}
