// SPDX-License-Identifier: Apache-2.0

/// A list of chapters in the user data of a movie: the content of a "chpl" box.
///
/// No standard describes it; Nero's programs introduced it, and FFmpeg writes the second version.
struct ChapterList {
  /// A chapter, which ends where the next one begins.
  struct Chapter {
    /// The time in units of 100 ns.
    var start: Int
    var title: [UInt8]
  }

  private var head: [UInt8]
  private(set) var chapters: [Chapter] = []

  init(_ box: BoxTree) throws(MovieError) {
    var cursor = BoxReader(leaf: box)
    try cursor.skipChapterListHead()
    head = Array(cursor.bytes[..<cursor.position])
    for _ in 0..<(try cursor.u8()) {
      let start = Int(clamping: try cursor.u64())
      let length = Int(try cursor.u8())
      let position = cursor.position
      try cursor.skip(length)
      chapters.append(
        Chapter(start: start, title: Array(cursor.bytes[position..<cursor.position])))
    }
  }

  /// Returns the chapters of a part of the movie, with times from its beginning.
  func trimmed(to kept: Range<Int>) -> ChapterList {
    var list = self
    let ends = chapters.dropFirst().map(\.start) + [Int.max]
    list.chapters = zip(chapters, ends).compactMap { chapter, end in
      guard end > kept.lowerBound, chapter.start < kept.upperBound else { return nil }
      return Chapter(start: max(0, chapter.start - kept.lowerBound), title: chapter.title)
    }
    return list
  }

  func written() -> BoxTree {
    var bytes = head + [UInt8(clamping: chapters.count)]
    for chapter in chapters {
      bytes.append(u64: UInt64(clamping: chapter.start))
      bytes.append(UInt8(clamping: chapter.title.count))
      bytes += chapter.title
    }
    return BoxTree("chpl", bytes)
  }
}

extension BoxReader {
  /// Skips what precedes the number of chapters in a "chpl" box.
  mutating func skipChapterListHead() throws(MovieError) {
    // The second version has four additional bytes.
    try skip(try versionAndFlags().version == 0 ? 0 : 4)
  }
}
