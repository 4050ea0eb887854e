// SPDX-License-Identifier: Apache-2.0

extension XMPPatch {
  /// The kind of `MetadataStrip` for which a property is to be left out; nil to keep it.
  static func strip(of property: XMPProperty, _ strip: MetadataStrip) -> String? {
    if strip.isEmpty { return nil }
    let name = property.name
    switch property.namespace {
    case .exif, .exifExtended, .exifAuxiliary:
      if ["GPSTimeStamp", "GPSDateStamp"].contains(name), strip.contains(.dates) { return "dates" }
      if name.hasPrefix("GPS") { return strip.contains(.location) ? "location" : nil }
      if name.hasSuffix("SerialNumber") || name.hasSuffix("OwnerName") || name == "ImageUniqueID"
        || name == "MakerNote"
      {
        return strip.contains(.device) ? "device" : nil
      }
      let isDate = name.hasPrefix("DateTime") || name.hasPrefix("OffsetTime")
      return isDate && strip.contains(.dates) ? "dates" : nil
    case .iptcCore:
      let isPlace = ["Location", "CountryCode"].contains(name)
      return isPlace && strip.contains(.location) ? "location" : nil
    case .iptcExtension:
      let isPlace = name.hasPrefix("Location")
      if isPlace { return strip.contains(.location) ? "location" : nil }
      let isPerson = name.hasPrefix("PersonInImage") || name == "ImageRegion"
      return isPerson && strip.contains(.people) ? "people" : nil
    case .photoshop:
      if ["City", "State", "Country"].contains(name) {
        return strip.contains(.location) ? "location" : nil
      }
      return name == "DateCreated" && strip.contains(.dates) ? "dates" : nil
    case .regions, .microsoftPhoto, .appleFaces: return strip.contains(.people) ? "people" : nil
    case .mediaManagement:
      // Ingredients are described with all they have; the history tells times and devices.
      if strip.contains(.device) { return "device" }
      if strip.contains(.dates), name == "History" { return "dates" }
      return ["Pantry", "Ingredients"].contains(name) ? strip.firstName : nil
    case .dublinCore:
      if name == "date" { return strip.contains(.dates) ? "dates" : nil }
      return name == "coverage" && strip.contains(.location) ? "location" : nil
    case .drone:
      if name.hasSuffix("SerialNumber") { return strip.contains(.device) ? "device" : nil }
      let isPlace = name.lowercased().hasPrefix("gps") || name.hasSuffix("Altitude")
      return isPlace && strip.contains(.location) ? "location" : nil
    case .dynamicMedia:
      if name.hasSuffix("Date") { return strip.contains(.dates) ? "dates" : nil }
      return name == "shotLocation" && strip.contains(.location) ? "location" : nil
    case .xmp: return name.hasSuffix("Date") && strip.contains(.dates) ? "dates" : nil
    case .tiff: return name == "DateTime" && strip.contains(.dates) ? "dates" : nil
    case .livePhoto: return strip.contains(.device) ? "device" : nil
    default: return nil
    }
  }

  /// Words, in small letters, that a packet must not hold any more, however it writes them; where they stand in places that are not understood
  /// the whole packet is left out.
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
