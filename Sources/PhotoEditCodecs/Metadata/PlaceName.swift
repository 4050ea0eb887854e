// SPDX-License-Identifier: Apache-2.0

/// The rule by which a property of any namespace counts as a place: by the words of its name.
///
/// Programs write places in namespaces of their own, so no list of namespaces is ever complete. The
/// words are those of the places in the tables of ExifTool 12 and of Darwin Core.
enum PlaceName {
  /// Names with such a word are about where something is on the earth.
  private static let words: Set<String> = [
    "altitude", "city", "continent", "coordinate", "coordinates", "country", "county", "district",
    "elevation", "footprint", "gps", "island", "landmark", "lat", "latitude", "lng", "locality",
    "location", "lon", "longitude", "longtitude", "municipality", "place", "province",
    "sublocation", "town", "village", "wgs",
  ]
  /// Whole names that no word tells, as they are written; "Alt" is a list of RDF.
  private static let names: Set<String> = [
    "alt", "long", "state", "State", "waterBody", "WaterBody",
  ]
  /// The beginnings of names that are not about a place of the picture: the latitude of the speed
  /// of a film, a point in the picture, the angle of a camera, addresses of people to write to.
  private static let exceptions = [
    "CameraElevationAngle", "CiAdr", "ISOSpeedLatitude", "Licensor", "SubjectLocation",
  ]

  /// Whether a name without its prefix is that of a place.
  static func isPlace(_ name: some StringProtocol) -> Bool {
    if exceptions.contains(where: { name.hasPrefix($0) }) { return false }
    if names.contains(String(name)) || name.hasPrefix("EarthPos") { return true }
    return split(name).contains { word in
      words.contains(word) || word.hasPrefix("gps")
        || (word.hasPrefix("geo") && !word.hasPrefix("geom") && !word.hasPrefix("geolog"))
    }
  }

  /// Whether a tag in a part of an XMP packet, or an attribute of one, has the name of a place.
  ///
  /// A part that cannot be read counts as one.
  static func occurs(in bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    while let next = bytes.firstOffset(of: [0x3C], from: position), next < range.upperBound {
      switch XMLMarkup(bytes, at: next) {
      case nil: return true
      case .aside(let end): position = end ?? bytes.count
      case .endTag(_, let end): position = end
      case .startTag(let tag):
        let names = tag.attributes.map(\.name).filter { !bytes[$0].starts(with: "xmlns".utf8) }
        if ([tag.name] + names).contains(where: { isPlace(XMPTree.local(bytes, $0)) }) {
          return true
        }
        position = tag.end
      }
    }
    return false
  }

  /// The words of a name such as "GPSDestLatitude" or "gps_latitude", in small letters.
  private static func split(_ name: some StringProtocol) -> [String] {
    let letters = Array(name.utf8)
    func isLarge(_ index: Int) -> Bool { (0x41...0x5A).contains(letters[index]) }
    func isSmall(_ index: Int) -> Bool { (0x61...0x7A).contains(letters[index]) }
    var words: [String] = []
    var word: [UInt8] = []
    for index in letters.indices {
      let isLetter = isLarge(index) || isSmall(index)
      // "GPSLatitude" begins a word at the "L": a large letter in front of a small one.
      let begins =
        isLarge(index) && index > 0
        && (isSmall(index - 1) || (index + 1 < letters.count && isSmall(index + 1)))
      if !isLetter || begins {
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        word = []
      }
      if isLetter { word.append(letters[index] | 0x20) }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}
