// SPDX-License-Identifier: Apache-2.0

/// Finds the properties of the described picture in an XMP packet, without building a tree.
///
/// Only properties of top-level descriptions count: the same names deeper inside, in a history or a
/// pantry, describe other pictures. One pass, at most `maximumDepth` open elements, no entity
/// expansion beyond single characters.
struct XMPScanner {
  static let maximumDepth = 100

  /// What was found before the scan ended.
  private(set) var properties: [XMPProperty] = []
  /// Where the scan ended; the end of the packet unless it is not well-formed.
  private(set) var end = 0
  /// Whether every element that was opened was closed.
  var isWellFormed: Bool { end == bytes.count && open.isEmpty }

  private let bytes: [UInt8]
  private var open: [Element] = []
  // The innermost declaration of a prefix is the last of its list; nil stands for other namespaces.
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

  private struct Attribute {
    let name: Range<Int>
    let value: Range<Int>
  }

  /// Scans a packet: the bytes behind the signature of its segment.
  init(_ packet: [UInt8]) {
    bytes = packet
    while end < bytes.count {
      guard let next = bytes.firstOffset(of: [0x3C], from: end) else {
        // A property that is never closed was not understood.
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

  /// Reads what begins with "<"; gives the position behind it, or nil when it is broken.
  private mutating func markup(at start: Int) -> Int? {
    if bytes.has(Array("<?".utf8), at: start) { return position(behind: "?>", from: start + 2) }
    if bytes.has(Array("<!--".utf8), at: start) { return position(behind: "-->", from: start + 4) }
    if bytes.has(Array("<![CDATA[".utf8), at: start) {
      return position(behind: "]]>", from: start + 9)
    }
    // A document type could declare entities; XMP has none.
    if bytes.has(Array("<!".utf8), at: start) { return nil }
    if bytes.has(Array("</".utf8), at: start) { return endTag(at: start) }
    return startTag(at: start)
  }

  private func position(behind text: String, from start: Int) -> Int? {
    bytes.firstOffset(of: Array(text.utf8), from: start).map { $0 + text.utf8.count }
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func skipBlanks(_ start: Int) -> Int {
    var i = start
    while i < bytes.count, isBlank(bytes[i]) { i += 1 }
    return i
  }

  /// Whether a byte is one of / = > < " ' or zero, none of which is part of a name.
  private static func endsName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00, 0x22, 0x27, 0x2F, 0x3C, 0x3D, 0x3E: true
    default: false
    }
  }

  private func name(at start: Int) -> Range<Int>? {
    var i = start
    while i < bytes.count, !isBlank(bytes[i]), !Self.endsName(bytes[i]) { i += 1 }
    return i == start ? nil : start..<i
  }

  private mutating func startTag(at start: Int) -> Int? {
    guard open.count < Self.maximumDepth, let name = name(at: start + 1) else { return nil }
    var attributes: [Attribute] = []
    var i = name.upperBound
    while true {
      i = skipBlanks(i)
      guard i < bytes.count else { return nil }
      if bytes[i] == 0x3E { break }
      if bytes[i] == 0x2F {
        guard bytes.has([0x2F, 0x3E], at: i) else { return nil }
        break
      }
      guard let attribute = attribute(at: i) else { return nil }
      attributes.append(attribute)
      i = attribute.value.upperBound + 1
    }
    let isEmpty = bytes[i] == 0x2F
    let after = i + (isEmpty ? 2 : 1)
    opened(name: name, attributes: attributes, start: start, after: after)
    if isEmpty { closed(contentEnd: after, after: after, isEmpty: true) }
    return after
  }

  private func attribute(at start: Int) -> Attribute? {
    guard let name = name(at: start) else { return nil }
    var i = skipBlanks(name.upperBound)
    guard i < bytes.count, bytes[i] == 0x3D else { return nil }
    i = skipBlanks(i + 1)
    guard i < bytes.count, bytes[i] == 0x22 || bytes[i] == 0x27,
      let close = bytes.firstOffset(of: [bytes[i]], from: i + 1)
    else { return nil }
    return Attribute(name: name, value: (i + 1)..<close)
  }

  private mutating func endTag(at start: Int) -> Int? {
    guard let name = name(at: start + 2), let element = open.last,
      bytes[element.name].elementsEqual(bytes[name])
    else { return nil }
    let close = skipBlanks(name.upperBound)
    guard close < bytes.count, bytes[close] == 0x3E else { return nil }
    closed(contentEnd: start, after: close + 1, isEmpty: false)
    return close + 1
  }

  // MARK: Elements

  private mutating func opened(
    name: Range<Int>, attributes: [Attribute], start: Int, after: Int
  ) {
    let prefixes = attributes.compactMap { bind($0) }
    let (namespace, local) = resolve(name, isAttribute: false)
    let parent = open.last?.role ?? .outside
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
        name: name, namespace: namespace, role: role, start: start, contentStart: after,
        prefixes: prefixes))
    guard role == .description else { return }
    for attribute in attributes {
      let (namespace, local) = resolve(attribute.name, isAttribute: true)
      guard let namespace, namespace != .rdf else { continue }
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
    if element.role == .property, let namespace = element.namespace {
      properties.append(
        XMPProperty(
          namespace: namespace, name: local,
          form: element.hasElements || isEmpty ? .structure : .element,
          whole: element.start..<after, value: content, firstItem: element.firstItem))
    } else if element.role == .inside, !open.isEmpty {
      let isItem = element.namespace == .rdf && local == "li" && !element.hasElements && !isEmpty
      let item = isItem ? content : element.firstItem
      if open[open.count - 1].firstItem == nil { open[open.count - 1].firstItem = item }
    }
  }

  // MARK: Namespaces

  /// Notes a namespace declaration; gives its prefix, or nil when the attribute is none.
  private mutating func bind(_ attribute: Attribute) -> String? {
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
    // An attribute without a prefix has no namespace, whatever xmlns says.
    if colon == nil, isAttribute { return (nil, local) }
    let prefix = colon.map { String(decoding: bytes[name.lowerBound..<$0], as: UTF8.self) } ?? ""
    if let bound = bindings[prefix]?.last { return (bound, local) }
    return (XMPNamespace.allCases.first { $0.usualPrefix == prefix }, local)
  }
}
