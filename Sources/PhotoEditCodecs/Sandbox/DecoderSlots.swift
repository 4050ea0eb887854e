// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

/// The division of the memory through which rows pass: the confined process fills one slot while the
/// other process reads another.
struct DecoderSlots: Sendable {
  /// The size of a slot in bytes, unless few rows are larger.
  static let usualByteCount = 1 << 18
  /// The number of slots.
  static let count = 4

  /// The number of rows in a slot.
  let rowsPerSlot: Int
  /// The size of a row in bytes.
  let bytesPerRow: Int

  init(rowsPerSlot: Int, bytesPerRow: Int) {
    (self.rowsPerSlot, self.bytesPerRow) = (rowsPerSlot, bytesPerRow)
  }

  /// Divides the memory for an image.
  init(height: Int, bytesPerRow: Int) {
    self.init(
      rowsPerSlot: min(height, max(16, Self.usualByteCount / bytesPerRow)),
      bytesPerRow: bytesPerRow)
  }

  /// The size of a slot in bytes, of which images of many sizes have the same: whole pages.
  var slotByteCount: Int {
    var size = Self.usualByteCount
    while size < rowsPerSlot * bytesPerRow { size *= 2 }
    return size
  }
}

/// Slots that are mapped, unmapped along with this object.
final class MappedSlots {
  let slotByteCount: Int
  private let memory: UnsafeMutablePointer<UInt8>

  /// Maps slots; nil if there is not enough memory.
  init?(_ descriptor: Int32, slotByteCount: Int) {
    guard let memory = pe_map_slots(descriptor, slotByteCount, DecoderSlots.count) else {
      return nil
    }
    (self.slotByteCount, self.memory) = (slotByteCount, memory)
  }

  deinit { pe_unmap_slots(memory, slotByteCount, DecoderSlots.count) }

  /// Returns the first byte of some rows in a slot.
  ///
  /// They end with the slot, so that a decoder that writes too much is ended at once.
  ///
  /// - Parameter index: The number of the slot, counted from the first row of the image.
  func base(of index: Int, rows: Int, _ slots: DecoderSlots) -> UnsafeMutableRawPointer {
    let offset = index % DecoderSlots.count * (slotByteCount + pe_page_size())
    return UnsafeMutableRawPointer(memory + offset + slotByteCount - rows * slots.bytesPerRow)
  }
}
