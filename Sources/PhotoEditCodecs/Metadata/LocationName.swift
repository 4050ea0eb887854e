// SPDX-License-Identifier: Apache-2.0

/// Decides by the words of its name whether a property of any namespace is a location.
///
/// Programs store locations in private namespaces, so no list of namespaces is ever complete. The
/// words are those used in the tables of ExifTool 12 and in Darwin Core.
enum LocationName {
  /// Names with one of these words denote a geographic location.
  private static let words: Set<String> = [
    "altitude", "city", "continent", "coordinate", "coordinates", "country", "county", "district",
    "elevation", "footprint", "gps", "island", "landmark", "lat", "latitude", "lng", "locality",
    "location", "lon", "longitude", "longtitude", "municipality", "place", "province",
    "sublocation", "town", "village", "wgs",
  ]
  /// Entire names that no word identifies, in their exact case; "Alt" is an RDF list.
  private static let names: Set<String> = [
    "alt", "long", "state", "State", "waterBody", "WaterBody",
  ]
  /// Prefixes of names that do not denote a location of the photo: the exposure latitude of the ISO
  /// speed, a point in the image, the angle of a camera, postal addresses of contacts.
  private static let exceptions = [
    "CameraElevationAngle", "CiAdr", "ISOSpeedLatitude", "Licensor", "SubjectLocation",
  ]

  /// Returns whether a name without its prefix denotes a location.
  static func isLocation(_ name: some StringProtocol) -> Bool {
    if exceptions.contains(where: { name.hasPrefix($0) }) { return false }
    if names.contains(String(name)) || name.hasPrefix("EarthPos") { return true }
    return split(name).contains { word in
      words.contains(word) || word.hasPrefix("gps")
        || (word.hasPrefix("geo") && !word.hasPrefix("geom") && !word.hasPrefix("geolog"))
    }
  }

  /// Returns whether a tag or attribute in a part of an XMP packet has the name of a location.
  ///
  /// A part that cannot be parsed counts as one.
  static func occurs(in bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    while let next = bytes.firstOffset(of: [0x3C], from: position), next < range.upperBound {
      switch XMLMarkup(bytes, at: next) {
      case nil: return true
      case .aside(let end): position = end ?? bytes.count
      case .endTag(_, let end): position = end
      case .startTag(let tag):
        let names = tag.attributes.map(\.name).filter { !bytes[$0].starts(with: "xmlns".utf8) }
        if ([tag.name] + names).contains(where: { isLocation(XMPTree.local(bytes, $0)) }) {
          return true
        }
        position = tag.end
      }
    }
    return false
  }

  /// Splits a name such as "GPSDestLatitude" or "gps_latitude" into lowercase words.
  private static func split(_ name: some StringProtocol) -> [String] {
    let letters = Array(name.utf8)
    func isLarge(_ index: Int) -> Bool { (0x41...0x5A).contains(letters[index]) }
    func isSmall(_ index: Int) -> Bool { (0x61...0x7A).contains(letters[index]) }
    var words: [String] = []
    var word: [UInt8] = []
    for index in letters.indices {
      let isLetter = isLarge(index) || isSmall(index)
      // In "GPSLatitude" a word begins at the "L": an uppercase letter before a lowercase one.
      let startsWord =
        isLarge(index) && index > 0
        && (isSmall(index - 1) || (index + 1 < letters.count && isSmall(index + 1)))
      if !isLetter || startsWord {
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        word = []
      }
      if isLetter { word.append(letters[index] | 0x20) }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}
