// SPDX-License-Identifier: Apache-2.0

/// Trimming the beginning and the end between samples.
extension EditableMovie {
  /// Keeps a time range of the movie; its video begins at the last key frame at or before `start`.
  ///
  /// - Parameters:
  ///   - start: Seconds from the beginning.
  ///   - end: Seconds from the beginning; nil or a later time keeps the end.
  mutating func trim(start: Double, end: Double?) throws(MovieError) {
    let length = duration
    func refuse(_ reason: String) -> MovieError { .impossibleEdit(edit: "trim", reason: reason) }
    guard start.isFinite, start >= 0, start < length else {
      throw refuse("start \(start) s is outside the video, which lasts \(length) s")
    }
    if let end, !(end > start) { throw refuse("end \(end) s is not after start \(start) s") }
    refineClock()
    let total = tracks.map { $0.presented(movieTimescale: timescale) }.max() ?? 0
    let last = end.map { $0 < length ? units($0) : total } ?? total
    var first = units(start)
    if let videoStream = tracks.first(where: { $0.kind == .video && $0.samples.count > 0 }) {
      guard let key = videoStream.keyTime(at: first, movieTimescale: timescale) else {
        throw refuse("no video frames at \(start) s")
      }
      first = key
    }
    guard first < last else { throw refuse("the resulting video would be empty") }
    let before = kept?.lowerBound ?? 0
    kept =
      (before + Double(first) / Double(timescale))...(before + Double(last) / Double(timescale))
    try trimTracks(to: first..<last)
  }

  private mutating func trimTracks(to range: Range<Int>) throws(MovieError) {
    changesMedia = true
    var removed: Set<Int> = []
    for index in tracks.indices where tracks[index].samples.count > 0 {
      if try !tracks[index].trim(to: range, movieTimescale: timescale) {
        removed.insert(tracks[index].id)
        losses.append("\(tracks[index].label) has no samples in the trimmed range and is omitted")
      }
    }
    try removeTracks { removed.contains($0.id) }
    try updateLengths()
  }

  private func units(_ seconds: Double) -> Int {
    Int(exactly: (seconds * Double(timescale)).rounded()) ?? Int.max / 2
  }

  /// Increases the movie's timescale so that video times are integers in it.
  mutating func refineClock() {
    guard let media = tracks.first(where: { $0.kind == .video })?.timescale, media > 0 else {
      return
    }
    var (a, b) = (timescale, media)
    while b > 0 { (a, b) = (b, a % b) }
    let factor = media / a
    let longest = tracks.map { $0.presented(movieTimescale: timescale) }.max() ?? 0
    // Durations have 32 bits in the headers that every player reads.
    let (product, overflows) = max(longest, timescale).multipliedReportingOverflow(by: factor)
    guard factor > 1, !overflows, product < 1 << 31 else { return }
    timescale *= factor
    for index in tracks.indices {
      for edit in tracks[index].edits.indices { tracks[index].edits[edit].duration *= factor }
    }
  }
}
