// SPDX-License-Identifier: Apache-2.0

/// The movie that a motion photo carries behind its picture.
///
/// Makers announce it in their own ways: Google by `MicroVideoOffset` and later by a directory of
/// containers, Samsung by a trailer. All of them are wrong in some files, so the boxes of the movie
/// have the last word: it is where they are.
enum MotionPhotoMovie {
  /// How many places are looked at that might be the beginning of a movie.
  private static let candidates = 16

  /// Finds the movie.
  ///
  /// - Parameters:
  ///   - file: All bytes.
  ///   - end: Where the picture ends.
  /// - Returns: From the first to the last box; nil when there is no whole movie.
  static func range(in file: UnsafeRawBufferPointer, behind end: Int) -> Range<Int>? {
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

  /// The boxes that follow each other; nil when they are no movie.
  private static func boxes(_ file: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
    var position = start
    var seen: Set<String> = []
    while file.count - position >= 8 {
      var size = file.unsigned32(at: position) ?? 0
      let type = String(decoding: file[(position + 4)..<(position + 8)], as: UTF8.self)
      guard known.contains(type) else { break }
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

  private static let known: Set<String> = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "uuid", "meta", "moof", "mfra", "sidx",
    "styp", "udta",
  ]
}
