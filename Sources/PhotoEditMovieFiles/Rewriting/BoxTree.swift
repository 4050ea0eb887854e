// SPDX-License-Identifier: Apache-2.0

/// A mutable box of a movie header: a container of boxes, or bytes that are kept unchanged.
struct BoxTree: Sendable {
  let type: FourCC
  /// The content of a box without child boxes; otherwise the bytes after the last child.
  var bytes: ArraySlice<UInt8>
  /// The child boxes; nil for a box that is kept as bytes.
  var children: [BoxTree]?

  init(_ type: FourCC, _ bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes[...]
  }

  init(_ type: FourCC, children: [BoxTree]) {
    self.type = type
    self.bytes = []
    self.children = children
  }

  /// Reads a box and, for container types, its children.
  ///
  /// - Parameter depth: The number of enclosing boxes; above `MovieLimits.maximumDepth` a box is
  ///   kept as bytes.
  init(_ box: Box, in reader: BoxReader, depth: Int = 0) throws(MovieError) {
    type = box.type
    bytes = reader.bytes[box.body]
    guard containers.contains(box.type), depth < MovieLimits.maximumDepth else { return }
    do throws(MovieError) {
      (children, bytes) = try Self.children(of: reader.reader(box), depth: depth + 1)
    } catch {
      // Not all writers follow the rules for user data; it is then preserved as bytes.
      guard box.type == "udta" else { throw error }
    }
  }

  /// Reads the boxes of a range, and the bytes after them.
  static func children(
    of reader: BoxReader, depth: Int = 0
  ) throws(MovieError) -> ([BoxTree], rest: ArraySlice<UInt8>) {
    var cursor = reader
    var trees: [BoxTree] = []
    while let box = try cursor.nextBox() {
      guard trees.count < MovieLimits.maximumBoxes else {
        throw .tooLarge(
          what: "boxes in \(reader.name)", value: trees.count + 1,
          limit: MovieLimits.maximumBoxes)
      }
      trees.append(try BoxTree(box, in: reader, depth: depth))
    }
    return (trees, reader.bytes[cursor.position..<cursor.end])
  }

  func write(to output: inout [UInt8]) throws(MovieError) {
    let start = output.count
    output.append(u32: 0)
    output.append(u32: type.value)
    for child in children ?? [] { try child.write(to: &output) }
    output.append(contentsOf: bytes)
    guard let size = UInt32(exactly: output.count - start) else {
      throw .tooLarge(
        what: "bytes in box \(type)", value: output.count - start, limit: Int(UInt32.max))
    }
    for (index, byte) in size.bigEndianBytes.enumerated() { output[start + index] = byte }
  }

  /// Returns the first child box of a type.
  func child(_ type: FourCC) -> BoxTree? { children?.first { $0.type == type } }

  /// Returns the box at a path of types.
  func descendant(_ path: FourCC...) -> BoxTree? {
    var tree: BoxTree? = self
    for type in path { tree = tree?.child(type) }
    return tree
  }

  /// Replaces the first child box of the same type, or appends the box.
  mutating func replace(_ child: BoxTree) {
    let index = children?.firstIndex { $0.type == child.type }
    if let index { children?[index] = child } else { children = (children ?? []) + [child] }
  }

  /// Removes all child boxes of the given types.
  mutating func remove(_ types: Set<FourCC>) {
    children?.removeAll { types.contains($0.type) }
  }

  /// Modifies the box at a path of types; does nothing if it does not exist.
  mutating func change(
    _ path: FourCC..., by body: (inout BoxTree) throws(MovieError) -> Void
  ) throws(MovieError) {
    try change(path[...], by: body)
  }

  private mutating func change(
    _ path: ArraySlice<FourCC>, by body: (inout BoxTree) throws(MovieError) -> Void
  ) throws(MovieError) {
    guard let type = path.first else { return try body(&self) }
    guard var boxes = children, let index = boxes.firstIndex(where: { $0.type == type }) else {
      return
    }
    // The tree is moved out and back, so that nothing is copied.
    children = nil
    defer { children = boxes }
    try boxes[index].change(path.dropFirst(), by: body)
  }

  // MARK: Numbers at fixed offsets of a box that is kept as bytes

  /// Indicates whether times in this box have 64 bits.
  var isWide: Bool { bytes.first == 1 }

  /// Returns the unsigned 32-bit number at an offset from the beginning of the content.
  func u32(at offset: Int) throws(MovieError) -> UInt32 {
    guard offset >= 0, offset + 4 <= bytes.count else { throw .damaged("\(type) is truncated") }
    return bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns the signed 32-bit number at an offset from the beginning of the content.
  func signed(at offset: Int) throws(MovieError) -> Int {
    Int(Int32(bitPattern: try u32(at: offset)))
  }

  /// Replaces 32 bits at an offset from the beginning of the content.
  mutating func set(_ value: UInt32, at offset: Int) throws(MovieError) {
    try set(value.bigEndianBytes, at: offset)
  }

  mutating func set(signed value: Int, at offset: Int) throws(MovieError) {
    guard let number = Int32(exactly: value) else {
      throw .tooLarge(what: "units in a field of \(type)", value: value, limit: Int(Int32.max))
    }
    try set(UInt32(bitPattern: number), at: offset)
  }

  /// Replaces a 32- or 64-bit time, depending on the box's version.
  mutating func set(time value: Int, at offset: Int) throws(MovieError) {
    if isWide { return try set(UInt64(max(value, 0)).bigEndianBytes, at: offset) }
    guard let number = UInt32(exactly: value) else {
      throw .tooLarge(what: "time units in \(type)", value: value, limit: Int(UInt32.max))
    }
    try set(number, at: offset)
  }

  /// Replaces bytes at an offset from the beginning of the content.
  mutating func set(_ new: [UInt8], at offset: Int) throws(MovieError) {
    guard offset >= 0, offset + new.count <= bytes.count else {
      throw .damaged("\(type) is truncated")
    }
    let start = bytes.startIndex + offset
    bytes.replaceSubrange(start..<(start + new.count), with: new)
  }
}

/// The pure container boxes whose children are read.
private let containers: Set<FourCC> = [
  "moov", "trak", "mdia", "minf", "stbl", "edts", "tref", "udta",
]

extension FixedWidthInteger {
  /// The bytes, most significant first.
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension [UInt8] {
  mutating func append(u16 value: UInt16) { append(contentsOf: value.bigEndianBytes) }
  mutating func append(u32 value: UInt32) {
    append(UInt8(truncatingIfNeeded: value >> 24))
    append(UInt8(truncatingIfNeeded: value >> 16))
    append(UInt8(truncatingIfNeeded: value >> 8))
    append(UInt8(truncatingIfNeeded: value))
  }
  mutating func append(u64 value: UInt64) { append(contentsOf: value.bigEndianBytes) }

  /// Appends a number that must fit in 32 bits.
  mutating func append(count value: Int, of what: String) throws(MovieError) {
    guard let number = UInt32(exactly: value) else {
      throw .tooLarge(what: what, value: value, limit: Int(UInt32.max))
    }
    append(u32: number)
  }
}

/// Returns `value · numerator ÷ denominator`, rounded to the nearest integer and clamped to
/// `MovieLimits.maximumTime`.
func scaled(_ value: Int, by numerator: Int, over denominator: Int) -> Int {
  guard numerator > 0, denominator > 0 else { return 0 }
  let limit = MovieLimits.maximumTime
  let product = value.magnitude.multipliedFullWidth(by: numerator.magnitude)
  var magnitude = limit
  if product.high < denominator.magnitude {
    let (quotient, rest) = denominator.magnitude.dividingFullWidth(product)
    let isUp = rest >= denominator.magnitude - rest
    magnitude = min(Int(clamping: quotient), limit - 1) + (isUp ? 1 : 0)
  }
  return value < 0 ? -magnitude : magnitude
}
