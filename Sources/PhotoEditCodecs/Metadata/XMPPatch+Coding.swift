// SPDX-License-Identifier: Apache-2.0

extension XMPPatch {
  /// Returns the value of a property that describes how the image is coded: nil to leave it
  /// unchanged, empty to remove it.
  ///
  /// - Source: XMP specification part 1, 8.3 (dc:format), and part 2, 3.1 and 3.2 (Photoshop, TIFF).
  func codingValue(of property: XMPProperty) -> String? {
    let text = XMPText.decoded(packet.bytes[property.value])
    switch (property.namespace, property.name) {
    case (.dublinCore, "format"): return text == "image/jpeg" ? nil : "image/jpeg"
    // Gray is 1, RGB is 3.
    case (.photoshop, "ColorMode"): return facts.isGray ? "1" : "3"
    case (.photoshop, "ICCProfile"): return keepsProfile ? nil : ""
    case (.tiff, "SamplesPerPixel"): return "\(facts.componentCount)"
    case (.tiff, "PhotometricInterpretation"):
      if facts.isGray { return "1" }
      // RGB is what Adobe's programs write for a JPEG.
      return text == "2" ? nil : "6"
    case (.tiff, "Compression"): return text == "7" ? nil : "6"
    case (.tiff, "PlanarConfiguration"): return "1"
    case (.tiff, "Predictor"), (.exif, "CompressedBitsPerPixel"), (.exif, "Compression"),
      (.dynamicMedia, "videoPixelDepth"), (.png, _):
      return ""
    case (.tiff, "WhitePoint"), (.tiff, "PrimaryChromaticities"), (.tiff, "ReferenceBlackWhite"),
      (.exifExtended, "Gamma"):
      return keepsProfile ? nil : ""
    case (.tiff, "YCbCrPositioning"):
      return facts.isGray ? "" : facts.sampling == nil ? nil : "1"
    case (.tiff, "BitsPerSample"), (.tiff, "YCbCrSubSampling"), (.exif, "ComponentsConfiguration"):
      return codingNumbers(of: property) == .some(.none) ? "" : nil
    default: return nil
    }
  }

  /// Writes the numbers of lists that describe how the image is coded.
  func codingEdits() -> [Edit] {
    packet.scan.properties.flatMap { property -> [Edit] in
      guard [.tiff, .exif].contains(property.namespace), let found = codingNumbers(of: property),
        let found
      else {
        return []
      }
      let edits = zip(found.items, found.numbers).map { range, number in
        Edit(range: range.content, text: Array("\(number)".utf8))
      }
      return edits + found.items.dropFirst(found.numbers.count).map { removal(of: $0.whole) }
    }
  }

  private struct Numbers: Equatable {
    struct Item: Equatable {
      let content: Range<Int>
      let whole: Range<Int>
    }

    let items: [Item]
    let numbers: [Int]
  }

  /// Returns the items of a list and their new values: none if the list cannot have them, nil if it
  /// stays.
  private func codingNumbers(of property: XMPProperty) -> Numbers?? {
    let numbers: [Int]
    switch property.name {
    case "BitsPerSample": numbers = Array(repeating: 8, count: facts.componentCount)
    case "ComponentsConfiguration": numbers = facts.isGray ? [1, 0, 0, 0] : [1, 2, 3, 0]
    case "YCbCrSubSampling":
      if facts.isGray { return .some(nil) }
      guard let sampling = facts.sampling else { return nil }
      numbers = [sampling.horizontal, sampling.vertical]
    default: return nil
    }
    guard let tree = XMPTree(packet.bytes, property.whole) else { return .some(nil) }
    let items = tree.items(in: 0).map { index in
      Numbers.Item(content: tree.nodes[index].content, whole: tree.nodes[index].whole)
    }
    return .some(items.count < numbers.count ? nil : Numbers(items: items, numbers: numbers))
  }
}

extension RenderedImageProperties {
  /// The number of components of the rendering.
  var componentCount: Int { isGray ? 1 : 3 }

  /// Indicates whether the profile of the source describes the rendering.
  var keepsSourceProfile: Bool { keepsColorProfile && profile == nil }
}
