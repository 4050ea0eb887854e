// SPDX-License-Identifier: Apache-2.0

extension XMPPatch {
  /// Returns the kind of `MetadataRemoval` by which a property is removed; nil to keep it.
  func strip(of property: XMPProperty) -> String? {
    let strip = facts.strip
    if strip.isEmpty { return nil }
    if strip.contains(.dates), Self.isDate(property) { return "dates" }
    if strip.contains(.location), isLocation(property) { return "location" }
    if strip.contains(.people), Self.isPerson(property) { return "people" }
    if strip.contains(.device), Self.isDevice(property) { return "device" }
    // Ingredients contain complete copies of their own metadata.
    let isCopy =
      property.namespace == .mediaManagement && ["Pantry", "Ingredients"].contains(property.name)
    return isCopy ? strip.firstName : nil
  }

  /// Returns whether a property, or anything inside it, describes a location.
  private func isLocation(_ property: XMPProperty) -> Bool {
    let name = property.name
    switch property.namespace {
    case .cell: return true
    case .dublinCore where name == "coverage": return true
    // The postal address of a contact.
    case .iptcCore where name == "CreatorContactInfo": return false
    default: break
    }
    if LocationName.isLocation(name) { return true }
    return property.form == .structure && LocationName.occurs(in: packet.bytes, property.whole)
  }

  private static func isDate(_ property: XMPProperty) -> Bool {
    let name = property.name
    return switch property.namespace {
    case .exif, .exifExtended, .exifAuxiliary:
      ["GPSTimeStamp", "GPSDateStamp"].contains(name) || name.hasPrefix("DateTime")
        || name.hasPrefix("OffsetTime")
    case .photoshop: name == "DateCreated"
    // The history contains dates and devices.
    case .mediaManagement: name == "History"
    case .dublinCore: name == "date"
    case .dynamicMedia, .xmp: name.hasSuffix("Date")
    case .tiff: name == "DateTime"
    default: false
    }
  }

  private static func isPerson(_ property: XMPProperty) -> Bool {
    let name = property.name
    return switch property.namespace {
    case .iptcExtension: name.hasPrefix("PersonInImage") || name == "ImageRegion"
    case .regions, .microsoftPhoto, .appleFaces: true
    default: false
    }
  }

  private static func isDevice(_ property: XMPProperty) -> Bool {
    let name = property.name
    return switch property.namespace {
    case .exif, .exifExtended, .exifAuxiliary:
      name.hasSuffix("SerialNumber") || name.hasSuffix("OwnerName") || name == "ImageUniqueID"
        || name == "MakerNote"
    case .drone: name.hasSuffix("SerialNumber")
    case .mediaManagement, .livePhoto: true
    default: false
    }
  }

  /// Returns lowercase words that a packet must not contain after stripping, in any notation; if
  /// they occur in parts that cannot be parsed, the entire packet is left out.
  static func forbiddenWords(of strip: MetadataRemoval) -> [String] {
    var forbiddenWords: [String] = []
    if strip.contains(.location) {
      forbiddenWords += ["gpsl", "gpsdest", "locationcreated", "locationshown"]
    }
    if strip.contains(.people) {
      forbiddenWords += ["personinimage", "persondisplayname", "regionlist"]
    }
    if strip.contains(.device) {
      forbiddenWords += ["serialnumber", "imageuniqueid", "cameraownername"]
    }
    if strip.contains(.dates) {
      forbiddenWords += ["datetimeoriginal", "datetimedigitized", "createdate"]
    }
    return forbiddenWords
  }
}

extension MetadataRemoval {
  /// The name of the first kind in this set.
  var firstName: String? { Self.names.first { contains($0.strip) }?.name }
}

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
