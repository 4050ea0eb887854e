// SPDX-License-Identifier: Apache-2.0

extension XMPPatch {
  private static let eventNamespace = "http://ns.adobe.com/xap/1.0/sType/ResourceEvent#"
  private static let referenceNamespace = "http://ns.adobe.com/xap/1.0/sType/ResourceRef#"

  /// The identifier of the rendering; nil if none was requested.
  ///
  /// The bytes become a UUID of version 8, the version for custom formats.
  ///
  /// - Source: RFC 9562, 5.8.
  var instance: String? {
    guard var bytes = facts.instance?.prefix(16).map({ $0 }), bytes.count == 16 else { return nil }
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for (i, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(i) { text.append(0x2D) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return "xmp.iid:" + String(decoding: text, as: UTF8.self)
  }

  /// Records the source instance of the rendering and adds an entry to the history.
  ///
  /// Only packets that already contain such data receive it; the value of InstanceID is changed
  /// elsewhere.
  ///
  /// - Source: XMP specification part 2, 1.2.3 (xmpMM) and part 1, 8.2.2.9 and 8.2.2.10.
  func provenanceEdits() -> [Edit] {
    guard let instance, !isExtended, !facts.strip.contains(.device),
      let first = packet.scan.properties.first(where: { $0.namespace == .mediaManagement }),
      let description = packet.scan.descriptions.first(where: {
        $0.name.lowerBound <= first.whole.lowerBound
          && first.whole.lowerBound < $0.content.upperBound
      })
    else { return [] }
    var edits: [Edit] = []
    var added = ""
    if packet.property(.mediaManagement, "InstanceID") == nil {
      added += element("InstanceID", "", instance)
    }
    let origin = derivedFrom
    if !origin.isEmpty {
      if let old = packet.property(.mediaManagement, "DerivedFrom") {
        edits.append(removal(of: old.whole))
      }
      added += element("DerivedFrom", origin, nil)
    }
    if !facts.strip.contains(.dates) {
      if let list = historyEdit(instance) {
        edits.append(list)
      } else {
        if let old = packet.property(.mediaManagement, "History") {
          edits.append(removal(of: old.whole))
        }
        let rdf = "xmlns:rdf=\"\(XMPNamespace.rdf.rawValue)\""
        added += element(
          "History", "", "<rdf:Seq \(rdf)>\(event(instance, prefix: "rdf:"))</rdf:Seq>")
      }
    }
    if !added.isEmpty { edits.append(packet.insertion(added, into: description)) }
    return edits
  }

  /// Returns an xmpMM property that declares its namespace.
  private func element(_ name: String, _ attributes: String, _ content: String?) -> String {
    let start =
      "<xmpMM:\(name) xmlns:xmpMM=\"\(XMPNamespace.mediaManagement.rawValue)\"\(attributes)"
    return content.map { "\(start)>\($0)</xmpMM:\(name)>" } ?? start + "/>"
  }

  /// Attributes that identify the source; empty if it has no identifiers.
  private var derivedFrom: String {
    let names = [
      ("instanceID", "InstanceID"), ("documentID", "DocumentID"),
      ("originalDocumentID", "OriginalDocumentID"),
    ]
    let attributes = names.compactMap { field, name in
      packet.text(.mediaManagement, name).map { " stRef:\(field)=\"\(XMPText.escaped($0))\"" }
    }
    if attributes.isEmpty { return "" }
    return " xmlns:stRef=\"\(Self.referenceNamespace)\"" + attributes.joined()
  }

  /// Returns a history item, as attributes or as elements.
  private func event(_ instance: String, prefix: String, usesElements: Bool = false) -> String {
    var fields = [("action", "saved"), ("instanceID", instance)]
    if let date = facts.modificationDate?.xmpText { fields.append(("when", date)) }
    fields.append(("softwareAgent", XMPText.escaped(facts.software)))
    let space = " xmlns:stEvt=\"\(Self.eventNamespace)\""
    if usesElements {
      let elements = fields.map { "<stEvt:\($0.0)>\($0.1)</stEvt:\($0.0)>" }.joined()
      return "<\(prefix)li\(space) \(prefix)parseType=\"Resource\">\(elements)</\(prefix)li>"
    }
    return "<\(prefix)li\(space)" + fields.map { " stEvt:\($0.0)=\"\($0.1)\"" }.joined() + "/>"
  }

  /// Adds an item to the existing list; nil if absent.
  private func historyEdit(_ instance: String) -> Edit? {
    guard let property = packet.property(.mediaManagement, "History"),
      property.form == .structure, let tree = XMPTree(packet.bytes, property.whole),
      let list = tree.first("Seq", in: 0)
    else { return nil }
    let node = tree.nodes[list]
    let prefix = tree.prefix(list)
    let usesElements = node.children.last.map { tree.has("parseType", $0) } ?? false
    let item = event(instance, prefix: prefix, usesElements: usesElements)
    guard node.tag.isEmpty else {
      return Edit(range: node.content.upperBound..<node.content.upperBound, text: Array(item.utf8))
    }
    let text = "<\(prefix)Seq>\(item)</\(prefix)Seq>"
    return Edit(range: node.whole, text: Array(text.utf8))
  }
}
