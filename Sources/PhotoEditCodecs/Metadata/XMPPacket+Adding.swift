// SPDX-License-Identifier: Apache-2.0

extension XMPPacket {
  /// Properties of one namespace with short text values.
  struct Addition {
    let namespace: XMPNamespace
    let values: [(name: String, value: String)]
  }

  /// Returns the packet with properties added and others removed.
  ///
  /// The new properties are inserted into the first description. Simple ones become attributes
  /// under the usual prefix, because some readers look only for these.
  ///
  /// - Parameters:
  ///   - addition: The properties to add as attributes; existing ones of the same names are
  ///     removed.
  ///   - elements: Further properties, as elements that declare their namespaces.
  ///   - shouldRemove: Returns whether an existing property is also removed.
  ///   - limit: The maximum number of bytes.
  /// - Returns: Nil if the packet is not well-formed or has no description, if the limit is
  ///   exceeded, or if the prefix has another meaning.
  func adding(
    _ addition: Addition, elements: String, without shouldRemove: (XMPProperty) -> Bool, limit: Int
  ) -> [UInt8]? {
    guard scan.isWellFormed, let description = scan.descriptions.first,
      let declaration = declaration(addition.namespace, in: description)
    else { return nil }
    let names = Set(addition.values.map(\.name))
    var edits = scan.properties
      .filter {
        shouldRemove($0) || ($0.namespace == addition.namespace && names.contains($0.name))
      }
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

  /// A packet without any properties.
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
    // Both are inserted before the "/" that ends the tag.
    return [XMPPatch.Edit(range: content.range, text: start.text + content.text)]
  }

  /// Adds elements at the end of a description.
  func insertion(_ text: String, into description: XMPDescription) -> XMPPatch.Edit {
    guard description.isEmpty else {
      let position = description.content.upperBound
      return XMPPatch.Edit(range: position..<position, text: Array(text.utf8))
    }
    let name = String(decoding: bytes[description.name], as: UTF8.self)
    return XMPPatch.Edit(
      range: description.attributesEnd..<description.content.upperBound,
      text: Array(">\(text)</\(name)>".utf8))
  }

  /// Returns the declaration of a namespace's usual prefix for a description: empty if the
  /// description already has it; nil if the prefix has another meaning there.
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
