// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The bytes of a whole file in memory, at an address that does not move.
///
/// Files are read, not mapped: a mapped file that somebody shortens kills the process.
public final class FileBytes: Sendable {
  /// The bytes; valid as long as this object lives, which `withExtendedLifetime` makes sure of.
  ///
  /// Unsafe by name only: the memory is written before it is shared and never afterwards.
  public nonisolated(unsafe) let buffer: UnsafeRawBufferPointer

  private let known = Guarded<Digest?>(nil)

  /// Copies bytes that are in memory.
  public convenience init(_ bytes: [UInt8]) {
    let memory = LargeMemory.allocate(byteCount: bytes.count)
    memory.copyBytes(from: bytes)
    self.init(owning: memory, count: bytes.count)
  }

  /// Takes over memory from `UnsafeMutableRawBufferPointer.allocate`; `count` bytes are filled.
  package init(owning memory: UnsafeMutableRawBufferPointer, count: Int) {
    buffer = UnsafeRawBufferPointer(rebasing: memory[0..<count])
  }

  /// How many bytes there are.
  public var count: Int { buffer.count }

  /// A copy of the bytes.
  public var array: [UInt8] { withExtendedLifetime(self) { Array(buffer) } }

  /// The SHA-256 of the bytes; computed once.
  public func digest() -> Digest {
    known.withLock { known in
      if let known { return known }
      var builder = DigestBuilder()
      builder.update(buffer)
      let digest = builder.finish()
      known = digest
      return digest
    }
  }

  deinit { buffer.deallocate() }
}
