// SPDX-License-Identifier: Apache-2.0

/// The recognition of locations in the names, texts and packets of metadata.
///
/// It errs on the side of finding one: what it overlooks stays in a video that is given away.
enum LocationText {
  /// Indicates whether a value of this name is a location, such as "LOCATION-eng".
  static func isKey(_ name: String) -> Bool {
    let name = name.lowercased()
    let words = Set(name.split { !$0.isLetter }.map(String.init))
    return keyParts.contains { name.contains($0) } || !words.isDisjoint(with: placeWords)
  }

  /// Indicates whether a text has a position: coordinates with a name, in degrees, in the notation
  /// of ISO 6709 or of receivers, or two numbers as exact as coordinates.
  static func hasPosition(_ bytes: some Sequence<UInt8>) -> Bool {
    // UTF-16 becomes readable without its zeros.
    let text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self).lowercased()
    guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return false }
    let notations = [
      #/
        (?: gps[a-z]{0,12} | (?: ^ | [^a-z] ) (?: home\ ?\( | lat(?:itude)? | lng | lon(?:gt?itude)? ) )
        [^a-z0-9]{0,12} [nsew]? [^a-z0-9]{0,4} [0-9]{1,5} (?: [.,:°][0-9\ ] | \ ?deg )
      /#,
      #/\$g[a-z](?:rmc|gga|gll|gns)/#,
      #/[+\-][0-9]{2,6}\.[0-9]+[+\-][0-9]{3,7}\.[0-9]+/#,
      #/[+\-][0-9]{2,6}[+\-][0-9]{3,7}(?:[+\-][0-9]+)?\//#,
      #/[0-9] ?°[^a-z]{0,20}[nsew](?![a-z])/#,
      #/[0-9]{1,3}\.[0-9]{4,}°? ?[,;\/ ] ?-?[0-9]{1,3}\.[0-9]{4,}/#,
    ]
    return notations.contains { text.contains($0) }
  }

  /// Indicates whether a value has a position, or is an image with metadata of its own.
  static func isIn(value: some Collection<UInt8>) -> Bool {
    if value.count <= MovieLimits.maximumTagBytes { return hasPosition(value) }
    let text = String(decoding: value, as: UTF8.self)
    return ["Exif", "ns.adobe.com"].contains { text.contains($0) }
  }

  /// Indicates whether XML, such as a packet of XMP, has properties of positions or places.
  static func isIn(xml bytes: some Sequence<UInt8>) -> Bool {
    isKey(String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self))
  }

  private static let keyParts = [
    "location", "gps", "latitude", "longitude", "iso6709", "geotag", "coordinate",
  ]

  private static let placeWords: Set<String> = [
    "address", "altitude", "city", "country", "countrycode", "countryname", "loci", "place",
    "province", "provincestate", "state", "worldregion", "xyz",
  ]
}
