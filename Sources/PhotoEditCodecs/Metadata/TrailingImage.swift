// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// A complete JPEG after the main image of a file.
///
/// - Source: CIPA DC-007 (Multi-Picture Format); Google Ultra HDR 1.1; ISO 21496-1, annex C.
struct TrailingImage {
  /// The range in the file.
  let range: Range<Int>
  /// Indicates whether it is a gain map, which brightens areas on a display with more range.
  let isGainMap: Bool

  /// The maximum number of images examined.
  private static let maximumCount = 16

  /// Returns the images from an offset on, separated by nothing but zeros.
  static func all(
    in file: UnsafeRawBufferPointer, from start: Int, limits: ImageLimits
  ) throws(MetadataError) -> [TrailingImage] {
    var images: [TrailingImage] = []
    var position = start
    while images.count < maximumCount {
      while position < file.count, file[position] == 0 { position += 1 }
      guard file.has([0xFF, 0xD8, 0xFF], at: position) else { break }
      var walk = JPEGMarkerParser(
        UnsafeRawBufferPointer(rebasing: file[position...]), limits: limits)
      try walk.run()
      let end = position + walk.end
      images.append(
        TrailingImage(
          range: position..<end, isGainMap: walk.segments.contains(where: describesGainMap)))
      position = end
    }
    return images
  }

  private static func describesGainMap(_ segment: JPEGSegment) -> Bool {
    switch segment.kind {
    case .gainMap: true
    case .xmp:
      XMPPacket(payload: segment.payload).scan.properties.contains {
        $0.namespace == .gainMap || $0.namespace == .appleGainMap
      } || segment.payload.firstOffset(of: appleType) != nil
    default: false
    }
  }

  /// Apple's type identifier for a gain map.
  static let appleType = Array("urn:com:apple:photo:2020:aux:hdrgainmap".utf8)
}
