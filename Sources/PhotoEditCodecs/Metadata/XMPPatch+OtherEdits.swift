// SPDX-License-Identifier: Apache-2.0

/// Edits that other programs keep in XMP and apply when they show the image.
extension XMPPatch {
  /// Returns the value of a setting of Camera Raw, which other programs apply to the pixels unless
  /// it is marked as applied.
  func settingValue(of property: XMPProperty) -> String? {
    guard !settings.areApplied else { return nil }
    if facts.includesSettings {
      // Without the mark there is nothing to say that they are applied.
      guard settings.haveMark else { return "" }
      return property.name == "AlreadyApplied" ? "True" : nil
    }
    return keepsPositions || !Self.hasPosition(property.name) ? nil : ""
  }

  /// Returns whether a setting applies to a part of the image.
  static func hasPosition(_ setting: String) -> Bool {
    ["HasCrop", "Crop", "Perspective", "Upright", "Retouch", "RedEye"].contains {
      setting.hasPrefix($0)
    } || setting.hasSuffix("Corrections")
  }

  /// The marks of a file on its settings of Camera Raw.
  struct Settings {
    /// Indicates whether they are marked as applied.
    var areApplied = false
    /// Indicates whether they are marked at all.
    var haveMark = false

    init() {}

    init(_ packets: [XMPPacket]) {
      let marks = packets.compactMap { $0.text(.cameraRaw, "AlreadyApplied") }
      haveMark = !marks.isEmpty
      areApplied = marks.contains { $0.lowercased() == "true" }
    }
  }

  // MARK: Other programs

  /// Returns whose edit a property holds, if the edit has positions and pixels move.
  func unfittingEdit(_ property: XMPProperty) -> String? {
    if keepsPositions { return nil }
    switch property.namespace {
    case .darktable:
      return edits.ofDarktableHavePositions && Self.isDarktableEdit(property.name)
        ? "darktable" : nil
    case .appleAdjustments:
      return ["Crop", "Affine"].contains { property.name.hasPrefix($0) } ? "Apple Photos" : nil
    case .nikonEdits: return "Nikon's programs"
    case .acdSee: return ["rpp", "dpp"].contains(property.name) ? "ACDSee" : nil
    case .savedSettings: return holdsPosition(property) ? "Lightroom" : nil
    case .focus: return property.name.hasPrefix("FocalPoint") ? "a phone" : nil
    case nil: return holdsPosition(property) ? "another program" : nil
    default: return nil
    }
  }

  /// Returns whether a property, or a field inside it, is named for a change of the geometry.
  private func holdsPosition(_ property: XMPProperty) -> Bool {
    if Self.isGeometry(property.name) { return true }
    guard property.form == .structure, let tree = XMPTree(packet.bytes, property.whole) else {
      return false
    }
    return tree.nodes.contains { node in
      Self.isGeometry(node.local)
        || node.tag.attributes.contains { Self.isGeometry(XMPTree.local(packet.bytes, $0.name)) }
    }
  }

  /// Words by which programs name crops, rotations, reflections and projections.
  private static let wordsOfGeometry: Set<String> = [
    "crop", "cropped", "cropping", "flip", "flipped", "keystone", "mirror", "mirrored",
    "perspective", "rotate", "rotated", "rotation", "straighten", "straightened",
  ]

  /// Returns whether a name has such a word, as in "CropTop", "HasCrop" and "image_crop"; a crop
  /// factor compares the sizes of sensors.
  private static func isGeometry(_ name: String) -> Bool {
    let words = PropertyMeaning.words(in: name)
    guard let index = words.firstIndex(where: wordsOfGeometry.contains) else { return false }
    return words.dropFirst(index + 1).first != "factor"
  }

  /// Returns whether a property of darktable belongs to its edit, whose parts refer to each other.
  private static func isDarktableEdit(_ name: String) -> Bool {
    ["history", "mask", "iop_order", "auto_presets", "raw_params"].contains {
      name.hasPrefix($0)
    }
  }

  /// The edits in a file that concern all of its packets.
  struct Edits {
    /// The operations of darktable that have positions, or change those of the pixels.
    private static let operationsOfDarktable: Set<String> = [
      "ashift", "borders", "clipping", "crop", "enlargecanvas", "flip", "graduatednd", "lens",
      "liquify", "overlay", "retouch", "rotatepixels", "scalepixels", "spots", "vignette",
      "watermark",
    ]

    /// Indicates whether the edit of darktable has positions.
    var ofDarktableHavePositions = false

    init() {}

    init(_ packets: [XMPPacket]) {
      ofDarktableHavePositions = packets.contains { packet in
        packet.scan.properties.contains { property in
          property.namespace == .darktable
            && (property.name.hasPrefix("mask") || Self.hasPosition(property, in: packet))
        }
      }
    }

    /// Returns whether a history has such an operation, as an attribute or as an item of a list.
    private static func hasPosition(_ property: XMPProperty, in packet: XMPPacket) -> Bool {
      guard property.name.hasPrefix("history"), property.form == .structure else { return false }
      // An unreadable value may have positions.
      guard let tree = XMPTree(packet.bytes, property.whole) else { return true }
      return tree.nodes.contains { node in
        let operation = node.tag.attributes.first {
          XMPTree.local(packet.bytes, $0.name) == "operation"
        }
        let range = operation?.value ?? (node.children.isEmpty ? node.content : 0..<0)
        return operationsOfDarktable.contains(XMPText.decoded(packet.bytes[range]))
      }
    }
  }
}
