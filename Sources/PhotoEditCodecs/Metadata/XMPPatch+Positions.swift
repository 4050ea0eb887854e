// SPDX-License-Identifier: Apache-2.0

extension XMPPatch {
  /// Returns the value of the resolution in the other direction after a 90° rotation.
  func exchanged(_ namespace: XMPNamespace, _ name: String) -> String? {
    guard facts.exchangesResolutions, let other = packet.property(namespace, name),
      other.form != .structure
    else { return nil }
    return String(decoding: packet.bytes[other.value], as: UTF8.self)
  }

  /// Returns the value of a resolution of the focal plane: that of the other direction after a 90°
  /// rotation, and adapted to the size of the pixels.
  func focalPlane(_ property: XMPProperty, exchangedWith other: String) -> String? {
    let exchanged = exchanged(.exif, other)
    guard property.form != .structure, let scale = facts.pixelScale else { return exchanged }
    let text = exchanged ?? XMPText.decoded(packet.bytes[property.value])
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
      .map { MetadataText.integer(String($0)) }
    guard numbers.count == 2, let top = numbers[0], let bottom = numbers[1],
      let scaled = RenderedImageProperties.scaled(
        top, bottom, by: property.name == "FocalPlaneXResolution" ? scale.x : scale.y)
    else { return exchanged }
    return "\(scaled.top)/\(scaled.bottom)"
  }

  /// Moves the center, and the size, of the subject.
  func subjectEdits() -> (edits: [Edit], losses: [MetadataLoss]) {
    if keepsPositions { return ([], []) }
    var edits: [Edit] = []
    var losses: [MetadataLoss] = []
    for name in ["SubjectArea", "SubjectLocation"] {
      guard let property = packet.property(.exif, name) else { continue }
      let tree = XMPTree(packet.bytes, property.whole)
      let items = tree.map { tree in tree.items(in: 0).map { tree.nodes[$0].content } } ?? []
      let numbers = items.compactMap { MetadataText.integer(XMPText.decoded(packet.bytes[$0])) }
      let isKnown = (2...4).contains(items.count) && numbers.count == items.count
      if isKnown, let moved = facts.subject(numbers) {
        edits += zip(items, moved).map { range, number in
          Edit(range: range, text: Array("\(number)".utf8))
        }
      } else {
        let reason = isKnown ? "outside of the rendering" : "in an unknown form"
        losses.append(
          MetadataLoss(.regions, "The subject in XMP is \(reason) and is left out."))
        edits.append(removal(of: property.whole))
      }
    }
    return (edits, losses)
  }

  /// Returns whose regions a property has, if they are in a form that is not transformed.
  func regionOrigin(_ property: XMPProperty) -> String? {
    switch property.namespace {
    case .iptcExtension: property.name == "ImageRegion" ? "IPTC" : nil
    case .appleFaces: "Apple's"
    case .acdSeeRegions: "ACDSee's"
    case .exif, .tiff, .regions, .cameraRaw, .panorama: nil
    default:
      Self.runsOfPositions.contains {
        PropertyMeaning.words(in: property.name).joined().contains($0)
      } ? "Another program's" : nil
    }
  }

  /// The runs of words by which programs name positions and sizes in pixels.
  private static let runsOfPositions = [
    "boundingbox", "facerect", "focuspoint", "imageheight", "imagesize", "imagewidth",
    "opticalcenter", "referencedimension", "referencepixel", "regionrectangle", "videoframesize",
  ]
}
