// SPDX-License-Identifier: Apache-2.0

/// The elements inside a property of an XMP packet, with their ranges.
///
/// Names are compared without their prefix: inside a property of a known namespace they are
/// unambiguous.
struct XMPTree {
  /// An element.
  struct Node {
    let tag: XMLTag
    let local: String
    /// From the "<" of the start tag to the ">" of the end tag.
    var whole: Range<Int>
    /// The content between the tags; empty for an empty-element tag.
    var content: Range<Int>
    var children: [Int] = []
  }

  /// The maximum number of elements that are read; well-formed lists of regions are much shorter.
  static let maximumCount = 20_000

  /// The elements in the order of their start tags; the first one is the property itself.
  private(set) var nodes: [Node] = []
  private let bytes: [UInt8]

  /// Reads a property that the scanner has found well-formed; nil if it is too large.
  init?(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    var open: [Int] = []
    var position = range.lowerBound
    while let next = bytes.firstOffset(of: [0x3C], from: position), next < range.upperBound {
      switch XMLMarkup(bytes, at: next) {
      case nil: return nil
      case .aside(let end): position = end ?? bytes.count
      case .endTag(_, let end):
        guard let index = open.popLast() else { return nil }
        nodes[index].content = nodes[index].content.lowerBound..<next
        nodes[index].whole = nodes[index].whole.lowerBound..<end
        position = end
      case .startTag(let tag):
        guard nodes.count < Self.maximumCount, open.count < XMPScanner.maximumDepth else {
          return nil
        }
        if let parent = open.last { nodes[parent].children.append(nodes.count) }
        if !tag.isEmpty { open.append(nodes.count) }
        nodes.append(
          Node(
            tag: tag, local: Self.local(bytes, tag.name), whole: next..<tag.end,
            content: tag.end..<tag.end))
        position = tag.end
      }
    }
    guard open.isEmpty, nodes.first?.whole == range else { return nil }
  }

  /// Returns a name without its prefix.
  static func local(_ bytes: [UInt8], _ name: Range<Int>) -> String {
    let colon = bytes[name].firstIndex(of: 0x3A)
    let start = colon.map { $0 + 1 } ?? name.lowerBound
    return String(decoding: bytes[start..<name.upperBound], as: UTF8.self)
  }

  /// Returns the first element with a name inside another, at any depth.
  func first(_ local: String, in parent: Int) -> Int? {
    var waiting = [parent]
    while let index = waiting.popLast() {
      if index != parent, nodes[index].local == local { return index }
      waiting += nodes[index].children.reversed()
    }
    return nil
  }

  /// Returns the items of the first list inside an element.
  func items(in parent: Int) -> [Int] {
    let list = ["Bag", "Seq", "Alt"].compactMap { first($0, in: parent) }.min()
    return list.map { nodes[$0].children.filter { nodes[$0].local == "li" } } ?? []
  }

  /// Returns the range of a field's value, written as an attribute or as an element at any depth.
  func field(_ local: String, in parent: Int) -> Range<Int>? {
    var waiting = [parent]
    while let index = waiting.popLast() {
      let node = nodes[index]
      if index != parent, node.local == local, node.children.isEmpty { return node.content }
      for attribute in node.tag.attributes
      where Self.local(bytes, attribute.name) == local
        && !bytes[attribute.name].starts(with: "xmlns".utf8)
      { return attribute.value }
      waiting += node.children.reversed()
    }
    return nil
  }

  /// Returns whether an element has an attribute with a name.
  func has(_ local: String, _ index: Int) -> Bool {
    nodes[index].tag.attributes.contains { Self.local(bytes, $0.name) == local }
  }

  /// Returns the text of a field.
  func text(_ local: String, in parent: Int) -> String? {
    field(local, in: parent).map { XMPText.decoded(bytes[$0]) }
  }

  /// Returns the number in a field; nil if it is not a number or its absolute value is over a
  /// million.
  func number(_ local: String, in parent: Int) -> Double? {
    text(local, in: parent).flatMap { XMPText.number($0) }
  }

  /// Returns the prefix of an element's name with its colon; empty if it has none.
  func prefix(_ index: Int) -> String {
    let name = nodes[index].tag.name
    guard let colon = bytes[name].firstIndex(of: 0x3A) else { return "" }
    return String(decoding: bytes[name.lowerBound...colon], as: UTF8.self)
  }
}
