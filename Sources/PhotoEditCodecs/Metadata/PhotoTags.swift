// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
// Swift's own normalization; Foundation's is not in FoundationEssentials.
@_spi(_Unicode) import Swift

/// The texts, keywords, rating, label and people that a file states about its photo.
package struct PhotoTags: Hashable, Sendable {
  private var texts: [MetadataName: String] = [:]
  /// The keywords as stored by `KeywordPath`.
  package var keywords: [String] = []
  /// Stars from 1 to 5, or -1 for rejected; nil for none.
  package var rating: Int?
  /// The color of the label in lower case; nil for none.
  package var label: String?
  /// The names of the people in the photo.
  package var people: [String] = []
  /// The regions of the stored image with faces and other objects.
  package var regions = PhotoRegions()

  /// The colors of labels.
  package static let labels = ["red", "yellow", "green", "blue", "purple"]

  package init() {}

  /// A text, such as the title; nil if not stated.
  package subscript(name: MetadataName) -> String? {
    get { texts[name] }
    set { texts[name] = newValue }
  }

  /// Reads a packet and the keywords of other metadata.
  ///
  /// - Parameters:
  ///   - flat: Keywords without hierarchy: those of the packet, else those of IPTC.
  ///   - isOwn: Whether photoedit wrote the packet, whose list of paths is then complete.
  ///   - isFlatNewer: Whether keywords that are missing in `flat` were removed.
  init(
    _ packet: XMPPacket?, flat: [String], isOwn: Bool = false, isFlatNewer: Bool = false
  ) {
    var paths = packet.map { Self.paths($0, isOwn: isOwn) } ?? []
    if isFlatNewer {
      let known = Set(flat.map { $0.lowercased() })
      paths.removeAll { !known.contains(KeywordPath.name($0).lowercased()) }
    }
    if let packet, !isOwn { paths += Self.categories(packet) }
    // Other programs repeat each level of a path, or its last one, in the flat list.
    let levels = Set(
      paths.flatMap { KeywordPath.searchTerms($0) }.map { KeywordPath.text($0).lowercased() })
    let others = isOwn ? [] : flat.compactMap { KeywordPath.normalized($0, separator: nil) }
    keywords = KeywordPath.set(
      paths + others.filter { !levels.contains(KeywordPath.text($0).lowercased()) })
    guard let packet else { return }
    rating = Self.rating(packet)
    label = Self.label(packet, isOwn: isOwn)
    regions = PhotoRegions(packet)
    people = Self.names(
      MetadataName.people.xmp.flatMap { packet.items($0) } + (isOwn ? [] : Self.people(packet)))
  }

  /// Returns the keywords with hierarchy; a path that begins another one is not repeated.
  ///
  /// A packet of photoedit has all of them in digiKam's list, where a "|" is part of a name.
  private static func paths(_ packet: XMPPacket, isOwn: Bool) -> [String] {
    func list(_ name: XMPName, _ separator: Unicode.Scalar) -> [String] {
      packet.items(name).compactMap { KeywordPath.normalized($0, separator: separator) }
    }
    let own = list(.tagsList, "/")
    return isOwn ? own : own + MetadataName.hierarchicalKeywords.flatMap { list($0, "|") }
  }

  /// Returns the categories that ACDSee has assigned, as keywords with their hierarchy.
  ///
  /// It stores a tree of elements as text: the name of a category follows its tag, and an attribute
  /// tells those of the photo from the others.
  private static func categories(_ packet: XMPPacket) -> [String] {
    let bytes = Array((packet.text(.acdSeeCategories) ?? "").utf8)
    var found: [String] = []
    var path: [String] = []
    var position = 0
    while let next = bytes.firstOffset(of: [0x3C], from: position),
      found.count < XMPPacket.maximumItems
    {
      switch XMLMarkup(bytes, at: next) {
      case nil, .aside: return found
      case .endTag(_, let end):
        position = end
        _ = path.popLast()
      case .startTag(let tag):
        position = tag.end
        if tag.isEmpty { continue }
        path.append(XMPText.decoded(bytes[tag.end...].prefix { $0 != 0x3C }))
        guard tag.attributes.contains(where: { bytes[$0.value].elementsEqual("1".utf8) }) else {
          continue
        }
        // The first element is the list.
        let levels = path.dropFirst()
        guard levels.count <= KeywordPath.maximumDepth,
          let keyword = KeywordPath.normalized(levels.joined(separator: "\n"), separator: "\n")
        else { continue }
        found.append(keyword)
      }
    }
    return found
  }

  /// Returns the color of the label; digiKam and darktable have numbers for it.
  private static func label(_ packet: XMPPacket, isOwn: Bool) -> String? {
    if let label = packet.text(MetadataName.label.xmp[0])?.lowercased() {
      return labels.first { MetadataText.clean(label) == $0 }
    }
    if isOwn { return nil }
    // darktable counts these colors from 0. digiKam has nine, with orange as 2, magenta as 6.
    let darktable = packet.items(.darktableLabels).lazy.compactMap { Int($0) }.first
    let digiKam = packet.text(.digiKamLabel).flatMap { Int($0) }
    let index = darktable ?? digiKam.flatMap { [1: 0, 3: 1, 4: 2, 5: 3, 6: 4][$0] }
    return index.flatMap { labels.indices.contains($0) ? labels[$0] : nil }
  }

  private static func rating(_ packet: XMPPacket) -> Int? {
    func stars(_ name: XMPName) -> Int? {
      packet.text(name).flatMap { XMPText.number($0) }.flatMap {
        (-1...5).contains($0) ? Int($0) : nil
      }
    }
    let names = MetadataName.rating.xmp
    if let stars = stars(names[0]) { return stars == 0 ? nil : stars }
    // Windows writes a percentage.
    let percent = names.dropFirst().filter { $0 != .acdSeeRating }.lazy
      .compactMap { packet.text($0).flatMap { XMPText.number($0) } }.first
    if let percent, (1...100).contains(percent) {
      return 1 + [25, 50, 75, 99].count { percent >= $0 }
    }
    return stars(.acdSeeRating).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Returns the names of faces, also of those whose position is not stated.
  private static func people(_ packet: XMPPacket) -> [String] {
    var names: [String] = []
    for property in packet.scan.properties where property.form == .structure {
      let isGroup = property.isNamed(.regions, "Regions")
      guard isGroup || property.isNamed(.microsoftPhoto, "RegionInfo"),
        let tree = XMPTree(packet.bytes, property.whole)
      else { continue }
      let list = isGroup ? tree.first("RegionList", in: 0) : 0
      for item in list.map({ tree.items(in: $0) }) ?? []
      where !isGroup || tree.text("Type", in: item) ?? "Face" == "Face" {
        let name = tree.text(isGroup ? "Name" : "PersonDisplayName", in: item)
        if let name { names.append(name) }
      }
    }
    return names
  }

  /// Returns names as a set for the library: cleaned, without those that are too long.
  package static func names(_ names: [String]) -> [String] {
    KeywordPath.set(names.compactMap { name($0) })
  }

  /// Returns a name as stored: in Unicode normalization form C and trimmed; nil if nothing is left
  /// or it is too long.
  package static func name(_ text: String) -> String? {
    guard text.utf8.count <= KeywordPath.maximumBytes * 4,
      let name = MetadataText.clean(String(String.UnicodeScalarView(text._nfc))),
      name.utf8.count <= KeywordPath.maximumBytes
    else { return nil }
    return name
  }
}

/// The rules for keywords: names from the most general to the most specific, joined by slashes.
package enum KeywordPath {
  /// The maximum number of keywords of one photo.
  package static let maximumCount = 200
  /// The maximum length of a keyword in UTF-8 bytes.
  package static let maximumBytes = 256
  /// The maximum number of levels.
  package static let maximumDepth = 16

  /// The character that is stored for a slash in a name, such as that of AC/DC: the division slash.
  package static let slash: Unicode.Scalar = "\u{2215}"

  /// Returns a keyword as stored: in Unicode normalization form C, with trimmed levels and without
  /// empty ones; nil if nothing is left or a limit is exceeded.
  ///
  /// - Parameter separator: The character between levels; nil for a name without a hierarchy. Any
  ///   other slash is part of a name.
  package static func normalized(_ text: String, separator: Unicode.Scalar? = "/") -> String? {
    guard text.utf8.count <= maximumBytes * 4 else { return nil }
    let composed = String(String.UnicodeScalarView(text._nfc))
    let levels = (separator.map { composed.parts(at: $0) } ?? [composed])
      .compactMap { MetadataText.clean($0) }
      .map { separator == "/" ? $0 : $0.replacing(scalar: "/", with: slash) }
    let path = levels.joined(separator: "/")
    guard (1...maximumDepth).contains(levels.count), path.utf8.count <= maximumBytes else {
      return nil
    }
    return path
  }

  /// Returns different keywords sorted by their bytes; those beyond the limit are omitted.
  package static func set(_ keywords: some Sequence<String>) -> [String] {
    var seen: Set<[UInt8]> = []
    return keywords.filter { seen.insert(Array($0.utf8)).inserted }.prefix(maximumCount)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the texts by which a search finds a keyword: every run of its levels.
  ///
  /// "Places/Portugal/Lisbon" is found as itself, by its parents "Places" and "Places/Portugal", and
  /// by "Portugal", "Lisbon" and "Portugal/Lisbon".
  package static func searchTerms(_ keyword: String) -> [String] {
    let levels = keyword.parts(at: "/").prefix(maximumDepth)
    return levels.indices.flatMap { start in
      (start..<levels.endIndex).map { levels[start...$0].joined(separator: "/") }
    }
  }

  /// Returns the last level as people write it.
  package static func name(_ keyword: String) -> String {
    text(keyword.parts(at: "/").last ?? keyword)
  }

  /// Returns a keyword as people write it; a slash in a name is one again.
  package static func text(_ keyword: String) -> String {
    keyword.replacing(scalar: slash, with: "/")
  }

  /// Returns the keyword that a text means: one of those known that is written in this way, or else
  /// the text itself, whose slashes separate levels.
  package static func resolved(_ text: String, among known: [String]) -> String {
    known.contains(text) ? text : known.first { Self.text($0) == text } ?? text
  }
}
