// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The bytes of a whole file in memory, at a fixed address.
///
/// Files are read, not memory-mapped: if another process truncates a mapped file, accessing it ends
/// the process.
public final class FileBytes: Sendable {
  /// The bytes; valid during the lifetime of this object, which `withExtendedLifetime` ensures.
  ///
  /// Marked unsafe, but the memory is written only before it is shared and never afterwards.
  public nonisolated(unsafe) let buffer: UnsafeRawBufferPointer

  private let cachedDigest = LockedValue<SHA256Digest?>(nil)

  /// Copies bytes in memory.
  public convenience init(_ bytes: [UInt8]) {
    let memory = HugePageBuffer.allocate(byteCount: bytes.count)
    memory.copyBytes(from: bytes)
    self.init(owning: memory, count: bytes.count)
  }

  /// Takes ownership of memory from `UnsafeMutableRawBufferPointer.allocate`, of which `count`
  /// bytes are initialized.
  package init(owning memory: UnsafeMutableRawBufferPointer, count: Int) {
    buffer = UnsafeRawBufferPointer(rebasing: memory[0..<count])
  }

  /// The number of bytes.
  public var count: Int { buffer.count }

  /// A copy of the bytes.
  public var array: [UInt8] { withExtendedLifetime(self) { Array(buffer) } }

  /// Returns the SHA-256 of the bytes, which is computed once.
  public func digest() -> SHA256Digest {
    cachedDigest.withLock { cachedDigest in
      if let cachedDigest { return cachedDigest }
      var builder = DigestBuilder()
      builder.update(buffer)
      let digest = builder.finish()
      cachedDigest = digest
      return digest
    }
  }

  deinit { buffer.deallocate() }
}
