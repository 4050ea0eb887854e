// SPDX-License-Identifier: Apache-2.0

extension XMPPatch {
  /// Returns the value of the resolution in the other direction after a 90° rotation.
  func exchanged(_ namespace: XMPNamespace, _ name: String) -> String? {
    guard facts.exchangesResolutions, let other = packet.property(namespace, name),
      other.form != .structure
    else { return nil }
    return String(decoding: packet.bytes[other.value], as: UTF8.self)
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
      if (2...4).contains(items.count), numbers.count == items.count {
        edits += zip(items, facts.subject(numbers)).map { range, number in
          Edit(range: range, text: Array("\(number)".utf8))
        }
      } else {
        losses.append(
          MetadataLoss(.regions, "The subject in XMP is in an unknown form and is left out."))
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
    default: nil
    }
  }
}
