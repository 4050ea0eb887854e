// SPDX-License-Identifier: Apache-2.0

/// Conversion between presentation and media times.
extension EditableTrack {
  /// Returns the edit list, or the default for its absence.
  func segments(movieTimescale: Int) -> [EditList.Edit] {
    if !edits.isEmpty {
      return edits.map { edit in
        guard edit.duration == 0, edit.start >= 0 else { return edit }
        let rest = max(0, compositionEnd - edit.start)
        var whole = edit
        whole.duration = scaled(rest, by: movieTimescale, over: timescale)
        return whole
      }
    }
    let length = scaled(compositionEnd, by: movieTimescale, over: timescale)
    return length > 0 ? [EditList.Edit(duration: length, start: 0, rate: 1 << 16)] : []
  }

  /// Returns the presented duration of the track, including empty entries, in movie timescale
  /// units.
  func presented(movieTimescale: Int) -> Int {
    segments(movieTimescale: movieTimescale).reduce(0) { $0 + max(0, $1.duration) }
  }

  /// The end of the presentation of the last sample, in media timescale units.
  private var compositionEnd: Int {
    guard let compositions = samples.compositions else { return samples.duration }
    let lead = compositions.runs.first?.value ?? 0
    return samples.duration + max(0, lead)
  }

  /// Returns the parts of the edit list within a range of movie timescale units.
  func segments(in range: Range<Int>, movieTimescale: Int) -> [EditList.Edit] {
    var kept: [EditList.Edit] = []
    var time = 0
    for segment in segments(movieTimescale: movieTimescale) {
      let whole = time..<(time + max(0, segment.duration))
      time = whole.upperBound
      let part = whole.clamped(to: range)
      guard !part.isEmpty else { continue }
      var clipped = segment
      clipped.duration = part.count
      if segment.start >= 0 {
        clipped.start += mediaUnits(
          part.lowerBound - whole.lowerBound, rate: segment.rate, movieTimescale)
      }
      kept.append(clipped)
    }
    // Empty entries at the end have no effect.
    while kept.last?.start == -1 { kept.removeLast() }
    return kept
  }

  /// Converts a duration from movie to media timescale units.
  func mediaUnits(_ units: Int, rate: Int, _ movieTimescale: Int) -> Int {
    let media = scaled(units, by: timescale, over: movieTimescale)
    return rate == 1 << 16 ? media : scaled(media, by: max(0, rate), over: 1 << 16)
  }

  /// Returns the range of media timescale units that edit list entries present; nil if absent.
  func media(of segments: [EditList.Edit], movieTimescale: Int) -> Range<Int>? {
    let shown = segments.filter { $0.start >= 0 }
    guard let first = shown.map(\.start).min() else { return nil }
    let ends = shown.map { segment in
      var units = mediaUnits(segment.duration, rate: segment.rate, movieTimescale)
      // A partially presented unit counts as presented.
      if scaled(units, by: movieTimescale, over: timescale) < segment.duration { units += 1 }
      return segment.start + max(1, units)
    }
    return first..<max(first + 1, ends.max() ?? 0)
  }

  /// Indicates whether every sample is meaningful without the ones before it, and may be shortened.
  var isIndependent: Bool {
    switch kind {
    case .subtitle, .data: samples.areAllSync && samples.compositions == nil
    case .video, .audio: false
    }
  }
}
