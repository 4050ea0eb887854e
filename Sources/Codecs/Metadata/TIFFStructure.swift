// SPDX-License-Identifier: Apache-2.0

/// A TIFF structure in memory, as EXIF uses it; every access is checked against its end.
///
/// - Source: TIFF 6.0, section 2; CIPA DC-008 (Exif 2.32), 4.6.
struct TIFFStructure {
  /// One entry of a directory.
  struct Entry {
    /// Where its twelve bytes begin.
    let position: Int
    let tag: Int
    let type: Int
    let count: Int
    /// Where its value lies; nil when that is not inside the structure or the type is not known.
    let value: Range<Int>?

    /// Whether the value is too large for the entry itself.
    var isOutOfLine: Bool { value.map { $0.lowerBound != position + 8 } ?? false }
  }

  /// One directory, as much of it as lies inside the structure.
  struct Directory {
    /// Count field, entries, and the link to the next one.
    let range: Range<Int>
    let entries: [Entry]
    /// Where the link to the next directory stands; nil when the directory is cut off.
    let linkPosition: Int?
    /// Offset of the next directory, 0 for none.
    let next: Int

    /// The first entry with a tag.
    func entry(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }
  }

  var bytes: [UInt8]
  let order: ByteOrder

  /// Looks at the eight bytes of the header; nil when they are not those of a TIFF structure.
  init?(_ bytes: [UInt8]) {
    if bytes.has([0x49, 0x49], at: 0) {
      order = .little
    } else if bytes.has([0x4D, 0x4D], at: 0) {
      order = .big
    } else {
      return nil
    }
    guard bytes.unsigned16(at: 2, order) == 42, bytes.count >= 8 else { return nil }
    self.bytes = bytes
  }

  /// The first directory.
  var main: Directory? { directory(at: bytes.unsigned32(at: 4, order) ?? 0) }

  /// The directory behind the first, which describes the thumbnail.
  var thumbnail: Directory? { main.flatMap { directory(at: $0.next) } }

  /// The directory to which an entry of another one points.
  func directory(pointedToBy tag: Int, in directory: Directory?) -> Directory? {
    guard let entry = directory?.entry(tag), let offset = integer(entry) else { return nil }
    return self.directory(at: offset)
  }

  /// The directory at an offset; nil when not even its count lies inside.
  func directory(at offset: Int) -> Directory? {
    guard offset >= 8, let count = bytes.unsigned16(at: offset, order) else { return nil }
    let room = (bytes.count - offset - 2) / 12
    let entries = (0..<min(count, room)).compactMap { entry(at: offset + 2 + 12 * $0) }
    let end = offset + 2 + 12 * entries.count
    let next = entries.count == count ? bytes.unsigned32(at: end, order) : nil
    return Directory(
      range: offset..<(next == nil ? end : end + 4), entries: entries,
      linkPosition: next == nil ? nil : end, next: next ?? 0)
  }

  private func entry(at position: Int) -> Entry? {
    guard let tag = bytes.unsigned16(at: position, order),
      let type = bytes.unsigned16(at: position + 2, order),
      let count = bytes.unsigned32(at: position + 4, order),
      let offset = bytes.unsigned32(at: position + 8, order)
    else { return nil }
    var value: Range<Int>?
    if let unit = Self.byteCount(ofType: type) {
      // The count has 32 bits and the unit at most 8, so the product cannot overflow.
      let size = unit * count
      let start = size <= 4 ? position + 8 : offset
      if start <= bytes.count, size <= bytes.count - start { value = start..<(start + size) }
    }
    return Entry(position: position, tag: tag, type: type, count: count, value: value)
  }

  /// Bytes of one value of a TIFF type; nil for types that are not known.
  static func byteCount(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: nil
    }
  }

  /// One value of a whole-number type (BYTE, SHORT, LONG, IFD); nil when there is none.
  func integer(_ entry: Entry, at index: Int = 0) -> Int? {
    guard let value = entry.value, index >= 0, index < entry.count else { return nil }
    return switch entry.type {
    case 1: Int(bytes[value.lowerBound + index])
    case 3: bytes.unsigned16(at: value.lowerBound + 2 * index, order)
    case 4, 13: bytes.unsigned32(at: value.lowerBound + 4 * index, order)
    default: nil
    }
  }

  /// One value of a fraction type (RATIONAL, SRATIONAL); nil when there is none or it divides by 0.
  func fraction(_ entry: Entry, at index: Int = 0) -> Double? {
    guard let value = entry.value, index >= 0, index < entry.count,
      entry.type == 5 || entry.type == 10
    else { return nil }
    let start = value.lowerBound + 8 * index
    guard let top = bytes.unsigned32(at: start, order),
      let bottom = bytes.unsigned32(at: start + 4, order), bottom != 0
    else { return nil }
    if entry.type == 5 { return Double(top) / Double(bottom) }
    let signedTop = Int32(truncatingIfNeeded: top)
    return Double(signedTop) / Double(Int32(truncatingIfNeeded: bottom))
  }

  /// The value of an ASCII or UTF-8 entry, safe to show; nil when there is none.
  func text(_ entry: Entry) -> String? {
    guard let value = entry.value, entry.type == 2 || entry.type == 129 else { return nil }
    return MetadataText.clean(MetadataText.utf8(bytes[value].prefix(8000)))
  }
}
