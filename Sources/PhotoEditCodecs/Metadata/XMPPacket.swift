// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// A scanned XMP packet.
struct XMPPacket {
  /// The packet, without the signature of its segment.
  let bytes: [UInt8]
  let scan: XMPScanner

  init(_ bytes: [UInt8]) {
    self.bytes = MetadataText.utf8Packet(bytes)
    scan = XMPScanner(self.bytes)
  }

  /// Creates the packet of an XMP segment.
  init(payload: [UInt8]) { self.init(Array(payload.dropFirst(JPEGSegment.Signature.xmp.count))) }

  /// Returns the first property with a name.
  func property(_ namespace: XMPNamespace, _ name: String) -> XMPProperty? {
    scan.properties.first { $0.isNamed(namespace, name) }
  }

  /// Returns the text of a simple property, or the first item of a list; nil if absent.
  ///
  /// - Parameter limit: The maximum number of bytes that are read.
  func text(
    _ namespace: XMPNamespace, _ name: String, limit: Int = XMPText.maximumCount
  ) -> String? {
    guard let property = property(namespace, name) else { return nil }
    guard let range = property.form == .structure ? property.firstItem : property.value else {
      return nil
    }
    return XMPText.decoded(bytes[range], limit: limit)
  }

  /// Indicates whether the packet contains thumbnails of the image or of its pages.
  var containsThumbnails: Bool {
    property(.xmp, "Thumbnails") != nil || property(.xmp, "PageInfo") != nil
  }

  /// The maximum number of items read from one list.
  static let maximumItems = 1000

  /// Returns the texts of the items of a list; a simple text counts as one item.
  func items(_ namespace: XMPNamespace, _ name: String) -> [String] {
    guard let property = property(namespace, name) else { return [] }
    guard property.form == .structure else { return [XMPText.decoded(bytes[property.value])] }
    var items: [String] = []
    var position = property.whole.lowerBound
    // Items are leaves: their text is between the tag that ends in "li" and the next "<".
    while items.count < Self.maximumItems,
      let open = bytes[position..<property.whole.upperBound].firstIndex(of: 0x3C),
      let close = bytes[open..<property.whole.upperBound].firstIndex(of: 0x3E)
    {
      let name = bytes[(open + 1)..<close].prefix { $0 > 0x20 && $0 != 0x2F }
      position = close + 1
      guard name.suffix(3).elementsEqual(Array(":li".utf8)), bytes[close - 1] != 0x2F else {
        continue
      }
      let end =
        bytes[position..<property.whole.upperBound].firstIndex(of: 0x3C) ?? position
      items.append(XMPText.decoded(bytes[position..<end]))
      position = end
    }
    return items
  }

  /// The value of `tiff:Orientation`.
  var orientation: ExifOrientation {
    guard property(.tiff, "Orientation") != nil else { return .absent }
    let text = text(.tiff, "Orientation") ?? ""
    return MetadataText.integer(text).flatMap { Orientation(rawValue: $0) }.map { .valid($0) }
      ?? .invalid(MetadataText.clean(text) ?? "empty")
  }

  /// Indicates whether the packet declares a gain map in the same file.
  var announcesGainMap: Bool {
    scan.properties.contains { $0.namespace == .gainMap || $0.namespace == .appleGainMap }
      || lists("GainMap")
  }

  /// Indicates whether the packet declares a video after the image.
  var announcesMotionPhoto: Bool {
    if lists("MotionPhoto") { return true }
    return ["MotionPhoto", "MicroVideo"].contains {
      text(.camera, $0).flatMap { MetadataText.integer($0) } == 1
    }
  }

  /// Indicates whether the packet describes a depth map or a second image stored in extended XMP.
  var announcesDepthMap: Bool {
    scan.properties.contains { $0.namespace == .depthMap || $0.namespace == .secondImage }
  }

  private func lists(_ item: String) -> Bool {
    scan.properties.contains {
      $0.namespace == .container
        && bytes[$0.whole].count < 65_536
        && Array(bytes[$0.whole]).firstOffset(of: Array("\"\(item)\"".utf8)) != nil
    }
  }

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
