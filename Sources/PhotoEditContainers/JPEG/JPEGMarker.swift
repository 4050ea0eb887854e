// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A marker of a JPEG file.
///
/// - Source: ITU-T T.81 (ISO/IEC 10918-1), B.1.1.2.
package struct JPEGMarker {
  package let code: UInt8
  /// The position after it.
  package let end: Int

  /// Returns the range of a segment's payload; nil if its length is invalid or out of bounds.
  ///
  /// - Parameter position: The offset of the length field, which follows the marker and counts
  ///   itself.
  package static func payload<Bytes: RandomAccessCollection<UInt8>>(
    in bytes: Bytes, at position: Int
  ) -> Range<Int>? where Bytes.Index == Int {
    guard let length = bytes.unsigned16(at: position), length >= 2,
      length <= bytes.endIndex - position
    else { return nil }
    return (position + 2)..<(position + length)
  }

  /// Finds the next marker at or after a position.
  ///
  /// - Returns: The marker, nil at the end, and whether other bytes precede it.
  package static func next(
    in buffer: UnsafeRawBufferPointer, from start: Int
  ) -> (marker: JPEGMarker?, followsStrayBytes: Bool) {
    guard let base = buffer.baseAddress else { return (nil, false) }
    var isStray = false
    var position = start
    while position < buffer.count,
      let hit = memchr(base + position, 0xFF, buffer.count - position)
    {
      var code = UnsafeRawPointer(hit) - base
      isStray = isStray || code != start
      // Any number of 0xFF bytes may precede the code.
      while code < buffer.count, buffer[code] == 0xFF { code += 1 }
      guard code < buffer.count else { break }
      // A stuffed zero is scan data, or stray outside a scan.
      if buffer[code] != 0 {
        return (JPEGMarker(code: buffer[code], end: code + 1), isStray)
      }
      position = code + 1
    }
    return (nil, isStray)
  }
}
