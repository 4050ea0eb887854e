// SPDX-License-Identifier: Apache-2.0

/// One entry of a TIFF directory.
@usableFromInline package struct TIFFEntry {
  /// The offset of the entry.
  package let position: Int
  package let tag: Int
  @usableFromInline package let type: Int
  @usableFromInline package let count: Int
  /// The range of its value; nil if that is out of bounds or the type is unknown.
  @usableFromInline package let value: Range<Int>?

  @usableFromInline
  init(position: Int, tag: Int, type: Int, count: Int, value: Range<Int>?) {
    (self.position, self.tag, self.type) = (position, tag, type)
    (self.count, self.value) = (count, value)
  }
}

/// One TIFF directory, as far as it is within bounds.
@usableFromInline package struct TIFFDirectory {
  /// Count field, entries, and the link to the next one.
  package let range: Range<Int>
  @usableFromInline package let entries: [TIFFEntry]
  /// The offset of the link to the next directory; nil if the directory is truncated.
  package let linkPosition: Int?
  /// Offset of the next directory, 0 for none.
  package let next: Int

  @usableFromInline
  init(range: Range<Int>, entries: [TIFFEntry], linkPosition: Int?, next: Int) {
    (self.range, self.entries) = (range, entries)
    (self.linkPosition, self.next) = (linkPosition, next)
  }

  /// Returns the first entry with a tag.
  @usableFromInline package func entry(_ tag: Int) -> TIFFEntry? { entries.first { $0.tag == tag } }
}

/// The directories of a TIFF or BigTIFF structure; every access is bounds-checked.
///
/// The bytes are a file, which is not copied, or an EXIF structure in memory.
///
/// - Source: TIFF 6.0, section 2; CIPA DC-008 (Exif 2.32), 4.6; the BigTIFF design of AWare
///   Systems.
@usableFromInline package struct TIFFReader<Bytes: RandomAccessCollection>
where Bytes.Element == UInt8, Bytes.Index == Int {
  @usableFromInline package typealias Entry = TIFFEntry
  @usableFromInline package typealias Directory = TIFFDirectory

  @usableFromInline package var bytes: Bytes
  @usableFromInline package let order: ByteOrder
  @usableFromInline package let isBig: Bool
  /// Indicates whether 64-bit types are supported, which EXIF does not have.
  @usableFromInline let hasLongTypes: Bool

  /// Reads the header; nil if it is not that of a TIFF structure.
  @inlinable init?(_ bytes: Bytes, hasLongTypes: Bool) {
    if bytes.has([0x49, 0x49], at: 0) {
      order = .little
    } else if bytes.has([0x4D, 0x4D], at: 0) {
      order = .big
    } else {
      return nil
    }
    let version = bytes.unsigned16(at: 2, order)
    guard version == 42 || version == 43 else { return nil }
    (self.bytes, self.hasLongTypes) = (bytes, hasLongTypes)
    isBig = version == 43
  }

  /// Offset of the first directory, 0 for none.
  @inlinable package var first: Int { offset(at: isBig ? 8 : 4) ?? 0 }

  /// The first directory.
  @inlinable package var main: Directory? { directory(at: first) }

  /// Returns the directory at an offset; nil if not even its count is within bounds.
  @inlinable package func directory(at offset: Int) -> Directory? {
    guard offset >= 8, offset < bytes.count else { return nil }
    let counted = isBig ? unsigned64(at: offset) : bytes.unsigned16(at: offset, order)
    guard let counted else { return nil }
    let (head, size) = isBig ? (8, 20) : (2, 12)
    let capacity = (bytes.count - offset - head) / size
    // No directory has more entries than there are possible tags.
    let count = min(counted, capacity, 0xFFFF)
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    for index in 0..<count {
      if let entry = entry(at: offset + head + size * index) { entries.append(entry) }
    }
    let end = offset + head + size * count
    let next = count == counted ? self.offset(at: end) : nil
    return Directory(
      range: offset..<(next == nil ? end : end + (isBig ? 8 : 4)), entries: entries,
      linkPosition: next == nil ? nil : end, next: next ?? 0)
  }

  /// Returns the directories that an entry points to, at most `limit`.
  @inlinable package func directories(
    pointedToBy tag: Int, in directory: Directory, limit: Int
  ) -> [Directory] {
    guard let entry = directory.entry(tag) else { return [] }
    return (0..<min(entry.count, limit)).compactMap { index in
      integer(entry, at: index).flatMap { self.directory(at: $0) }
    }
  }

  /// Returns the directory that an entry of another one points to.
  @inlinable package func directory(pointedToBy tag: Int, in directory: Directory?) -> Directory? {
    directory?.entry(tag).flatMap { integer($0) }.flatMap { self.directory(at: $0) }
  }

  @inlinable func entry(at position: Int) -> Entry? {
    guard let tag = bytes.unsigned16(at: position, order),
      let type = bytes.unsigned16(at: position + 2, order), let count = offset(at: position + 4)
    else { return nil }
    return Entry(
      position: position, tag: tag, type: type, count: count,
      value: value(at: position, type: type, count: count))
  }

  @inlinable func value(at position: Int, type: Int, count: Int) -> Range<Int>? {
    guard hasLongTypes || type < 16 || type > 18, let unit = Self.byteCount(of: type) else {
      return nil
    }
    let (size, overflow) = unit.multipliedReportingOverflow(by: count)
    let field = position + (isBig ? 12 : 8)
    guard !overflow, let start = size <= (isBig ? 8 : 4) ? field : offset(at: field),
      start <= bytes.count, size <= bytes.count - start
    else { return nil }
    return start..<(start + size)
  }

  /// Returns the size in bytes of one value of a type; nil for unknown types.
  @usableFromInline static func byteCount(of type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }

  /// Returns one value of an integer type (BYTE, SHORT, LONG, IFD, and those of BigTIFF); nil if
  /// absent.
  @inlinable package func integer(_ entry: Entry, at index: Int = 0) -> Int? {
    guard let value = entry.value, index >= 0, index < entry.count else { return nil }
    return switch entry.type {
    case 1: Int(bytes[value.lowerBound + index])
    case 3: bytes.unsigned16(at: value.lowerBound + 2 * index, order)
    case 4, 13: bytes.unsigned32(at: value.lowerBound + 4 * index, order)
    case 16, 18: unsigned64(at: value.lowerBound + 8 * index)
    default: nil
    }
  }

  /// Returns the first integer of an entry of a directory.
  @inlinable package func integer(_ tag: Int, in directory: Directory) -> Int? {
    directory.entry(tag).flatMap { integer($0) }
  }

  /// Returns one value of a rational type (RATIONAL, SRATIONAL); nil if absent or the denominator
  /// is 0.
  @inlinable package func fraction(_ entry: Entry, at index: Int = 0) -> Double? {
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

  /// Returns a count or an offset: 32 bits, or 64 in BigTIFF.
  @inlinable func offset(at position: Int) -> Int? {
    isBig ? unsigned64(at: position) : bytes.unsigned32(at: position, order)
  }

  /// Returns eight bytes as a number; nil if they are out of bounds or too large for an offset.
  @inlinable func unsigned64(at position: Int) -> Int? {
    guard position >= 0, position <= bytes.count - 8,
      let first = bytes.unsigned32(at: position, order),
      let second = bytes.unsigned32(at: position + 4, order)
    else { return nil }
    let (high, low) = order == .big ? (first, second) : (second, first)
    return high < 0x7FFF_FFFF ? high << 32 | low : nil
  }
}

extension TIFFReader where Bytes == UnsafeRawBufferPointer {
  /// Reads the header of a file; nil if it is neither a TIFF nor a BigTIFF.
  package init?(_ file: UnsafeRawBufferPointer) {
    self.init(file, hasLongTypes: true)
  }
}

extension TIFFReader where Bytes == [UInt8] {
  /// Reads the header of an EXIF structure, which is never a BigTIFF; nil if it is not one.
  package init?(exif bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    self.init(bytes, hasLongTypes: false)
    if isBig { return nil }
  }
}
