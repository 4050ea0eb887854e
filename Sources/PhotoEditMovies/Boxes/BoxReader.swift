// SPDX-License-Identifier: Apache-2.0

/// A box inside bytes: its name and where its content lies.
struct Box: Sendable {
  let type: FourCC
  let body: Range<Int>
}

/// A cursor over the content of a box; every read is checked against the end.
struct BoxReader {
  let bytes: [UInt8]
  private(set) var position: Int
  let end: Int
  /// The box for messages, such as "moov/trak".
  let name: String

  init(_ bytes: [UInt8], _ range: Range<Int>, name: String) {
    self.bytes = bytes
    position = range.lowerBound
    end = min(range.upperBound, bytes.count)
    self.name = name
  }

  var remaining: Int { end - position }

  /// A cursor over a box that lies in this one.
  func reader(_ box: Box) -> BoxReader {
    BoxReader(bytes, box.body, name: "\(name)/\(box.type)")
  }

  mutating func skip(_ count: Int) throws(MovieError) {
    guard count >= 0, count <= remaining else { throw tooShort() }
    position += count
  }

  mutating func u8() throws(MovieError) -> UInt8 {
    guard remaining >= 1 else { throw tooShort() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func u16() throws(MovieError) -> UInt16 {
    UInt16(try u8()) << 8 | UInt16(try u8())
  }

  mutating func u32() throws(MovieError) -> UInt32 {
    guard remaining >= 4 else { throw tooShort() }
    defer { position += 4 }
    return UInt32(bytes[position]) << 24 | UInt32(bytes[position + 1]) << 16
      | UInt32(bytes[position + 2]) << 8 | UInt32(bytes[position + 3])
  }

  mutating func u64() throws(MovieError) -> UInt64 {
    UInt64(try u32()) << 32 | UInt64(try u32())
  }

  /// A 32- or 64-bit unsigned number, as the box's version says.
  mutating func number(wide: Bool) throws(MovieError) -> Int {
    let value = wide ? try u64() : UInt64(try u32())
    guard let number = Int(exactly: value) else {
      throw .damaged("\(name) has the impossible number \(value)")
    }
    return number
  }

  /// A 32- or 64-bit signed number, as the box's version says.
  mutating func signed(wide: Bool) throws(MovieError) -> Int {
    wide ? Int(Int64(bitPattern: try u64())) : Int(Int32(bitPattern: try u32()))
  }

  mutating func fourCC() throws(MovieError) -> FourCC { FourCC(try u32()) }

  /// The version and the flags of a full box.
  mutating func versionAndFlags() throws(MovieError) -> (version: UInt8, flags: UInt32) {
    let word = try u32()
    return (UInt8(word >> 24), word & 0xff_ffff)
  }

  /// A count of entries, each of `size` bytes, that must all be there.
  mutating func count(entrySize size: Int) throws(MovieError) -> Int {
    let count = Int(try u32())
    guard count <= remaining / max(size, 1) else {
      throw .damaged("\(name) announces \(count) entries and has room for \(remaining / size)")
    }
    return count
  }

  /// The next box in this one; nil at the end.
  mutating func nextBox() throws(MovieError) -> Box? {
    // QuickTime ends some lists with a zero instead of a box.
    guard remaining >= 8 else { return nil }
    let start = position
    var size = Int(try u32())
    let type = try fourCC()
    if size == 0 { size = end - start }
    if size == 1 { size = try number(wide: true) }
    guard size >= position - start, size <= end - start else {
      throw .damaged("\(name)/\(type) claims \(size) bytes of the \(end - start) around it")
    }
    let body = position..<(start + size)
    position = start + size
    return Box(type: type, body: body)
  }

  /// All boxes in this one.
  func boxes() throws(MovieError) -> [Box] {
    var cursor = self
    var boxes: [Box] = []
    while let box = try cursor.nextBox() {
      guard boxes.count < MovieLimits.maximumBoxes else {
        throw .tooLarge(
          what: "boxes in \(name)", value: boxes.count + 1, limit: MovieLimits.maximumBoxes)
      }
      boxes.append(box)
    }
    return boxes
  }

  /// All boxes in this one, of which some types may occur once only.
  ///
  /// Everything that reads a movie then reads the same box.
  func boxes(single: Set<FourCC>) throws(MovieError) -> [Box] {
    let boxes = try boxes()
    var found: Set<FourCC> = []
    for box in boxes where single.contains(box.type) && !found.insert(box.type).inserted {
      throw .damaged("\(name) has two boxes \(box.type)")
    }
    return boxes
  }

  private func tooShort() -> MovieError { .damaged("\(name) ends early") }
}
