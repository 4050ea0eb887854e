// SPDX-License-Identifier: Apache-2.0

/// The directories of a TIFF or BigTIFF file; every access is checked against its end.
///
/// Nothing is copied: files can be as large as memory.
///
/// - Source: TIFF 6.0, section 2; the BigTIFF design of AWare Systems.
struct TIFFFile {
  /// One entry of a directory.
  struct Entry {
    let tag: Int
    let type: Int
    let count: Int
    /// Where its value lies; nil when that is not inside the file or the type is not known.
    let value: Range<Int>?
  }

  /// One directory, as much of it as lies inside the file.
  struct Directory {
    /// Where it begins.
    let offset: Int
    let entries: [Entry]
    /// Offset of the next directory, 0 for none.
    let next: Int

    /// The first entry with a tag.
    func entry(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }
  }

  let buffer: UnsafeRawBufferPointer
  let order: ByteOrder
  let isBig: Bool
  /// Offset of the first directory.
  let first: Int

  /// Looks at the header; nil when it is not that of a TIFF file.
  init?(_ buffer: UnsafeRawBufferPointer) {
    if buffer.has([0x49, 0x49], at: 0) {
      order = .little
    } else if buffer.has([0x4D, 0x4D], at: 0) {
      order = .big
    } else {
      return nil
    }
    self.buffer = buffer
    switch buffer.unsigned16(at: 2, order) {
    case 42:
      isBig = false
      first = buffer.unsigned32(at: 4, order) ?? 0
    case 43:
      isBig = true
      first = Self.unsigned64(buffer, at: 8, order) ?? 0
    default: return nil
    }
  }

  /// The directory at an offset; nil when not even its count lies inside.
  func directory(at offset: Int) -> Directory? {
    guard offset >= 8, offset < buffer.count else { return nil }
    let counted =
      isBig ? Self.unsigned64(buffer, at: offset, order) : buffer.unsigned16(at: offset, order)
    guard let counted else { return nil }
    let (head, size) = isBig ? (8, 20) : (2, 12)
    let room = (buffer.count - offset - head) / size
    // No directory has more entries than there are tags.
    let count = min(counted, room, 0xFFFF)
    let entries = (0..<count).compactMap { entry(at: offset + head + size * $0) }
    let link = offset + head + size * count
    let next =
      isBig ? Self.unsigned64(buffer, at: link, order) : buffer.unsigned32(at: link, order)
    return Directory(offset: offset, entries: entries, next: count == counted ? next ?? 0 : 0)
  }

  /// The directories to which an entry points, at most `limit`.
  func directories(pointedToBy tag: Int, in directory: Directory, limit: Int) -> [Directory] {
    guard let entry = directory.entry(tag) else { return [] }
    return (0..<min(entry.count, limit)).compactMap { index in
      integer(entry, at: index).flatMap { self.directory(at: $0) }
    }
  }

  private func entry(at position: Int) -> Entry? {
    let counted =
      isBig
      ? Self.unsigned64(buffer, at: position + 4, order)
      : buffer.unsigned32(at: position + 4, order)
    guard let tag = buffer.unsigned16(at: position, order),
      let type = buffer.unsigned16(at: position + 2, order), let count = counted
    else { return nil }
    return Entry(
      tag: tag, type: type, count: count, value: value(at: position, type: type, count: count))
  }

  private func value(at position: Int, type: Int, count: Int) -> Range<Int>? {
    guard let unit = Self.byteCount(ofType: type) else { return nil }
    let (size, overflow) = unit.multipliedReportingOverflow(by: count)
    guard !overflow else { return nil }
    let field = position + (isBig ? 12 : 8)
    var start = field
    if size > (isBig ? 8 : 4) {
      let offset =
        isBig ? Self.unsigned64(buffer, at: field, order) : buffer.unsigned32(at: field, order)
      guard let offset else { return nil }
      start = offset
    }
    guard start <= buffer.count, size <= buffer.count - start else { return nil }
    return start..<(start + size)
  }

  private static func byteCount(ofType type: Int) -> Int? {
    (16...18).contains(type) ? 8 : TIFFStructure.byteCount(ofType: type)
  }

  /// One value of a whole-number type; nil when there is none.
  func integer(_ entry: Entry, at index: Int = 0) -> Int? {
    guard let value = entry.value, index >= 0, index < entry.count else { return nil }
    return switch entry.type {
    case 1: Int(buffer[value.lowerBound + index])
    case 3: buffer.unsigned16(at: value.lowerBound + 2 * index, order)
    case 4, 13: buffer.unsigned32(at: value.lowerBound + 4 * index, order)
    case 16, 18: Self.unsigned64(buffer, at: value.lowerBound + 8 * index, order)
    default: nil
    }
  }

  /// The first whole number of an entry of a directory.
  func integer(_ tag: Int, in directory: Directory) -> Int? {
    directory.entry(tag).flatMap { integer($0) }
  }

  /// Eight bytes as a number; nil when they do not lie inside or are too large for any offset.
  private static func unsigned64(
    _ buffer: UnsafeRawBufferPointer, at offset: Int, _ order: ByteOrder
  ) -> Int? {
    guard offset >= 0, offset <= buffer.count - 8,
      let first = buffer.unsigned32(at: offset, order),
      let second = buffer.unsigned32(at: offset + 4, order)
    else { return nil }
    let (high, low) = order == .big ? (first, second) : (second, first)
    return high < 0x7FFF_FFFF ? high << 32 | low : nil
  }
}
