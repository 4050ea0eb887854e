// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The order of the bytes in a number.
@usableFromInline package enum ByteOrder: Sendable, Hashable {
  /// Least significant byte first: "II" in TIFF.
  case little
  /// Most significant byte first: "MM" in TIFF, and everything in JPEG and PNG.
  case big
}

extension Collection where Element == UInt8, Index == Int {
  /// Returns two bytes as a number; nil if they are out of bounds.
  @inlinable package func unsigned16(at offset: Int, _ order: ByteOrder = .big) -> Int? {
    guard offset >= startIndex, offset <= endIndex - 2 else { return nil }
    let a = Int(self[offset])
    let b = Int(self[offset + 1])
    return order == .big ? a << 8 | b : b << 8 | a
  }

  /// Returns four bytes as a number; nil if they are out of bounds.
  @inlinable package func unsigned32(at offset: Int, _ order: ByteOrder = .big) -> Int? {
    guard offset >= startIndex, offset <= endIndex - 4,
      let first = unsigned16(at: offset, order), let second = unsigned16(at: offset + 2, order)
    else { return nil }
    return order == .big ? first << 16 | second : second << 16 | first
  }

  /// Returns whether the given bytes are at the offset.
  @inlinable package func has(_ expected: [UInt8], at offset: Int) -> Bool {
    guard offset >= startIndex, offset <= endIndex - expected.count else { return false }
    for i in expected.indices where self[offset + i] != expected[i] { return false }
    return true
  }
}

extension Array where Element == UInt8 {
  /// Overwrites two bytes with a number; does nothing if they are out of bounds.
  @inlinable package mutating func store16(_ value: Int, at offset: Int, _ order: ByteOrder = .big)
  {
    guard offset >= 0, offset <= count - 2 else { return }
    let high = UInt8(truncatingIfNeeded: value >> 8)
    let low = UInt8(truncatingIfNeeded: value)
    self[offset] = order == .big ? high : low
    self[offset + 1] = order == .big ? low : high
  }

  /// Overwrites four bytes with a number; does nothing if they are out of bounds.
  @inlinable package mutating func store32(_ value: Int, at offset: Int, _ order: ByteOrder = .big)
  {
    guard offset >= 0, offset <= count - 4 else { return }
    store16(order == .big ? value >> 16 : value, at: offset, order)
    store16(order == .big ? value : value >> 16, at: offset + 2, order)
  }

  /// Returns the first offset, from `start` on, at which a sequence of bytes occurs.
  package func firstOffset(of needle: [UInt8], from start: Int = 0) -> Int? {
    withUnsafeBytes { $0.firstOffset(of: needle, from: start) }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the first offset, from `start` on, at which a sequence of bytes occurs.
  ///
  /// Intended for short needles: the worst case is proportional to their length times the bytes.
  package func firstOffset(of needle: [UInt8], from start: Int = 0) -> Int? {
    guard let base = baseAddress, let first = needle.first else { return nil }
    var position = start
    while position >= 0, position <= count - needle.count {
      guard let hit = memchr(base + position, Int32(first), count - needle.count + 1 - position)
      else { return nil }
      position = UnsafeRawPointer(hit) - base
      if needle.count == 1 || memcmp(hit, needle, needle.count) == 0 { return position }
      position += 1
    }
    return nil
  }
}
