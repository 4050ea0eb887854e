// SPDX-License-Identifier: Apache-2.0

extension XMPPatch {
  /// The kind of `MetadataStrip` for which a property is to be left out; nil to keep it.
  func strip(of property: XMPProperty) -> String? {
    let strip = facts.strip
    if strip.isEmpty { return nil }
    if strip.contains(.dates), Self.isDate(property) { return "dates" }
    if strip.contains(.location), isPlace(property) { return "location" }
    if strip.contains(.people), Self.isPerson(property) { return "people" }
    if strip.contains(.device), Self.isDevice(property) { return "device" }
    // Ingredients are described with all they have.
    let isCopy =
      property.namespace == .mediaManagement && ["Pantry", "Ingredients"].contains(property.name)
    return isCopy ? strip.firstName : nil
  }

  /// Whether a property, or anything inside of it, is about a place.
  private func isPlace(_ property: XMPProperty) -> Bool {
    let name = property.name
    switch property.namespace {
    case .cell: return true
    case .dublinCore where name == "coverage": return true
    // Where people live who are to be written to.
    case .iptcCore where name == "CreatorContactInfo": return false
    default: break
    }
    if PlaceName.isPlace(name) { return true }
    return property.form == .structure && PlaceName.occurs(in: packet.bytes, property.whole)
  }

  private static func isDate(_ property: XMPProperty) -> Bool {
    let name = property.name
    return switch property.namespace {
    case .exif, .exifExtended, .exifAuxiliary:
      ["GPSTimeStamp", "GPSDateStamp"].contains(name) || name.hasPrefix("DateTime")
        || name.hasPrefix("OffsetTime")
    case .photoshop: name == "DateCreated"
    // The history tells times and devices.
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

  /// Words, in small letters, that a packet must not hold any more, however it writes them; where
  /// they stand in places that are not understood the whole packet is left out.
  static func words(of strip: MetadataStrip) -> [String] {
    var words: [String] = []
    if strip.contains(.location) {
      words += ["gpsl", "gpsdest", "locationcreated", "locationshown"]
    }
    if strip.contains(.people) { words += ["personinimage", "persondisplayname", "regionlist"] }
    if strip.contains(.device) { words += ["serialnumber", "imageuniqueid", "cameraownername"] }
    if strip.contains(.dates) { words += ["datetimeoriginal", "datetimedigitized", "createdate"] }
    return words
  }
}

extension MetadataStrip {
  /// The name of the first kind in here.
  var firstName: String? { Self.names.first { contains($0.strip) }?.name }
}
