// SPDX-License-Identifier: Apache-2.0

/// A piece of XML markup that begins with "<", for editing in place.
///
/// `XMLReader` reports neither the positions of attributes nor anything after the first error.
/// Packets that programs pass on for years contain such errors, and their valid parts are kept.
package enum XMLMarkup {
  /// A comment, an instruction or a CDATA section; `end` is nil if it is never closed.
  case aside(end: Int?)
  case startTag(XMLTag)
  case endTag(name: Range<Int>, end: Int)

  /// Reads the markup at a "<"; nil for malformed markup and for declarations.
  ///
  /// A document type could declare entities, and metadata has none.
  package init?(_ bytes: [UInt8], at start: Int) {
    for (begin, end) in [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>")]
    where bytes.has(Array(begin.utf8), at: start) {
      let mark = Array(end.utf8)
      let close = bytes.firstOffset(of: mark, from: start + begin.utf8.count)
      self = .aside(end: close.map { $0 + mark.count })
      return
    }
    if bytes.has([0x3C, 0x2F], at: start) {
      guard let name = XMLTag.name(bytes, at: start + 2) else { return nil }
      let close = XMLTag.skipBlanks(bytes, name.upperBound)
      guard close < bytes.count, bytes[close] == 0x3E else { return nil }
      self = .endTag(name: name, end: close + 1)
      return
    }
    guard !bytes.has([0x3C, 0x21], at: start), let tag = XMLTag(bytes, at: start) else {
      return nil
    }
    self = .startTag(tag)
  }
}

/// An XML start tag, and the ranges of its parts.
package struct XMLTag {
  /// A name with its value.
  package struct Attribute {
    package let name: Range<Int>
    /// The text between the quotes.
    package let value: Range<Int>

    /// From the name to the last quote.
    package var whole: Range<Int> { name.lowerBound..<(value.upperBound + 1) }
  }

  package let name: Range<Int>
  package let attributes: [Attribute]
  /// Indicates whether it is an empty-element tag.
  package let isEmpty: Bool
  /// The offset of the "<".
  package let start: Int
  /// The position after the ">".
  package let end: Int

  /// Reads a tag that begins with a "<"; nil if it is malformed.
  package init?(_ bytes: [UInt8], at start: Int) {
    guard let name = Self.name(bytes, at: start + 1) else { return nil }
    var attributes: [Attribute] = []
    var i = name.upperBound
    while true {
      i = Self.skipBlanks(bytes, i)
      guard i < bytes.count else { return nil }
      if bytes[i] == 0x3E { break }
      if bytes[i] == 0x2F {
        guard bytes.has([0x2F, 0x3E], at: i) else { return nil }
        break
      }
      guard let attribute = Self.attribute(bytes, at: i) else { return nil }
      attributes.append(attribute)
      i = attribute.value.upperBound + 1
    }
    (self.name, self.attributes, self.start) = (name, attributes, start)
    isEmpty = bytes[i] == 0x2F
    end = i + (isEmpty ? 2 : 1)
  }

  private static func attribute(_ bytes: [UInt8], at start: Int) -> Attribute? {
    guard let name = name(bytes, at: start) else { return nil }
    var i = skipBlanks(bytes, name.upperBound)
    guard i < bytes.count, bytes[i] == 0x3D else { return nil }
    i = skipBlanks(bytes, i + 1)
    guard i < bytes.count, bytes[i] == 0x22 || bytes[i] == 0x27,
      let close = bytes.firstOffset(of: [bytes[i]], from: i + 1)
    else { return nil }
    return Attribute(name: name, value: (i + 1)..<close)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Returns the first position that is not a blank.
  package static func skipBlanks(_ bytes: [UInt8], _ start: Int) -> Int {
    var i = start
    while i < bytes.count, isBlank(bytes[i]) { i += 1 }
    return i
  }

  /// Returns whether a byte is one of / = > < " ' or zero, none of which is part of a name.
  private static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00, 0x22, 0x27, 0x2F, 0x3C, 0x3D, 0x3E: true
    default: false
    }
  }

  /// Returns the range of the name at a position; nil if absent.
  package static func name(_ bytes: [UInt8], at start: Int) -> Range<Int>? {
    var i = start
    while i < bytes.count, !isBlank(bytes[i]), !endsName(bytes[i]) { i += 1 }
    return i == start ? nil : start..<i
  }
}
