// SPDX-License-Identifier: Apache-2.0

/// The four characters that name a box, an item or a brand of an ISO base media file.
struct BoxType: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  let code: UInt32

  init(_ code: Int) { self.code = UInt32(truncatingIfNeeded: code) }

  init(stringLiteral text: StaticString) {
    code = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
  }

  /// The characters; what is not printable becomes a question mark.
  var description: String {
    let characters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
    return String(
      decoding: characters.map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
  }
}

/// What is wrong with the boxes of a file, as one clause.
struct BoxDamage: Error, Hashable {
  let message: String

  /// The reader came to the end of what holds the value.
  static let truncated = BoxDamage(message: "a box ends too early")
}

/// A box: its name and where its content lies in the file.
struct Box: Hashable {
  let type: BoxType
  /// Where the box begins, its header included.
  let start: Int
  let body: Range<Int>
}

/// Reads numbers and boxes from a part of a file, from its beginning to its end.
///
/// The memory must outlive the reader. All numbers are big-endian, and nothing outside is read.
///
/// - Source: ISO/IEC 14496-12:2022, 4.2 (boxes).
struct BoxReader {
  let bytes: UnsafeRawBufferPointer
  private(set) var position: Int
  let end: Int

  /// Reads the part of a file that is given, or all of it.
  init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>? = nil) {
    self.bytes = bytes
    let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    position = range.lowerBound
    end = range.upperBound
  }

  /// How many bytes are left.
  var left: Int { end - position }
  /// What is left.
  var rest: Range<Int> { position..<end }

  /// A number of 0 to 8 bytes; one that no offset can reach is damage.
  mutating func unsigned(_ byteCount: Int) throws(BoxDamage) -> Int {
    guard byteCount <= left else { throw .truncated }
    var value: UInt64 = 0
    for offset in position..<(position + byteCount) { value = value << 8 | UInt64(bytes[offset]) }
    position += byteCount
    guard let number = Int(exactly: value) else {
      throw BoxDamage(message: "a number is \(value), more than any file has bytes")
    }
    return number
  }

  /// A number of four bytes in two's complement.
  mutating func signed32() throws(BoxDamage) -> Int {
    Int(Int32(truncatingIfNeeded: try unsigned(4)))
  }

  /// Four characters.
  mutating func type() throws(BoxDamage) -> BoxType { BoxType(try unsigned(4)) }

  mutating func skip(_ byteCount: Int) throws(BoxDamage) {
    guard byteCount <= left else { throw .truncated }
    position += byteCount
  }

  /// The version and the flags of a full box.
  mutating func versionAndFlags() throws(BoxDamage) -> (version: Int, flags: Int) {
    let word = try unsigned(4)
    return (word >> 24, word & 0xFF_FFFF)
  }

  /// Text up to a zero byte or to the end, at most 1024 bytes of it; the zero is read too.
  mutating func text() -> String {
    let start = position
    while position < end, bytes[position] != 0 { position += 1 }
    let text = String(decoding: bytes[start..<min(position, start + 1024)], as: UTF8.self)
    if position < end { position += 1 }
    return text
  }

  /// The next box; nil at the end.
  ///
  /// A length of 0 means that the box reaches to the end, which only the last one may.
  mutating func box() throws(BoxDamage) -> Box? {
    guard left > 0 else { return nil }
    let start = position
    var length = try unsigned(4)
    let type = try type()
    if length == 1 { length = try unsigned(8) }
    if length == 0 { length = end - start }
    guard length >= position - start else {
      throw BoxDamage(message: "the box '\(type)' has a length of \(length)")
    }
    guard length <= end - start else {
      throw BoxDamage(
        message: "the box '\(type)' has \(length) bytes, \(end - start) are there")
    }
    if type == "uuid" { try skip(16) }
    guard position <= start + length else { throw .truncated }
    let body = position..<(start + length)
    position = body.upperBound
    return Box(type: type, start: start, body: body)
  }

  /// All boxes that are left; `limit` is how many an honest file may have here.
  mutating func boxes(limit: Int) throws(BoxDamage) -> [Box] {
    var all: [Box] = []
    while let box = try box() {
      guard all.count < limit else {
        throw BoxDamage(message: "there are more than \(limit) boxes")
      }
      all.append(box)
    }
    return all
  }
}
