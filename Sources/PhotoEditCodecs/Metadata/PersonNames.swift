// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// The names of the people in a photo, for finding them among its keywords.
///
/// digiKam, Lightroom, ACDSee and Windows repeat each person as a keyword: with a hierarchy that
/// begins with "People", and as a plain one.
struct PersonNames: Hashable {
  /// The keywords above people in the hierarchies of these programs, in the usual languages.
  private static let roots: Set<String> = [
    "people", "persons", "person", "faces", "personen", "gesichter", "personnes", "visages",
    "personas", "caras", "persone", "volti", "pessoas", "rostos", "люди", "лица", "人物", "人々",
  ]
  /// Fields of regions and other structures that hold a name.
  private static let fields: Set<String> = ["Name", "PersonDisplayName", "PersonName"]
  /// The maximum number of names.
  private static let maximumCount = 10_000

  /// The names in lower case.
  private var names: Set<String> = []

  /// Creates an empty list.
  init() {}

  /// Collects the names in XMP packets.
  init(_ packets: [XMPPacket]) {
    for packet in packets {
      for property in packet.scan.properties {
        if property.isKeywords {
          for keyword in Self.texts(of: property, in: packet) { add(below: Self.path(keyword)) }
        } else if [.regions, .microsoftPhoto, .appleFaces, .acdSeeRegions].contains(
          property.namespace)
          || PropertyMeaning.people.describes(property.name)
        {
          for text in Self.texts(of: property, in: packet) { add(text) }
        }
      }
    }
  }

  private mutating func add(_ text: String) {
    let name = text.lowercased()
    // Numbers are coordinates of regions.
    guard names.count < Self.maximumCount, name.contains(where: \.isLetter), name.count > 1 else {
      return
    }
    names.insert(name)
  }

  private mutating func add(below path: [String]) {
    guard let root = path.firstIndex(where: { Self.roots.contains($0.lowercased()) }) else {
      return
    }
    for name in path[(root + 1)...] { add(name) }
  }

  /// Returns whether a keyword, with or without a hierarchy, names a person.
  func contain(keyword: String) -> Bool {
    let path = Self.path(keyword).map { $0.lowercased() }
    guard let last = path.last else { return false }
    if names.contains(last) || names.contains(keyword.lowercased()) { return true }
    return path.dropLast().contains { Self.roots.contains($0) }
  }

  /// Returns whether a text with several keywords names a person.
  func occur(inList text: String) -> Bool {
    text.split { ",;<>\n".contains($0) }.contains { contain(keyword: Self.trimmed($0)) }
  }

  /// Returns whether a property with keywords that are not a plain list names a person.
  func occur(in property: XMPProperty, of packet: XMPPacket) -> Bool {
    guard property.isKeywords else { return false }
    guard property.form == .structure else {
      let text = XMPText.decoded(packet.bytes[property.value])
      // ACDSee stores nested elements as text.
      return occur(inList: text) || (text.contains("<") && Self.nestedRoots(in: text))
    }
    guard let tree = XMPTree(packet.bytes, property.whole) else { return true }
    let areNested = tree.items(in: 0).contains { !tree.nodes[$0].children.isEmpty }
    return areNested
      && Self.texts(of: property, in: packet).contains {
        contain(keyword: $0) || Self.roots.contains($0.lowercased())
      }
  }

  /// Returns the ranges of the items of a plain list that name people, and whether they are all.
  func items(
    of property: XMPProperty, in packet: XMPPacket
  ) -> (ranges: [Range<Int>], areAll: Bool) {
    guard property.isKeywords, property.form == .structure,
      let tree = XMPTree(packet.bytes, property.whole)
    else { return ([], false) }
    let items = tree.items(in: 0).map { tree.nodes[$0] }
    let personal = items.filter { contain(keyword: XMPText.decoded(packet.bytes[$0.content])) }
    return (personal.map(\.whole), personal.count == items.count)
  }

  private static func nestedRoots(in text: String) -> Bool {
    text.split { "<>".contains($0) }.contains { roots.contains(trimmed($0).lowercased()) }
  }

  /// Returns the texts of a property: its value, the leaves of its elements, and fields with names.
  private static func texts(of property: XMPProperty, in packet: XMPPacket) -> [String] {
    guard property.form == .structure else {
      return XMPText.decoded(packet.bytes[property.value]).split { ",;".contains($0) }
        .map { trimmed($0) }
    }
    guard let tree = XMPTree(packet.bytes, property.whole) else { return [] }
    return tree.nodes.flatMap { node in
      let ranges =
        node.tag.attributes
        .filter { fields.contains(XMPTree.local(packet.bytes, $0.name)) }.map(\.value)
        + (node.children.isEmpty ? [node.content] : [])
      return ranges.map { trimmed(XMPText.decoded(packet.bytes[$0])) }
    }
  }

  private static func path(_ keyword: String) -> [String] {
    keyword.split { "/|\\".contains($0) }.map { trimmed($0) }.filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    func isBlank(_ character: Character) -> Bool { character.isWhitespace }
    let start = text.drop(while: isBlank)
    return String(String(start.reversed()).drop(while: isBlank).reversed())
  }
}

extension XMPProperty {
  /// Indicates whether the property holds keywords, in any namespace.
  var isKeywords: Bool {
    let small = name.lowercased()
    return ["keyword", "tagslist", "categories", "catalogsets"].contains { small.contains($0) }
      || small == "tags" || small.hasSuffix("subject")
  }
}
