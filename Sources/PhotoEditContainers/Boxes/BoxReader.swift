// SPDX-License-Identifier: Apache-2.0

/// A box: its type and its range.
package struct Box: Hashable, Sendable {
  package let type: FourCC
  /// The offset of the box, including its header.
  package let start: Int
  /// The range of its content.
  package let body: Range<Int>

  package init(type: FourCC, start: Int, body: Range<Int>) {
    (self.type, self.start, self.body) = (type, start, body)
  }
}

/// A defect of a box.
@usableFromInline package enum BoxFlaw {
  /// The container ends before the value.
  case endsEarly
  /// A 64-bit number that exceeds any file size.
  case number(UInt64)
  /// A box that declares more bytes than are available, or fewer than its own header has.
  case size(FourCC, claimed: Int, available: Int)
  /// An entry count for which there is not enough space.
  case entries(Int, capacity: Int)
  /// More sibling boxes than a well-formed file has.
  case boxes(limit: Int)
  /// A second box of a type that may occur only once.
  case repeated(FourCC)
}

/// The differences between the families of box-based file formats.
@usableFromInline package protocol BoxDialect {
  associatedtype Bytes: RandomAccessCollection where Bytes.Element == UInt8, Bytes.Index == Int
  associatedtype Failure: Error

  /// Indicates whether boxes follow the QuickTime rules.
  ///
  /// In QuickTime, fewer than eight remaining bytes end a list; in other formats, they are an
  /// error. In the other formats, a 64-bit length may also be 0 for "up to the end", as in libheif,
  /// and the content of a "uuid" box begins after its identifier.
  static var isQuickTime: Bool { get }

  /// The maximum number of sibling boxes in a well-formed file.
  static var maximumBoxes: Int { get }

  /// Returns the error for a defect; `name` is the box that contains it, if the reader has a name.
  static func failure(_ flaw: BoxFlaw, in name: String) -> Failure
}

/// A cursor over boxes and the numbers in them; every read is bounds-checked.
///
/// All numbers are big-endian.
///
/// - Source: ISO/IEC 14496-12:2022, 4.2; QuickTime File Format, "atoms".
@usableFromInline package struct BoxReader<Dialect: BoxDialect> {
  @usableFromInline package typealias Bytes = Dialect.Bytes
  @usableFromInline package typealias Failure = Dialect.Failure

  @usableFromInline package let bytes: Bytes
  @usableFromInline package let end: Int
  /// The path of the box for messages, such as "moov/trak".
  package let name: String
  @usableFromInline var cursor: Int

  /// Reads the given range of the bytes, or all of them.
  package init(_ bytes: Bytes, in range: Range<Int>? = nil, name: String = "") {
    self.bytes = bytes
    let all = bytes.startIndex..<bytes.endIndex
    let range = range?.clamped(to: all) ?? all
    cursor = range.lowerBound
    end = range.upperBound
    self.name = name
  }

  /// The offset of the next value.
  package var position: Int { cursor }
  /// The number of remaining bytes.
  @inlinable package var remaining: Int { end - cursor }
  /// The range of the remaining bytes.
  package var rest: Range<Int> { cursor..<end }

  /// Returns a cursor over a box inside this one.
  package func reader(_ box: Box) -> BoxReader {
    BoxReader(bytes, in: box.body, name: "\(name)/\(box.type)")
  }

  @usableFromInline func failure(_ flaw: BoxFlaw) -> Failure { Dialect.failure(flaw, in: name) }

  // MARK: Numbers

  @inlinable package mutating func skip(_ count: Int) throws(Failure) {
    guard count >= 0, count <= remaining else { throw failure(.endsEarly) }
    cursor += count
  }

  @inlinable package mutating func u8() throws(Failure) -> UInt8 {
    guard remaining >= 1 else { throw failure(.endsEarly) }
    defer { cursor += 1 }
    return bytes[cursor]
  }

  @inlinable package mutating func u16() throws(Failure) -> UInt16 {
    UInt16(try u8()) << 8 | UInt16(try u8())
  }

  @inlinable package mutating func u32() throws(Failure) -> UInt32 {
    guard remaining >= 4 else { throw failure(.endsEarly) }
    defer { cursor += 4 }
    return UInt32(bytes[cursor]) << 24 | UInt32(bytes[cursor + 1]) << 16
      | UInt32(bytes[cursor + 2]) << 8 | UInt32(bytes[cursor + 3])
  }

  @inlinable package mutating func u64() throws(Failure) -> UInt64 {
    UInt64(try u32()) << 32 | UInt64(try u32())
  }

  /// Reads a number of 0 to 8 bytes; a number larger than any offset is an error.
  @inlinable package mutating func unsigned(_ byteCount: Int) throws(Failure) -> Int {
    guard byteCount <= remaining else { throw failure(.endsEarly) }
    var value: UInt64 = 0
    for offset in cursor..<(cursor + byteCount) { value = value << 8 | UInt64(bytes[offset]) }
    cursor += byteCount
    guard let number = Int(exactly: value) else { throw failure(.number(value)) }
    return number
  }

  /// Reads a 32- or 64-bit unsigned number, depending on the box's version.
  @inlinable package mutating func number(wide: Bool) throws(Failure) -> Int {
    try unsigned(wide ? 8 : 4)
  }

  /// Reads a 32- or 64-bit signed number, depending on the box's version.
  @inlinable package mutating func signed(wide: Bool = false) throws(Failure) -> Int {
    wide ? Int(Int64(bitPattern: try u64())) : Int(Int32(bitPattern: try u32()))
  }

  package mutating func fourCC() throws(Failure) -> FourCC { FourCC(try u32()) }

  /// Reads the version and the flags of a full box.
  package mutating func versionAndFlags() throws(Failure) -> (version: Int, flags: Int) {
    let word = Int(try u32())
    return (word >> 24, word & 0xFF_FFFF)
  }

  /// Reads a count of entries, each of `size` bytes, all of which must be present.
  package mutating func count(entrySize size: Int) throws(Failure) -> Int {
    let count = Int(try u32())
    guard count <= remaining / size else {
      throw failure(.entries(count, capacity: remaining / size))
    }
    return count
  }

  /// Reads text up to a zero byte or the end, at most 1024 bytes of it; the zero is consumed too.
  package mutating func text() -> String {
    let text = bytes[cursor..<end].prefix { $0 != 0 }
    cursor = min(text.endIndex + 1, end)
    return String(decoding: text.prefix(1024), as: UTF8.self)
  }

  // MARK: Boxes

  /// Reads the header of a box, whose length is not validated.
  ///
  /// - Parameter capacity: The number of bytes up to the end of the box's container.
  package mutating func boxHeader(
    capacity: Int
  ) throws(Failure) -> (type: FourCC, size: Int) {
    var size = Int(try u32())
    let type = try fourCC()
    let isLong = size == 1
    if isLong { size = try number(wide: true) }
    if size == 0, !(isLong && Dialect.isQuickTime) { size = capacity }
    return (type, size)
  }

  /// Returns the next box in this one; nil at the end.
  package mutating func nextBox() throws(Failure) -> Box? {
    guard remaining >= (Dialect.isQuickTime ? 8 : 1) else { return nil }
    let start = cursor
    let (type, size) = try boxHeader(capacity: end - start)
    guard size >= cursor - start, size <= end - start else {
      throw failure(.size(type, claimed: size, available: end - start))
    }
    let next = start + size
    if !Dialect.isQuickTime, type == "uuid" {
      guard next - cursor >= 16 else { throw failure(.endsEarly) }
      cursor += 16
    }
    defer { cursor = next }
    return Box(type: type, start: start, body: cursor..<next)
  }

  /// Returns all remaining boxes.
  ///
  /// - Parameter single: Types that may occur only once, so that all readers of a file use the same
  ///   box.
  package func boxes(
    limit: Int = Dialect.maximumBoxes, single: Set<FourCC> = []
  ) throws(Failure) -> [Box] {
    var cursor = self
    var boxes: [Box] = []
    while let box = try cursor.nextBox() {
      guard boxes.count < limit else { throw failure(.boxes(limit: limit)) }
      boxes.append(box)
    }
    var found: Set<FourCC> = []
    for box in boxes where single.contains(box.type) && !found.insert(box.type).inserted {
      throw failure(.repeated(box.type))
    }
    return boxes
  }
}
