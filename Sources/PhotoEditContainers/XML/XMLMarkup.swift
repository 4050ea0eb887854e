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
