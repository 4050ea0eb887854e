// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

/// The division of the memory through which rows pass: the confined process fills one slot while the
/// other process reads another.
struct DecoderSlots: Sendable {
  /// The size that a slot has at least, in bytes, unless the image is smaller.
  private static let usualByteCount = 1 << 18

  /// The number of rows in a slot.
  let rowsPerSlot: Int
  /// The number of slots.
  let count: Int
  /// The size of a row in bytes.
  let bytesPerRow: Int

  init(rowsPerSlot: Int, count: Int, bytesPerRow: Int) {
    (self.rowsPerSlot, self.count, self.bytesPerRow) = (rowsPerSlot, count, bytesPerRow)
  }

  /// Divides the memory for an image.
  init(height: Int, bytesPerRow: Int) {
    let rows = min(height, max(16, Self.usualByteCount / bytesPerRow))
    self.init(
      rowsPerSlot: rows, count: min(4, (height + rows - 1) / rows), bytesPerRow: bytesPerRow)
  }

  /// The size of a slot in bytes: whole pages.
  var slotByteCount: Int {
    let page = pe_page_size()
    return (rowsPerSlot * bytesPerRow + page - 1) / page * page
  }

  /// The size of all slots in bytes.
  var byteCount: Int { slotByteCount * count }
}

/// Slots that are mapped, unmapped along with this object.
final class MappedSlots {
  let slots: DecoderSlots
  private let memory: UnsafeMutablePointer<UInt8>

  /// Maps slots; nil if there is not enough memory.
  init?(_ descriptor: Int32, _ slots: DecoderSlots) {
    guard let memory = pe_map_slots(descriptor, slots.slotByteCount, slots.count) else {
      return nil
    }
    (self.slots, self.memory) = (slots, memory)
  }

  deinit { pe_unmap_slots(memory, slots.slotByteCount, slots.count) }

  /// Returns the first byte of some rows in a slot.
  ///
  /// They end with the slot, so that a decoder that writes too much is ended at once.
  ///
  /// - Parameter index: The number of the slot, counted from the first row of the image.
  func base(of index: Int, rows: Int) -> UnsafeMutableRawPointer {
    let offset = index % slots.count * (slots.slotByteCount + pe_page_size())
    return UnsafeMutableRawPointer(memory + offset + slots.slotByteCount - rows * slots.bytesPerRow)
  }
}
