// SPDX-License-Identifier: Apache-2.0

/// A box of a movie header that can be changed: boxes inside, or bytes that are kept as they are.
struct BoxTree: Sendable {
  let type: FourCC
  /// The content of a box without boxes inside; otherwise what stands behind the last of them.
  var bytes: ArraySlice<UInt8>
  /// The boxes inside; nil for a box that is kept as bytes.
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

  /// Reads a box and, where its name promises boxes inside, those.
  ///
  /// - Parameter depth: How many boxes are around it; beyond `MovieLimits.maximumDepth` a box is kept
  ///   as bytes.
  init(_ box: Box, in reader: BoxReader, depth: Int = 0) throws(MovieError) {
    type = box.type
    bytes = reader.bytes[box.body]
    guard containers.contains(box.type), depth < MovieLimits.maximumDepth else { return }
    do throws(MovieError) {
      (children, bytes) = try Self.children(of: reader.reader(box), depth: depth + 1)
    } catch {
      // User data follows no rule that all writers keep; as bytes it survives all the same.
      guard box.type == "udta" else { throw error }
    }
  }

  /// Reads the boxes of a range, and the bytes behind them.
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

  /// Adds the box to bytes.
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
    for (place, byte) in size.bigEndianBytes.enumerated() { output[start + place] = byte }
  }

  /// The first box of a type inside.
  func child(_ type: FourCC) -> BoxTree? { children?.first { $0.type == type } }

  /// The box that a path of names leads to.
  func descendant(_ path: FourCC...) -> BoxTree? {
    var tree: BoxTree? = self
    for type in path { tree = tree?.child(type) }
    return tree
  }

  /// Puts a box in the place of the first one of its type, or behind all others.
  mutating func replace(_ child: BoxTree) {
    let place = children?.firstIndex { $0.type == child.type }
    if let place { children?[place] = child } else { children = (children ?? []) + [child] }
  }

  /// Takes out all boxes of these types.
  mutating func remove(_ types: Set<FourCC>) {
    children?.removeAll { types.contains($0.type) }
  }

  /// Changes the box that a path of names leads to; nothing when there is none.
  mutating func change(
    _ path: FourCC..., by body: (inout BoxTree) throws(MovieError) -> Void
  ) throws(MovieError) {
    try change(path[...], by: body)
  }

  private mutating func change(
    _ path: ArraySlice<FourCC>, by body: (inout BoxTree) throws(MovieError) -> Void
  ) throws(MovieError) {
    guard let type = path.first else { return try body(&self) }
    guard var boxes = children, let place = boxes.firstIndex(where: { $0.type == type }) else {
      return
    }
    // The tree is moved out and back, so that nothing of it is copied.
    children = nil
    defer { children = boxes }
    try boxes[place].change(path.dropFirst(), by: body)
  }
}

/// The boxes that hold boxes and nothing else, and that are looked into.
private let containers: Set<FourCC> = [
  "moov", "trak", "mdia", "minf", "stbl", "edts", "tref", "udta",
]
