// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// The names of the people in a photo and of its places, for finding them among its keywords.
///
/// digiKam, Lightroom, ACDSee and Windows repeat each person as a keyword: with a hierarchy that
/// begins with "People", and as a plain one. Places have a hierarchy of their own.
struct PersonNames: Hashable {
  /// The keywords above people and places in the hierarchies of these programs, in the usual
  /// languages.
  private static let roots: [PropertyMeaning: Set<String>] = [
    .people: [
      "people", "persons", "person", "faces", "family", "friends", "personen", "gesichter",
      "menschen", "leute", "familie", "freunde", "personnes", "gens", "visages", "famille", "amis",
      "personas", "gente", "caras", "familia", "amigos", "persone", "volti", "famiglia", "amici",
      "pessoas", "rostos", "família", "mensen", "gezichten", "vrienden", "personer", "människor",
      "mennesker", "ansigter", "henkilöt", "ihmiset", "osoby", "ludzie", "rodzina", "lidé",
      "rodina", "emberek", "kişiler", "люди", "лица", "семья", "друзья", "人物", "人々", "人",
      "家族", "家人", "사람", "인물", "가족",
    ],
    .location: [
      "places", "place", "locations", "location", "countries", "country", "cities", "city",
      "geography", "geo", "orte", "ort", "länder", "städte", "standorte", "aufnahmeorte",
      "geographie", "geografie", "lieux", "lieu", "pays", "villes", "lugares", "lugar", "países",
      "ciudades", "cidades", "luoghi", "luogo", "paesi", "città", "plaatsen", "locaties", "landen",
      "steder", "platser", "paikat", "miejsca", "kraje", "místa", "helyek", "yerler", "места",
      "страны", "города", "地点", "地點", "場所", "地名", "장소",
    ],
  ]
  /// Fields of regions and other structures that hold a name.
  private static let fields: Set<String> = ["Name", "PersonDisplayName", "PersonName"]
  /// The maximum number of names.
  private static let maximumCount = 10_000

  /// The meanings to be found, each with its names in lower case.
  private var names: [PropertyMeaning: Set<String>] = [:]

  /// Creates a list that finds nothing.
  init() {}

  /// Collects the names in XMP packets that are to be stripped.
  init(_ packets: [XMPPacket], strip: MetadataRemoval) {
    for meaning in Self.roots.keys where strip.contains(meaning.removal) { names[meaning] = [] }
    if names.isEmpty { return }
    for packet in packets {
      for property in packet.scan.properties {
        if property.isKeywords {
          let texts = Self.texts(of: property, in: packet)
          for keyword in texts { add(below: Self.path(keyword)) }
          for text in texts where text.contains("<") { add(nestedIn: text) }
        } else if [.regions, .microsoftPhoto, .appleFaces, .acdSeeRegions].contains(
          property.namespace)
          || PropertyMeaning.people.describes(property.name)
        {
          for text in Self.texts(of: property, in: packet) { add(text, .people) }
        }
      }
    }
  }

  private mutating func add(_ text: String, _ meaning: PropertyMeaning) {
    let name = text.lowercased()
    // Numbers are coordinates of regions.
    guard let count = names[meaning]?.count, count < Self.maximumCount,
      name.contains(where: \.isLetter), name.count > 1
    else { return }
    names[meaning]?.insert(name)
  }

  private mutating func add(below path: [String]) {
    let path = path.map { $0.lowercased() }
    for meaning in PropertyMeaning.allCases {
      guard let root = path.firstIndex(where: { isRoot($0, meaning) }) else { continue }
      for name in path[(root + 1)...] { add(name, meaning) }
    }
  }

  /// Adds the names below the keywords in nested elements, which ACDSee stores as text.
  private mutating func add(nestedIn text: String) {
    var path: [String] = []
    for part in text.split(separator: "<") {
      if part.hasPrefix("/") {
        _ = path.popLast()
      } else {
        path.append(part.firstIndex(of: ">").map { Self.trimmed(part[$0...].dropFirst()) } ?? "")
        add(below: path)
      }
    }
  }

  private func isRoot(_ name: String, _ meaning: PropertyMeaning) -> Bool {
    names[meaning] != nil && Self.roots[meaning]?.contains(name) == true
  }

  /// Returns whether a keyword, with or without a hierarchy, has a name of a meaning.
  func contain(keyword: String, as meaning: PropertyMeaning) -> Bool {
    let path = Self.path(keyword).map { $0.lowercased() }
    guard let names = names[meaning], let last = path.last else { return false }
    if names.contains(last) || names.contains(keyword.lowercased()) { return true }
    return path.dropLast().contains { isRoot($0, meaning) }
  }

  /// Returns the meaning for which a keyword is to be stripped; nil to keep it.
  func meaning(ofKeyword keyword: String) -> PropertyMeaning? {
    PropertyMeaning.allCases.first { contain(keyword: keyword, as: $0) }
  }

  /// Returns whether a property with keywords that are not a plain list has a name of a meaning.
  func occur(in property: XMPProperty, of packet: XMPPacket, as meaning: PropertyMeaning) -> Bool {
    guard property.isKeywords, names[meaning] != nil else { return false }
    guard property.form == .structure else {
      // ACDSee stores nested elements as text.
      let text = XMPText.decoded(packet.bytes[property.value])
      return text.split { ",;<>\n".contains($0) }.contains { part in
        let keyword = Self.trimmed(part)
        return contain(keyword: keyword, as: meaning)
          || (text.contains("<") && isRoot(keyword.lowercased(), meaning))
      }
    }
    guard let tree = XMPTree(packet.bytes, property.whole) else { return true }
    let areNested = tree.items(in: 0).contains { !tree.nodes[$0].children.isEmpty }
    return areNested
      && Self.texts(of: property, in: packet).contains {
        contain(keyword: $0, as: meaning) || isRoot($0.lowercased(), meaning)
      }
  }

  /// Returns the ranges of the items of a plain list that have names of a meaning, and whether
  /// they are all.
  func items(
    of property: XMPProperty, in packet: XMPPacket, as meaning: PropertyMeaning
  ) -> (ranges: [Range<Int>], areAll: Bool) {
    guard property.isKeywords, property.form == .structure,
      let tree = XMPTree(packet.bytes, property.whole)
    else { return ([], false) }
    let items = tree.items(in: 0).map { tree.nodes[$0] }
    let meant = items.filter {
      contain(keyword: XMPText.decoded(packet.bytes[$0.content]), as: meaning)
    }
    return (meant.map(\.whole), meant.count == items.count)
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
    let parts = ["keyword", "tagslist", "tagstructure", "categories", "catalogsets"]
    return parts.contains { small.contains($0) }
      || small == "tags" || small.hasSuffix("subject")
  }
}
