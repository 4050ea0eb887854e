// SPDX-License-Identifier: Apache-2.0

extension XMPPatch {
  /// Returns the kind of `MetadataRemoval` by which a property is removed; nil to keep it.
  func strip(of property: XMPProperty) -> String? {
    let strip = facts.strip
    if strip.isEmpty { return nil }
    for meaning in PropertyMeaning.allCases where strip.contains(meaning.removal) {
      if holds(property, meaning) { return meaning.rawValue }
    }
    // Ingredients contain complete copies of their own metadata.
    let isCopy =
      property.namespace == .mediaManagement && ["Pantry", "Ingredients"].contains(property.name)
    return isCopy ? strip.firstName : nil
  }

  /// Returns whether a property, or anything inside it, has a meaning.
  private func holds(_ property: XMPProperty, _ meaning: PropertyMeaning) -> Bool {
    let name = property.name
    switch (property.namespace, meaning) {
    case (.cell, .location), (.regions, .people), (.microsoftPhoto, .people),
      (.appleFaces, .people), (.acdSeeRegions, .people), (.mediaManagement, .device),
      (.livePhoto, .device):
      return true
    case (.dublinCore, .location) where name == "coverage": return true
    case (.iptcExtension, .people) where name == "ImageRegion": return true
    // The history contains dates and devices.
    case (.mediaManagement, .dates) where name == "History",
      (.photoshop, .dates) where name == "History":
      return true
    // The postal address of a contact.
    case (.iptcCore, .location) where name == "CreatorContactInfo": return false
    default: break
    }
    if meaning.describes(name) { return true }
    if people.occur(in: property, of: packet, as: meaning) { return true }
    return property.form == .structure && meaning.occurs(in: packet.bytes, property.whole)
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
