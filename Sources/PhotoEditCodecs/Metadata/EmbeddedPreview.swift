// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// Finds whole JPEGs inside of metadata: previews in maker notes and in directories of their own.
///
/// They show the picture as it was, all of it, and nobody who crops a photo expects them.
enum EmbeddedPreview {
  /// Where JPEGs lie, each from its start marker to its end marker; in order, without overlaps.
  ///
  /// - Complexity: Linear in the bytes: each is looked at once or as part of one marker segment.
  static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while let start = bytes.firstOffset(of: [0xFF, 0xD8, 0xFF], from: position) {
      switch end(of: start, in: bytes) {
      case .found(let end):
        found.append(start..<end)
        position = end
      case .noPicture: position = start + 1
      // What has no end marker here has none further on.
      case .cut: return found
      }
    }
    return found
  }

  private enum End { case found(Int), noPicture, cut }

  private static func end(of start: Int, in bytes: [UInt8]) -> End {
    var position = start + 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      guard (0xC0...0xFE).contains(marker), !(0xD0...0xD9).contains(marker),
        let payload = JPEGMarker.payload(in: bytes, at: position + 2)
      else { return .noPicture }
      position = payload.upperBound
      guard marker == 0xDA else { continue }
      guard let end = bytes.firstOffset(of: [0xFF, 0xD9], from: position) else { return .cut }
      return .found(end + 2)
    }
    return .noPicture
  }
}

extension ExifPatch {
  /// Puts the small copy of the rendering, or nothing, in the place of every preview.
  ///
  /// Bytes are overwritten where they stand, so that what points at them stays true.
  ///
  /// - Returns: Whether there were previews, and whether each got a copy of the rendering.
  mutating func replacePreviews() -> (found: Bool, replaced: Bool) {
    let own = tiff.thumbnail?.entry(ExifTag.thumbnailOffset).flatMap { tiff.integer($0) }
    let ranges = EmbeddedPreview.ranges(in: tiff.bytes).filter { $0.lowerBound != own }
    var isReplaced = true
    for range in ranges {
      let jpeg = facts.thumbnail?.jpeg(atMost: range.count) ?? []
      if jpeg.isEmpty { isReplaced = false }
      let zeros = [UInt8](repeating: 0, count: range.count - jpeg.count)
      tiff.bytes.replaceSubrange(range, with: jpeg + zeros)
    }
    return (!ranges.isEmpty, isReplaced)
  }
}
