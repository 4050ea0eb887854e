// SPDX-License-Identifier: Apache-2.0

/// What begins with a "<" in XML whose parts are changed where they stand.
///
/// `XMLReader` knows neither the places of attributes nor anything behind the first break; packets
/// that programs pass on for years have such breaks, and what is right in them is kept.
package enum XMLMarkup {
  /// A comment, an instruction or a CDATA section; `end` is nil where it is never closed.
  case aside(end: Int?)
  case startTag(XMLTag)
  case endTag(name: Range<Int>, end: Int)

  /// Reads what begins at a "<"; nil for what is broken and for declarations.
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
