// SPDX-License-Identifier: Apache-2.0

/// The meaning of a property for `MetadataRemoval`, according to the words of its name.
///
/// Programs store locations, people, devices and dates in private namespaces, so no list of
/// namespaces is ever complete. The words are those used in the tables of ExifTool 12 and in Darwin
/// Core.
enum PropertyMeaning: String, CaseIterable {
  case dates, location, people, device

  /// The member of `MetadataRemoval` for the meaning.
  var removal: MetadataRemoval {
    switch self {
    case .dates: .dates
    case .location: .location
    case .people: .people
    case .device: .device
    }
  }

  /// Names with one of these words have the meaning.
  private var words: Set<String> {
    switch self {
    case .dates:
      [
        "createdate", "date", "dates", "datetime", "metadatadate", "modifydate", "time", "times",
        "timestamp", "timezone", "utc", "when",
      ]
    case .location:
      [
        "altitude", "city", "continent", "coordinate", "coordinates", "country", "county",
        "district", "elevation", "footprint", "gps", "island", "landmark", "lat", "latitude", "lng",
        "locality", "location", "lon", "longitude", "longtitude", "municipality", "place",
        "province", "sublocation", "town", "village", "wgs",
      ]
    case .people:
      [
        "actor", "actors", "celebrities", "celebrity", "face", "faces", "people", "person",
        "personality", "personalities", "personinimage", "persons",
      ]
    case .device:
      [
        "guid", "hostcomputer", "hostname", "imei", "ownername", "serial", "serialno",
        "serialnumber", "udid", "uniqueid", "uuid",
      ]
    }
  }

  /// Names that contain one of these runs of words, however they are separated, have the meaning.
  private var runs: [String] {
    switch self {
    case .dates:
      ["capturedat", "createdat", "createdon", "lastmodified", "modifiedat", "updatedat"]
    case .location: ["latlng", "pluscode"]
    case .people: ["patientid", "patientname", "peopleinimage", "portraitof", "regionname"]
    case .device:
      [
        "androidid", "deviceid", "devicename", "devicesn", "droneid", "hostname", "macaddress",
        "machinename", "makernote",
      ]
    }
  }

  /// Entire names that no word identifies, in their exact case; "Alt" is an RDF list.
  private var names: Set<String> {
    switch self {
    case .dates:
      [
        "AdsCreated", "Created", "ImageHistory", "IptcLastEdited", "IPTCLastEdited", "LastEdited",
        "Modified", "created", "issued", "lastEdited", "modified", "month", "year",
      ]
    case .location: ["alt", "long", "state", "State", "waterBody", "WaterBody"]
    case .people:
      [
        "AddlModelInfo", "MinorModelAgeDisclosure", "ModelAge", "ModelReleaseID",
        "ModelReleaseStatus", "SubArea", "TagRegions",
      ]
    case .device:
      [
        "CameraOwnerName", "Device", "HostComputer", "ImageUniqueID", "MakerNote", "OwnerName",
        "device",
      ]
    }
  }

  /// Prefixes of names that have a word of the meaning but another meaning: the exposure latitude
  /// of the ISO speed, a point in the image, the angle of a camera, postal addresses of contacts,
  /// durations, fonts, the person to contact, the owner of the rights.
  private var exceptions: [String] {
    switch self {
    case .dates:
      [
        "ExposureTime", "FlashTime", "MicroVideo", "MotionPhoto", "ShutterTime", "timeScale",
        "timeSignature",
      ]
    case .location:
      ["CameraElevationAngle", "CiAdr", "ISOSpeedLatitude", "Licensor", "SubjectLocation"]
    case .people: ["ContactPerson", "fontFace"]
    case .device: ["CopyrightOwner"]
    }
  }

  /// Returns whether a name without its prefix has the meaning.
  func describes(_ name: some StringProtocol) -> Bool {
    let whole = String(name)
    if names.contains(whole) { return true }
    if exceptions.contains(where: whole.hasPrefix) { return false }
    let split = Self.words(in: name)
    if split.contains(where: words.contains) { return true }
    let joined = split.joined()
    if runs.contains(where: joined.contains) { return true }
    return switch self {
    case .dates: split.contains { $0.hasPrefix("datetime") }
    case .location:
      whole.hasPrefix("EarthPos")
        || split.contains { word in
          word.hasPrefix("gps")
            || (word.hasPrefix("geo") && !word.hasPrefix("geom") && !word.hasPrefix("geolog"))
        }
    case .people: whole.hasPrefix("PersonInImage")
    case .device: whole.hasSuffix("OwnerName") || whole.hasSuffix("UniqueID")
    }
  }

  /// Returns whether a tag or attribute in a part of an XMP packet has a name with the meaning.
  ///
  /// A part that cannot be parsed counts as one.
  func occurs(in bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    while let next = bytes.firstOffset(of: [0x3C], from: position), next < range.upperBound {
      switch XMLMarkup(bytes, at: next) {
      case nil: return true
      case .aside(let end): position = end ?? bytes.count
      case .endTag(_, let end): position = end
      case .startTag(let tag):
        let names = tag.attributes.map(\.name).filter { !bytes[$0].starts(with: "xmlns".utf8) }
        if ([tag.name] + names).contains(where: { describes(XMPTree.local(bytes, $0)) }) {
          return true
        }
        position = tag.end
      }
    }
    return false
  }

  /// Further words by which texts of a PNG name the author, the device and the dates.
  private var wordsOfComments: Set<String> {
    switch self {
    case .dates: ["created", "modified"]
    case .location: []
    case .people: ["artist", "author", "authors", "byline", "creator", "owner", "photographer"]
    case .device: ["camera", "device", "software", "source"]
    }
  }

  /// Returns the meanings of a comment by the names at the beginning of its lines, as in
  /// "Author: Me" and "exif:GPSLatitude=48/1".
  ///
  /// A text of a PNG becomes such a comment. Profiles that cannot be read may mean everything.
  static func meanings(ofComment payload: [UInt8]) -> [PropertyMeaning] {
    let text = String(decoding: payload, as: UTF8.self)
    if text.hasPrefix("Raw profile type ") || text.contains("<rdf:") { return allCases }
    let names = text.split(whereSeparator: \.isNewline).compactMap { line in
      let end =
        line.firstRange(of: ": ")?.lowerBound ?? line.firstIndex(of: "=")
        ?? line.firstIndex(of: ":")
      return end.map { line[..<$0] }
    }.filter { $0.utf8.count <= maximumNameBytes }
    return allCases.filter { meaning in names.contains { meaning.describes(commentNamed: $0) } }
  }

  /// The maximum length of a name in a comment, as in a PNG; more is a sentence.
  private static let maximumNameBytes = 79

  private func describes(commentNamed name: Substring) -> Bool {
    let parts = name.split(separator: ":")
    guard let local = parts.last, !exceptions.contains(where: local.hasPrefix) else { return false }
    return parts.contains { describes($0) }
      || Self.words(in: name).contains(where: wordsOfComments.contains)
  }

  /// Splits a name such as "GPSDestLatitude" or "gps_latitude" into lowercase words.
  static func words(in name: some StringProtocol) -> [String] {
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
