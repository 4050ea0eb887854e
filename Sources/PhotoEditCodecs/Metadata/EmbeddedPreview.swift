// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// Finds complete JPEGs in metadata: previews in maker notes and in separate directories.
///
/// They show the entire unedited image, which is unexpected after cropping.
enum EmbeddedPreview {
  /// Returns the ranges of the JPEGs, each from start marker to end marker, in order and without
  /// overlaps.
  ///
  /// - Complexity: Linear in the number of bytes: each is examined once or as part of one marker
  ///   segment.
  static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while let start = bytes.firstOffset(of: [0xFF, 0xD8, 0xFF], from: position) {
      switch end(of: start, in: bytes) {
      case .found(let end):
        found.append(start..<end)
        position = end
      case .noImage: position = start + 1
      // If no end marker follows here, none follows any later start marker either.
      case .truncated: return found
      }
    }
    return found
  }

  private enum End { case found(Int), noImage, truncated }

  private static func end(of start: Int, in bytes: [UInt8]) -> End {
    var position = start + 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      guard (0xC0...0xFE).contains(marker), !(0xD0...0xD9).contains(marker),
        let payload = JPEGMarker.payload(in: bytes, at: position + 2)
      else { return .noImage }
      position = payload.upperBound
      guard marker == 0xDA else { continue }
      guard let end = bytes.firstOffset(of: [0xFF, 0xD9], from: position) else { return .truncated }
      return .found(end + 2)
    }
    return .noImage
  }
}

extension ExifPatch {
  /// Replaces every preview by the thumbnail of the rendering or by zeros.
  ///
  /// Bytes are overwritten in place, so that offsets to them remain valid.
  ///
  /// - Returns: Whether there were previews, and whether each was replaced by a thumbnail of the
  ///   rendering.
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
