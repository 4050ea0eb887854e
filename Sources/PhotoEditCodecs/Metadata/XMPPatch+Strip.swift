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
