// SPDX-License-Identifier: Apache-2.0

/// The presented parts of a track's media and their times; ISO 14496-12, 8.6.6.
struct EditList: Sendable {
  struct Edit: Sendable, Hashable {
    /// Duration in units of the movie's timescale; 0 means to the end in fragmented files.
    var duration: Int
    /// Start in units of the media timescale; -1 presents nothing.
    var start: Int
    /// 1 << 16 is normal speed.
    var rate: Int
  }

  var edits: [Edit] = []

  init() {}

  init(_ reader: BoxReader) throws(MovieError) {
    var cursor = reader
    let isWide = try cursor.versionAndFlags().version == 1
    let count = try cursor.count(entrySize: isWide ? 20 : 12)
    var total = 0
    for _ in 0..<count {
      let edit = Edit(
        duration: try cursor.number(wide: isWide), start: try cursor.signed(wide: isWide),
        rate: try cursor.signed(wide: false))
      // All calculations with these numbers stay within 64 bits.
      guard edit.duration <= MovieLimits.maximumTime - total,
        edit.start.magnitude <= MovieLimits.maximumTime.magnitude
      else { throw .damaged("the duration of \(cursor.name) is out of range") }
      total += edit.duration
      edits.append(edit)
    }
  }

  /// The media time at which the presentation starts.
  var mediaStart: Int { edits.first { $0.start != -1 }?.start ?? 0 }

  /// Returns the reason why a start time alone cannot express this edit list; nil if it can.
  func complication(
    mediaDuration: Int, mediaTimescale: Int, movieTimescale: Int, tolerance: Double
  ) -> String? {
    let shown = edits.drop { $0.start == -1 }
    guard let edit = shown.first else {
      return edits.isEmpty ? nil : "the edit list has only empty entries"
    }
    if shown.count > 1 { return "the edit list has \(shown.count) entries; only one is supported" }
    if edit.rate != 1 << 16 { return "the edit list changes the speed" }
    if edit.start < 0 { return "the edit list starts before the media" }
    guard mediaTimescale > 0, movieTimescale > 0, edit.duration > 0 else { return nil }
    let end =
      Double(edit.start) / Double(mediaTimescale) + Double(edit.duration) / Double(movieTimescale)
    let hidden = Double(mediaDuration) / Double(mediaTimescale) - end
    return hidden > tolerance
      ? "the edit list hides the last \(milliseconds(hidden)) ms" : nil
  }

  /// Returns the entries in seconds.
  func presented(mediaTimescale: Int, movieTimescale: Int) -> [MovieStream.Edit] {
    guard mediaTimescale > 0, movieTimescale > 0 else { return [] }
    return edits.prefix(MovieLimits.maximumTags).map {
      MovieStream.Edit(
        start: $0.start < 0 ? nil : Double($0.start) / Double(mediaTimescale),
        duration: Double($0.duration) / Double(movieTimescale),
        rate: Double($0.rate) / 65536)
    }
  }

  /// Returns the number of presented seconds, given the `media` seconds.
  func duration(ofMedia media: Double, mediaTimescale: Int, movieTimescale: Int) -> Double {
    guard let first = edits.first(where: { $0.start != -1 }), mediaTimescale > 0,
      movieTimescale > 0
    else { return media }
    let shown = edits.reduce(0.0) { $0 + ($1.start == -1 ? 0 : Double($1.duration)) }
    if shown > 0 { return shown / Double(movieTimescale) }
    return max(0, media - Double(first.start) / Double(mediaTimescale))
  }
}

/// Returns whole milliseconds for messages; safe for any number.
func milliseconds(_ seconds: Double) -> Int {
  Int(exactly: (seconds * 1000).rounded()) ?? Int.max
}
