// SPDX-License-Identifier: Apache-2.0

/// The video that a motion photo contains after its image.
///
/// Vendors mark it in different ways: Google by `MicroVideoOffset` and later by a container
/// directory, Samsung by a trailer. All of these are wrong in some files, so the boxes of the video
/// are authoritative for its position.
enum MotionPhotoVideo {
  /// The maximum number of offsets examined as the possible beginning of a video.
  private static let candidates = 16

  /// Finds the video.
  ///
  /// - Parameters:
  ///   - file: All bytes.
  ///   - end: The end of the image.
  /// - Returns: The range from the first to the last box; nil if there is no complete video.
  static func range(in file: UnsafeRawBufferPointer, after end: Int) -> Range<Int>? {
    var start = end
    for _ in 0..<candidates {
      guard start < file.count,
        let found = UnsafeRawBufferPointer(rebasing: file[start...])
          .firstOffset(of: Array("ftyp".utf8))
      else { return nil }
      let type = start + found
      if type - 4 >= end, let range = boxes(file, from: type - 4) { return range }
      start = type + 4
    }
    return nil
  }

  /// Returns the range of consecutive boxes; nil if they are not a video.
  private static func boxes(_ file: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
    var position = start
    var seen: Set<String> = []
    while file.count - position >= 8 {
      var size = file.unsigned32(at: position) ?? 0
      let type = String(decoding: file[(position + 4)..<(position + 8)], as: UTF8.self)
      guard boxTypes.contains(type) else { break }
      if size == 1, let high = file.unsigned32(at: position + 8),
        let low = file.unsigned32(at: position + 12)
      {
        guard high < 1 << 30 else { break }
        size = high << 32 | low
      }
      guard size >= 8, size <= file.count - position else { break }
      seen.insert(type)
      position += size
    }
    return seen.isSuperset(of: ["ftyp", "moov", "mdat"]) ? start..<position : nil
  }

  private static let boxTypes: Set<String> = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "uuid", "meta", "moof", "mfra", "sidx",
    "styp", "udta",
  ]
}
