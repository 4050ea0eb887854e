// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// Memory with a descriptor, which another process can map; closed along with this object.
package final class SharedMemory: Sendable {
  /// The descriptor to send.
  package let descriptor: Int32

  /// Copies bytes, which no process can change afterwards; nil if there is not enough memory.
  package convenience init?(copying bytes: UnsafeRawBufferPointer) {
    self.init(pe_create_memory(bytes.count, bytes.baseAddress))
  }

  /// Creates memory of zeros that both processes may write; nil if there is not enough.
  package convenience init?(byteCount: Int) {
    self.init(pe_create_memory(byteCount, nil))
  }

  private init?(_ descriptor: Int32) {
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}

/// Pages of another process's memory that were mapped for reading.
final class MappedMemory: Sendable {
  /// The mapped bytes.
  ///
  /// Marked unsafe, but no process can write to the memory.
  nonisolated(unsafe) let buffer: UnsafeRawBufferPointer

  init?(_ descriptor: Int32, byteCount: Int) {
    guard byteCount > 0, let memory = pe_map_memory(descriptor, byteCount, 0) else { return nil }
    buffer = UnsafeRawBufferPointer(start: memory, count: byteCount)
  }

  deinit {
    pe_unmap_memory(UnsafeMutableRawPointer(mutating: buffer.baseAddress), buffer.count)
  }
}
