// SPDX-License-Identifier: Apache-2.0

/// Finds the properties of the described image in an XMP packet without building a tree.
///
/// Only properties of top-level descriptions count: the same names at deeper levels, in a history
/// or a pantry, describe other images. One pass, at most `maximumDepth` open elements, no entity
/// expansion except single characters.
struct XMPScanner {
  static let maximumDepth = 100

  /// The properties found before the scan ended.
  private(set) var properties: [XMPProperty] = []
  /// The top-level descriptions, in order.
  private(set) var descriptions: [XMPDescription] = []
  /// Namespace declarations outside the descriptions.
  private(set) var outerDeclarations: [Range<Int>] = []
  /// The offset at which the scan ended; the end of the packet unless it is not well-formed.
  private(set) var end = 0
  /// Indicates whether every opened element was closed.
  var isWellFormed: Bool { end == bytes.count && open.isEmpty }

  private let bytes: [UInt8]
  private var open: [Element] = []
  // The innermost declaration of a prefix is the last of its list; nil represents other namespaces.
  private var bindings: [String: [XMPNamespace?]] = [:]

  private enum Role { case outside, list, description, property, inside }

  private struct Element {
    let name: Range<Int>
    let namespace: XMPNamespace?
    let role: Role
    let start: Int
    let contentStart: Int
    let prefixes: [String]
    var hasElements = false
    var firstItem: Range<Int>?
  }

  /// Scans a packet: the bytes after the signature of its segment.
  init(_ packet: [UInt8]) {
    bytes = packet
    while end < bytes.count {
      guard let next = bytes.firstOffset(of: [0x3C], from: end) else {
        // A property that is never closed cannot be interpreted.
        end = open.first { $0.role == .property }?.start ?? bytes.count
        return
      }
      guard let after = markup(at: next) else {
        end = next
        return
      }
      end = after
    }
  }

  // MARK: Markup

  /// Reads markup that begins with "<"; returns the position after it, or nil if it is malformed.
  private mutating func markup(at start: Int) -> Int? {
    switch XMLMarkup(bytes, at: start) {
    case nil: return nil
    case .aside(let end): return end
    case .startTag(let tag):
      guard open.count < Self.maximumDepth else { return nil }
      opened(tag)
      if tag.isEmpty { closed(contentEnd: tag.end, after: tag.end, isEmpty: true) }
      return tag.end
    case .endTag(let name, let end):
      guard let element = open.last, bytes[element.name].elementsEqual(bytes[name]) else {
        return nil
      }
      closed(contentEnd: start, after: end, isEmpty: false)
      return end
    }
  }

  // MARK: Elements

  private mutating func opened(_ tag: XMLTag) {
    let (name, attributes) = (tag.name, tag.attributes)
    let parent = open.last?.role ?? .outside
    var declarations: [Range<Int>] = []
    let prefixes = attributes.compactMap { attribute in
      let prefix = bind(attribute)
      if prefix != nil { declarations.append(attribute.whole) }
      return prefix
    }
    let (namespace, local) = resolve(name, isAttribute: false)
    let role: Role =
      switch parent {
      case .outside: namespace == .rdf && local == "RDF" ? .list : .outside
      case .list: namespace == .rdf && local == "Description" ? .description : .inside
      case .description: .property
      case .property, .inside: .inside
      }
    if !open.isEmpty { open[open.count - 1].hasElements = true }
    open.append(
      Element(
        name: name, namespace: namespace, role: role, start: tag.start, contentStart: tag.end,
        prefixes: prefixes))
    if role == .outside || role == .list { outerDeclarations += declarations }
    guard role == .description else { return }
    descriptions.append(
      XMPDescription(
        name: name, attributesEnd: tag.end - (tag.isEmpty ? 2 : 1), content: tag.end..<tag.end,
        isEmpty: tag.isEmpty, declarations: declarations,
        about: attributes.first { bytes[$0.name].elementsEqual("rdf:about".utf8) }?.value))
    for attribute in attributes {
      let (namespace, local) = resolve(attribute.name, isAttribute: true)
      let name = bytes[attribute.name]
      guard namespace != .rdf, !name.starts(with: "xml".utf8) else { continue }
      properties.append(
        XMPProperty(
          namespace: namespace, name: local, form: .attribute,
          whole: attribute.name.lowerBound..<(attribute.value.upperBound + 1),
          value: attribute.value, firstItem: nil))
    }
  }

  private mutating func closed(contentEnd: Int, after: Int, isEmpty: Bool) {
    guard let element = open.popLast() else { return }
    let content = element.contentStart..<contentEnd
    let local = resolve(element.name, isAttribute: false).local
    for prefix in element.prefixes { _ = bindings[prefix]?.popLast() }
    if element.role == .description, !isEmpty {
      descriptions[descriptions.count - 1].content = content
    } else if element.role == .property {
      descriptions[descriptions.count - 1].elements.append(element.start..<after)
      properties.append(
        XMPProperty(
          namespace: element.namespace, name: local,
          form: element.hasElements || isEmpty ? .structure : .element,
          whole: element.start..<after, value: content, firstItem: element.firstItem))
    } else if element.role == .inside, !open.isEmpty {
      let isItem = element.namespace == .rdf && local == "li" && !element.hasElements && !isEmpty
      let item = isItem ? content : element.firstItem
      if open[open.count - 1].firstItem == nil { open[open.count - 1].firstItem = item }
    }
  }

  // MARK: Namespaces

  /// Records a namespace declaration; returns its prefix, or nil if the attribute is not one.
  private mutating func bind(_ attribute: XMLTag.Attribute) -> String? {
    let name = bytes[attribute.name]
    let prefix: String
    if name.elementsEqual("xmlns".utf8) {
      prefix = ""
    } else if name.starts(with: "xmlns:".utf8) {
      prefix = String(decoding: name.dropFirst(6), as: UTF8.self)
    } else {
      return nil
    }
    let uri = XMPText.decoded(bytes[attribute.value])
    bindings[prefix, default: []].append(XMPNamespace(rawValue: uri))
    return prefix
  }

  private func resolve(
    _ name: Range<Int>, isAttribute: Bool
  ) -> (namespace: XMPNamespace?, local: String) {
    let colon = bytes[name].firstIndex(of: 0x3A)
    let local = String(
      decoding: bytes[(colon.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound], as: UTF8.self)
    // An attribute without a prefix has no namespace, regardless of xmlns.
    if colon == nil, isAttribute { return (nil, local) }
    let prefix = colon.map { String(decoding: bytes[name.lowerBound..<$0], as: UTF8.self) } ?? ""
    if let bound = bindings[prefix]?.last { return (bound, local) }
    return (XMPNamespace.allCases.first { $0.usualPrefix == prefix }, local)
  }
}

/// A top-level description of an XMP packet, and the ranges of its parts.
struct XMPDescription {
  /// The name of its tag.
  let name: Range<Int>
  /// The offset of the "/" or ">" that ends its start tag.
  let attributesEnd: Int
  /// The content between its tags; empty at the end of the start tag unless it was closed.
  var content: Range<Int>
  /// Indicates whether it is an empty-element tag.
  let isEmpty: Bool
  /// Its own namespace declarations.
  let declarations: [Range<Int>]
  /// The value of its rdf:about attribute.
  let about: Range<Int>?
  /// Its properties that are written as elements.
  var elements: [Range<Int>] = []
}
