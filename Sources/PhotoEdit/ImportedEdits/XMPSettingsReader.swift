// SPDX-License-Identifier: Apache-2.0

/// A reader that collects the properties of the described image from an XMP packet.
///
/// Only properties of top-level descriptions are read: the same names at deeper levels belong to
/// saved states and other images.
final class XMPSettingsReader {
  /// The namespaces whose properties are read.
  enum Namespace: String, Sendable {
    case cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"
    case tiff = "http://ns.adobe.com/tiff/1.0/"
  }

  enum Value: Hashable, Sendable {
    case text(String)
    case list([String])
    /// A structure, or a list of structures, with the total number of members.
    case structure(Int)
  }

  /// A property as written.
  struct Property: Hashable, Sendable {
    let namespace: Namespace
    let name: String
    let value: Value
  }

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let deepest = 100
  private static let mostProperties = 2000
  private static let mostItems = 4096
  private static let longestText = 1 << 16

  private enum Role { case outside, list, description, property, items, item, inside }

  private var properties: [Property] = []
  private var roles: [Role] = []
  /// The namespaces bound to each prefix, the innermost declaration last.
  private var bindings: [String: [String]] = [:]
  /// The prefixes declared by each open element.
  private var declared: [[String]] = []
  private var current: (namespace: Namespace, name: String)?
  private var text: [UInt8] = []
  private var items: [String] = []
  private var hasItems = false
  private var members = 0
  private var isLong = false
  private var hasDescriptions = false

  /// Reads a packet.
  ///
  /// - Throws: `EditImportError.notAnEdit` for XML that is not XMP.
  static func properties(in bytes: [UInt8]) throws(EditImportError) -> [Property] {
    let reader = XMPSettingsReader()
    // Packets are padded, some with zeros.
    try reader.read(bytes[..<((bytes.lastIndex { $0 != 0 } ?? -1) + 1)])
    guard reader.hasDescriptions else { throw .notAnEdit }
    return reader.properties
  }

  private func read(_ bytes: ArraySlice<UInt8>) throws(EditImportError) {
    let flaw = try XMLReader.read(bytes) { (event, line) throws(EditImportError) in
      switch event {
      case .start(let name, let attributes): try start(name, attributes, line: line)
      case .text(let text): append(text)
      case .end: try end(line: line)
      }
    }
    switch flaw {
    case nil: return
    case .documentType(let line):
      throw .xmp(line: line, reason: "document type declarations are not allowed in XMP")
    case .malformed(let line, let reason): throw .xmp(line: line, reason: reason)
    case .outOfMemory: throw .outOfMemory
    }
  }

  // MARK: Elements

  private func start(
    _ name: String, _ attributes: [(name: String, value: String)], line: Int
  ) throws(EditImportError) {
    guard roles.count < Self.deepest else {
      throw .xmp(line: line, reason: "more than \(Self.deepest) nested elements")
    }
    var prefixes: [String] = []
    for (name, value) in attributes where name == "xmlns" || name.hasPrefix("xmlns:") {
      let prefix = String(name.dropFirst(6))
      bindings[prefix, default: []].append(value)
      prefixes.append(prefix)
    }
    declared.append(prefixes)
    let (namespace, local) = resolve(name, isAttribute: false)
    let own = attributes.filter { $0.name != "xmlns" && !$0.name.hasPrefix("xmlns:") }
    switch roles.last ?? .outside {
    case .outside: roles.append(namespace == Self.rdf && local == "RDF" ? .list : .outside)
    case .list:
      roles.append(.description)
      hasDescriptions = true
      for (name, value) in own { try add(name, value, line: line) }
    case .description:
      roles.append(.property)
      current = Namespace(rawValue: namespace).map { ($0, local) }
      (text, items, hasItems, members, isLong) = ([], [], false, 0, false)
      members += countMembers(own)
    case .property where namespace == Self.rdf && ["Seq", "Bag", "Alt"].contains(local):
      roles.append(.items)
      hasItems = true
    case .items where namespace == Self.rdf && local == "li":
      roles.append(.item)
      text = []
      members += countMembers(own)
    case .property, .items, .item, .inside:
      roles.append(.inside)
      members += 1 + countMembers(own)
    }
  }

  private func append(_ bytes: UnsafeRawBufferPointer) {
    guard current != nil, roles.last == .property || roles.last == .item, !isLong else { return }
    text += bytes
    isLong = text.count > Self.longestText
  }

  private func end(line: Int) throws(EditImportError) {
    let role = roles.popLast()
    for prefix in declared.popLast() ?? [] { _ = bindings[prefix]?.popLast() }
    if role == .item, current != nil {
      if items.count < Self.mostItems { items.append(Self.trimmed(text)) } else { isLong = true }
    }
    guard role == .property, let (namespace, name) = current else { return }
    current = nil
    let value: Value =
      members > 0 || isLong
      ? .structure(members + items.count)
      : hasItems ? .list(items) : .text(Self.trimmed(text))
    try add(Property(namespace: namespace, name: name, value: value), line: line)
  }

  // MARK: Properties

  private func add(_ attribute: String, _ value: String, line: Int) throws(EditImportError) {
    let (namespace, name) = resolve(attribute, isAttribute: true)
    guard let namespace = Namespace(rawValue: namespace) else { return }
    let isLong = value.utf8.count > Self.longestText
    try add(
      Property(namespace: namespace, name: name, value: isLong ? .structure(1) : .text(value)),
      line: line)
  }

  private func add(_ property: Property, line: Int) throws(EditImportError) {
    guard properties.count < Self.mostProperties else {
      throw .xmp(line: line, reason: "more than \(Self.mostProperties) properties")
    }
    properties.append(property)
  }

  /// Returns the number of structure members that are written as attributes.
  private func countMembers(_ attributes: [(name: String, value: String)]) -> Int {
    attributes.count { attribute in
      let (namespace, local) = resolve(attribute.name, isAttribute: true)
      return !(namespace == Self.rdf && local == "parseType") && !attribute.name.hasPrefix("xml:")
    }
  }

  private func resolve(
    _ name: String, isAttribute: Bool
  ) -> (namespace: String, local: String) {
    guard let colon = name.firstIndex(of: ":") else {
      return (isAttribute ? "" : bindings[""]?.last ?? "", name)
    }
    return (bindings[String(name[..<colon])]?.last ?? "", String(name[name.index(after: colon)...]))
  }

  private static func trimmed(_ bytes: [UInt8]) -> String {
    func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    let start = bytes.firstIndex { !isBlank($0) } ?? bytes.count
    let end = (bytes.lastIndex { !isBlank($0) } ?? start - 1) + 1
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
