// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Changes an XMP packet so that it describes a rendering.
///
/// Properties are replaced in the text: shorter values are padded with blanks, longer ones use up
/// the packet's padding. Everything else is kept byte for byte.
struct XMPPatch {
  /// A range of the text and its replacement.
  struct Edit {
    let range: Range<Int>
    let text: [UInt8]
  }

  let packet: XMPPacket
  let facts: RenderedImageProperties
  /// Indicates whether the depth map is left out, so that the packet must not mention it.
  let dropsDepthMap: Bool
  var colors = ExifPatch.RenderedColorSpace.unchanged
  /// Indicates whether the rendering has the color profile of the source.
  var keepsProfile = true
  /// The state of the settings of Camera Raw in the source.
  var settings = Settings()
  /// The state of the edits of other programs in the source.
  var edits = Edits()
  /// The people and places whose names are to be stripped from keywords.
  var people = PersonNames()
  /// Indicates whether this is the part that did not fit in the first segment.
  var isExtended = false
  /// The new names of the extended packets, keyed by the old ones.
  var extendedNames: [String: String] = [:]

  /// The offsets of the properties that contain images.
  private(set) var imageOffsets: Set<Int> = []
  private(set) var losses: [MetadataLoss] = []
  private(set) var stripped: [StrippedMetadata] = []

  init(_ packet: XMPPacket, facts: RenderedImageProperties, dropsDepthMap: Bool) {
    (self.packet, self.facts, self.dropsDepthMap) = (packet, facts, dropsDepthMap)
  }

  /// Returns the patched packet, at most `limit` bytes; nil if the limit cannot be met.
  mutating func apply(limit: Int) -> [UInt8]? {
    // Nothing can be patched after a point that is not well-formed, so nothing there may require
    // it.
    let rest = packet.bytes[packet.scan.end...]
    if !rest.isEmpty {
      // Zeros in the markup indicate UTF-16, which XMP in JPEG must not use and which is not
      // supported.
      if rest.prefix(4).contains(0) { return nil }
      for name in ["Orientation", "hdrgm", "Thumbnails", "PageInfo", "Directory"]
      where packet.bytes.firstOffset(of: Array(name.utf8), from: packet.scan.end) != nil {
        return nil
      }
      if EmbeddedPreview.occurs(asTextIn: rest) { return nil }
    }
    let starts = packet.scan.properties.map(\.whole).filter {
      EmbeddedPreview.occurs(asTextIn: packet.bytes[$0])
    }
    imageOffsets = Set(starts.map(\.lowerBound))
    let personal = personalEdits()
    let subject = subjectEdits()
    let regions = regionEdits()
    losses += regions.losses + subject.losses
    for property in packet.scan.properties { report(property) }
    for removesInstead in [false, true] {
      var edits = packet.scan.properties.compactMap {
        edit($0, removesInstead: removesInstead)
      }
      edits += regions.edits + personal + subject.edits + codingEdits()
      if removesInstead {
        losses.append(
          MetadataLoss(
            .xmp, "The XMP packet has no space for new identifiers and dates; the old are left out."
          ))
      } else {
        edits += provenanceEdits()
      }
      let result = Self.trimmed(Self.applied(edits, to: packet.bytes), to: packet.bytes.count)
      if result.count <= limit { return result }
      let smaller = Self.trimmed(result, to: limit)
      if smaller.count <= limit { return smaller }
    }
    return nil
  }

  /// Indicates whether the edit leaves every pixel at its position.
  var keepsPositions: Bool { facts.geometry?.isIdentity == true }

  /// Returns the new value of a property: nil to leave it unchanged, empty to remove it.
  private func value(of property: XMPProperty) -> String? {
    if strip(of: property) != nil { return "" }
    if imageOffsets.contains(property.whole.lowerBound) { return "" }
    if unfittingEdit(property) != nil { return "" }
    if regionOrigin(property) != nil { return keepsPositions ? nil : "" }
    switch (property.namespace, property.name) {
    case (.tiff, "Orientation"): return "1"
    case (.tiff, "ImageWidth"), (.exif, "PixelXDimension"): return "\(facts.size.width)"
    case (.tiff, "ImageLength"), (.exif, "PixelYDimension"): return "\(facts.size.height)"
    case (.exif, "ColorSpace"): return colorSpace(property)
    case (.xmp, "ModifyDate"), (.xmp, "MetadataDate"): return facts.modificationDate?.xmpText
    case (.xmp, "CreatorTool"): return XMPText.escaped(facts.software)
    case (.mediaManagement, "InstanceID"): return isExtended ? nil : instance
    case (.gainMap, _), (.appleGainMap, _): return facts.gainMap == .none ? "" : nil
    case (.xmp, "Thumbnails"), (.xmp, "PageInfo"), (.container, "Directory"): return ""
    case (.tiff, "XResolution"): return exchanged(.tiff, "YResolution")
    case (.tiff, "YResolution"): return exchanged(.tiff, "XResolution")
    case (.exif, "FocalPlaneXResolution"):
      return focalPlane(property, exchangedWith: "FocalPlaneYResolution")
    case (.exif, "FocalPlaneYResolution"):
      return focalPlane(property, exchangedWith: "FocalPlaneXResolution")
    case (.camera, let name) where name.hasPrefix("MotionPhoto") || name.hasPrefix("MicroVideo"):
      return ""
    case (.panorama, _): return keepsPositions ? nil : ""
    case (.xmpNote, "HasExtendedXMP"):
      if dropsDepthMap { return "" }
      return extendedNames[XMPText.decoded(packet.bytes[property.value])]
    case (.depthMap, _), (.secondImage, _): return dropsDepthMap ? "" : nil
    case (.cameraRaw, _): return settingValue(of: property)
    default: return codingValue(of: property)
    }
  }

  private func colorSpace(_ property: XMPProperty) -> String? {
    let value = MetadataText.integer(XMPText.decoded(packet.bytes[property.value]))
    return switch colors {
    case .unchanged: nil
    case .profiledSRGB: value == 2 ? "1" : nil
    case .convertedToSRGB: value == 1 ? nil : "1"
    case .uncalibrated: value == 1 ? "65535" : nil
    }
  }

  private mutating func report(_ property: XMPProperty) {
    if let kind = strip(of: property) {
      note(kind, property)
    } else if let origin = regionOrigin(property), !keepsPositions {
      let loss = MetadataLoss(
        .regions, "\(origin) regions cannot be transformed with this edit and are left out.")
      if !losses.contains(loss) { losses.append(loss) }
    } else if property.namespace == .cameraRaw, Self.hasPosition(property.name),
      !facts.includesSettings, settingValue(of: property) == ""
    {
      let loss = MetadataLoss(
        .xmp,
        "A crop or local setting of Lightroom that is not applied yet does not fit the edit and "
          + "is left out.")
      if !losses.contains(loss) { losses.append(loss) }
    } else if let editor = unfittingEdit(property) {
      let loss = MetadataLoss(
        .xmp, "An edit of \(editor) in XMP does not fit the moved pixels and is left out.")
      if !losses.contains(loss) { losses.append(loss) }
    } else if property.namespace == .panorama, !keepsPositions, losses.count < 8 {
      let loss = MetadataLoss(
        .panorama, "The edit moved pixels, so the rendering is no longer marked as a panorama.")
      if !losses.contains(loss) { losses.append(loss) }
    }
  }

  /// Records that a property, or a part of it, is stripped.
  private mutating func note(_ kind: String, _ property: XMPProperty) {
    let name = MetadataText.clean(property.name) ?? "a property"
    let prefix = property.namespace.map { $0.usualPrefix + ":" } ?? ""
    let entry = StrippedMetadata(kind: kind, detail: "XMP property \(prefix)\(name).")
    if stripped.count < MetadataDiagnostics.maximumCount, !stripped.contains(entry) {
      stripped.append(entry)
    }
  }

  /// Removes the keywords that name people or places from lists of keywords.
  private mutating func personalEdits() -> [Edit] {
    var edits: [Edit] = []
    for meaning in PropertyMeaning.allCases where facts.strip.contains(meaning.removal) {
      for property in packet.scan.properties where strip(of: property) == nil {
        let (ranges, areAll) = people.items(of: property, in: packet, as: meaning)
        guard !ranges.isEmpty else { continue }
        note(meaning.rawValue, property)
        edits += (areAll ? [property.whole] : ranges).map { removal(of: $0) }
      }
    }
    return edits
  }

  private func edit(_ property: XMPProperty, removesInstead: Bool) -> Edit? {
    if property.isNamed(.container, "Directory"), property.form == .structure,
      case .carriesGainMap(let byteCount) = facts.gainMap, !removesInstead
    {
      let text = Array(ContainerDirectory(gainMapByteCount: byteCount).element.utf8)
      return Edit(range: property.whole, text: text + blanks(property.whole.count - text.count))
    }
    guard let value = value(of: property) else { return nil }
    let text = Array(value.utf8)
    let grows = text.count > property.value.count
    guard !text.isEmpty, property.form != .structure, !(grows && removesInstead) else {
      return removal(of: property.whole)
    }
    // The closing quote or tag is moved too, so that the padding is outside the value.
    let range = property.value.lowerBound..<property.whole.upperBound
    let closing = packet.bytes[property.value.upperBound..<property.whole.upperBound]
    return Edit(range: range, text: text + closing + blanks(property.value.count - text.count))
  }

  /// Returns an edit that replaces text by blanks.
  func removal(of range: Range<Int>) -> Edit { Edit(range: range, text: blanks(range.count)) }

  private func blanks(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x20, count: max(count, 0)) }

  /// Returns the text with the edits applied; if two overlap, only the first one is.
  static func applied(_ edits: [Edit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64)
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where edit.range.lowerBound >= position {
      result += bytes[position..<edit.range.lowerBound]
      result += edit.text
      position = edit.range.upperBound
    }
    return result + bytes[position...]
  }

  /// Shortens the padding before the packet's trailer, as far as needed and possible.
  static func trimmed(_ bytes: [UInt8], to count: Int) -> [UInt8] {
    guard bytes.count > count else { return bytes }
    // The trailer ends a packet; searching for its last occurrence avoids matches in quoted text.
    var trailer: Int?
    var from = max(0, bytes.count - 512)
    while let hit = bytes.firstOffset(of: Array("<?xpacket end".utf8), from: from) {
      trailer = hit
      from = hit + 1
    }
    guard let trailer else { return bytes }
    var start = trailer
    let most = bytes.count - count
    while start > 0, trailer - start < most, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[start - 1]) {
      start -= 1
    }
    return Array(bytes[..<start] + bytes[trailer...])
  }
}
