// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
  /// Properties of one namespace that are short texts.
  struct Addition {
    let namespace: XMPNamespace
    let values: [(name: String, value: String)]
  }

  /// The packet with properties more, and without some that it has.
  ///
  /// The new ones stand in the first description. Simple ones become attributes under the usual
  /// prefix, because there are readers that look for nothing else.
  ///
  /// - Parameters:
  ///   - addition: What becomes attributes; properties of the same names go.
  ///   - elements: Further properties, which bring their namespaces along.
  ///   - isGone: Which of the present properties go besides.
  ///   - limit: Most bytes.
  /// - Returns: Nil for a packet that is not well-formed or describes nothing, and where the limit
  ///   or the meaning of a prefix is in the way.
  func adding(
    _ addition: Addition, elements: String, without isGone: (XMPProperty) -> Bool, limit: Int
  ) -> [UInt8]? {
    guard scan.isWellFormed, let description = scan.descriptions.first,
      let declaration = declaration(addition.namespace, in: description)
    else { return nil }
    let names = Set(addition.values.map(\.name))
    var edits = scan.properties
      .filter { isGone($0) || ($0.namespace == addition.namespace && names.contains($0.name)) }
      .map { XMPPatch.Edit(range: $0.whole, text: []) }
    let prefix = addition.namespace.usualPrefix
    var attributes = declaration
    for (name, value) in addition.values {
      attributes += " \(prefix):\(name)=\"\(XMPText.escaped(value))\""
    }
    edits += insertions(attributes, elements, into: description)
    let result = XMPPatch.trimmed(XMPPatch.applied(edits, to: bytes), to: limit)
    return result.count <= limit ? result : nil
  }

  /// A packet that says nothing yet.
  static let empty = XMPPacket(
    Array(
      ("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
        + "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
        + "<rdf:RDF xmlns:rdf=\"\(XMPNamespace.rdf.rawValue)\"><rdf:Description rdf:about=\"\"/>"
        + "</rdf:RDF></x:xmpmeta><?xpacket end=\"w\"?>").utf8))

  private func insertions(
    _ attributes: String, _ elements: String, into description: XMPDescription
  ) -> [XMPPatch.Edit] {
    let end = description.attributesEnd
    let start = XMPPatch.Edit(range: end..<end, text: Array(attributes.utf8))
    guard !elements.isEmpty else { return [start] }
    let content = insertion(elements, into: description)
    guard content.range.lowerBound == end else { return [start, content] }
    // Both stand in the place of the "/" that ends the tag.
    return [XMPPatch.Edit(range: content.range, text: start.text + content.text)]
  }

  /// Adds elements at the end of a description.
  func insertion(_ text: String, into description: XMPDescription) -> XMPPatch.Edit {
    guard description.isEmpty else {
      let place = description.content.upperBound
      return XMPPatch.Edit(range: place..<place, text: Array(text.utf8))
    }
    let name = String(decoding: bytes[description.name], as: UTF8.self)
    return XMPPatch.Edit(
      range: description.attributesEnd..<description.content.upperBound,
      text: Array(">\(text)</\(name)>".utf8))
  }

  /// What declares the usual prefix of a namespace in a description: nothing where it does that
  /// itself; nil where the prefix means something else there.
  private func declaration(
    _ namespace: XMPNamespace, in description: XMPDescription
  ) -> String? {
    let start = "xmlns:\(namespace.usualPrefix)="
    let own = description.declarations.map { String(decoding: bytes[$0], as: UTF8.self) }
      .first { $0.hasPrefix(start) }
    guard let own else { return " \(start)\"\(namespace.rawValue)\"" }
    return own.dropFirst(start.count + 1).hasPrefix(namespace.rawValue) ? "" : nil
  }
}
