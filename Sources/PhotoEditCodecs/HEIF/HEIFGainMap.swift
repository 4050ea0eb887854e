// SPDX-License-Identifier: Apache-2.0
package import PhotoEditStorage

/// The gain map of an HEIF file: an image that brightens areas on a display with more range.
package struct HEIFGainMap: Hashable, Sendable {
  /// The identifier of the image.
  let item: Int
  /// The range in the file of the identifier of the primary image.
  let primary: Range<Int>
  /// The position of the flags by which the image is hidden; nil if it is not.
  let flags: Int?

  /// Returns a copy of a file in which the gain map is the primary image, so that it is read like
  /// any other.
  package func file(in bytes: FileBytes) -> FileBytes {
    var copy = withExtendedLifetime(bytes) { Array(bytes.buffer) }
    for (index, position) in primary.reversed().enumerated() {
      copy[position] = UInt8(truncatingIfNeeded: item >> (8 * index))
    }
    // A primary image must not be hidden.
    if let flags { copy[flags] &= ~1 }
    return FileBytes(copy)
  }
}

extension HEIFStructure {
  /// The type of Apple's gain maps.
  static let appleGainMap = "urn:com:apple:photo:2020:aux:hdrgainmap"

  /// The gain map of the primary image, which must be in the file as a whole.
  ///
  /// - Source: ISO 21496-1:2025, annex C: an item `tmap` is derived from an image and its gain map.
  var gainMap: HEIFGainMap? {
    let mapped = toneMapped(from: primary, at: 0).map { targets(of: $0.identifier, "dimg") }
    let own = sources(of: primary, "auxl").first { $0.auxiliaryType == Self.appleGainMap }
    let maps = mapped.map { $0[1] } + [own?.identifier].compactMap(\.self)
    guard let map = maps.lazy.compactMap({ item($0) }).first(where: { $0.size != nil }),
      map.identifier != primary, map.identifier >> (8 * primaryRange.count) == 0
    else { return nil }
    // After length, type, version, and two bytes of flags that are not used.
    return HEIFGainMap(
      item: map.identifier, primary: primaryRange, flags: map.isHidden ? map.start + 11 : nil)
  }

  /// The description of the gain map in the primary image, or that the primary image is one, as
  /// the payload of a JPEG segment; nil without one.
  ///
  /// - Source: ISO 21496-1:2025, annex C.
  var gainMapDescription: [UInt8]? {
    let isMap = !toneMapped(from: primary, at: 1).isEmpty
    guard let item = toneMapped(from: primary, at: isMap ? 1 : 0).first,
      let content = (try? content(of: item, limit: 4096)) ?? nil, content.count > 5
    else { return nil }
    // After the version of the item; the image itself has only the versions of the format.
    return JPEGSegment.Signature.gainMap + [0] + content[1..<(isMap ? content.count : 5)]
  }

  /// Indicates whether the primary image is the gain map of another one in Apple's form.
  var isAppleGainMap: Bool { item(primary)?.auxiliaryType == Self.appleGainMap }

  private func toneMapped(from image: Int, at position: Int) -> [HEIFItem] {
    sources(of: image, "dimg").filter {
      let inputs = $0.type == "tmap" ? targets(of: $0.identifier, "dimg") : []
      return inputs.count == 2 && inputs[position] == image
    }
  }
}

extension XMPPacket {
  /// Returns the packet of a gain map as Apple writes it in JPEGs; in HEIF files, the type is in a
  /// box.
  static func appleGainMap(from packet: [UInt8]?) -> [UInt8] {
    let own = packet.map { XMPPacket($0) }
    let version = own?.text(.appleGainMap, "HDRGainMapVersion") ?? "65536"
    let headroom = own?.text(.appleGainMap, "HDRGainMapHeadroom")
    let values =
      [("HDRGainMapVersion", version)] + (headroom.map { [("HDRGainMapHeadroom", $0)] } ?? [])
    let attributes = values.map { " HDRGainMap:\($0.0)=\"\(XMPText.escaped($0.1))\"" }.joined()
    return Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">\
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" \
      xmlns:HDRGainMap="\(XMPNamespace.appleGainMap.rawValue)" \
      apdi:AuxiliaryImageType="\(HEIFStructure.appleGainMap)"\(attributes)/></rdf:RDF></x:xmpmeta>
      """.utf8)
  }
}
