// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// An XMP packet that has been scanned.
struct XMPPacket {
  /// The packet, without the signature of its segment.
  let bytes: [UInt8]
  let scan: XMPScanner

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    scan = XMPScanner(bytes)
  }

  /// The packet of an XMP segment.
  init(payload: [UInt8]) { self.init(Array(payload.dropFirst(JPEGSegment.Signature.xmp.count))) }

  /// The first property with a name.
  func property(_ namespace: XMPNamespace, _ name: String) -> XMPProperty? {
    scan.properties.first { $0.isNamed(namespace, name) }
  }

  /// The text of a simple property, or the first item of a list; nil when there is none.
  ///
  /// - Parameter limit: Most bytes that are read.
  func text(
    _ namespace: XMPNamespace, _ name: String, limit: Int = XMPText.maximumCount
  ) -> String? {
    guard let property = property(namespace, name) else { return nil }
    guard let range = property.form == .structure ? property.firstItem : property.value else {
      return nil
    }
    return XMPText.decoded(bytes[range], limit: limit)
  }

  /// Whether small copies of the picture or of its pages are in the packet.
  var holdsThumbnails: Bool {
    property(.xmp, "Thumbnails") != nil || property(.xmp, "PageInfo") != nil
  }

  /// Most items of one list that are read.
  static let maximumItems = 1000

  /// The texts of the items of a list; a simple text counts as one.
  func items(_ namespace: XMPNamespace, _ name: String) -> [String] {
    guard let property = property(namespace, name) else { return [] }
    guard property.form == .structure else { return [XMPText.decoded(bytes[property.value])] }
    var items: [String] = []
    var position = property.whole.lowerBound
    // Items are leaves: between the tag that ends in "li" and the next "<" stands their text.
    while items.count < Self.maximumItems,
      let open = bytes[position..<property.whole.upperBound].firstIndex(of: 0x3C),
      let close = bytes[open..<property.whole.upperBound].firstIndex(of: 0x3E)
    {
      let name = bytes[(open + 1)..<close].prefix { $0 > 0x20 && $0 != 0x2F }
      position = close + 1
      guard name.suffix(3).elementsEqual(Array(":li".utf8)), bytes[close - 1] != 0x2F else {
        continue
      }
      let end =
        bytes[position..<property.whole.upperBound].firstIndex(of: 0x3C) ?? position
      items.append(XMPText.decoded(bytes[position..<end]))
      position = end
    }
    return items
  }

  /// What `tiff:Orientation` says.
  var orientation: ExifOrientation {
    guard property(.tiff, "Orientation") != nil else { return .absent }
    let text = text(.tiff, "Orientation") ?? ""
    return MetadataText.integer(text).flatMap { Orientation(rawValue: $0) }.map { .valid($0) }
      ?? .invalid(MetadataText.clean(text) ?? "empty")
  }

  /// Whether the packet announces a gain map in the same file.
  var announcesGainMap: Bool {
    scan.properties.contains { $0.namespace == .gainMap || $0.namespace == .appleGainMap }
      || lists("GainMap")
  }

  /// Whether the packet announces a film behind the picture.
  var announcesMotionPhoto: Bool {
    if lists("MotionPhoto") { return true }
    return ["MotionPhoto", "MicroVideo"].contains {
      text(.camera, $0).flatMap { MetadataText.integer($0) } == 1
    }
  }

  /// Whether the packet describes a depth map or a second image, which lie in extended XMP.
  var announcesDepthMap: Bool {
    scan.properties.contains { $0.namespace == .depthMap || $0.namespace == .secondImage }
  }

  private func lists(_ item: String) -> Bool {
    scan.properties.contains {
      $0.namespace == .container
        && bytes[$0.whole].count < 65_536
        && Array(bytes[$0.whole]).firstOffset(of: Array("\"\(item)\"".utf8)) != nil
    }
  }
}
