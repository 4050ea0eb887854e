// SPDX-License-Identifier: Apache-2.0

extension EditableTrack {
  /// Returns the time at which the video must begin to be decodable without missing anything from
  /// `time` on.
  ///
  /// - Parameter time: Time in movie timescale units.
  /// - Returns: Time in movie timescale units; nil if there is no video from `time` on.
  func keyTime(at time: Int, movieTimescale: Int) -> Int? {
    var begin = 0
    for segment in segments(movieTimescale: movieTimescale) {
      let end = begin + segment.duration
      defer { begin = end }
      guard time < end else { continue }
      // An empty entry needs no key frame.
      if segment.start < 0 || segment.rate <= 0 { return time }
      let media = segment.start + mediaUnits(time - begin, rate: segment.rate, movieTimescale)
      let key = compositionTime(of: keySample(before: media))
      if key <= segment.start { return begin }
      let offset = scaled(key - segment.start, by: movieTimescale, over: timescale)
      let isPlain = segment.rate == 1 << 16
      return begin + (isPlain ? offset : scaled(offset, by: 1 << 16, over: segment.rate))
    }
    return nil
  }

  /// Keeps what is presented in a range of movie timescale units.
  ///
  /// - Returns: Whether there is anything.
  mutating func trim(to range: Range<Int>, movieTimescale: Int) throws(MovieError) -> Bool {
    let parts = segments(in: range, movieTimescale: movieTimescale)
    guard let media = media(of: parts, movieTimescale: movieTimescale) else { return false }
    if marksStillImageTime, segments(movieTimescale: movieTimescale).lead < range.lowerBound {
      return false
    }
    let needed = samplesNeeded(for: media)
    let before = RunIndex(samples.durations)
    let (kept, first) = try samples.sliced(needed)
    samples = kept
    var base = before.sum(before: first)
    if isIndependent {
      base = try shorten(to: media, base: base)
    }
    edits = parts
    shiftEdits(by: base)
    let isWhole = edits.count == 1 && edits[0].start == 0 && edits[0].rate == 1 << 16
    if isWhole, layout.edits.edits.isEmpty,
      edits[0].duration == scaled(samples.duration, by: movieTimescale, over: timescale)
    {
      edits = []
    }
    try updateBounds(base: base)
    return true
  }

  /// Subtracts an amount from the media times of the edit list, in media timescale units.
  private mutating func shiftEdits(by base: Int) {
    for index in edits.indices where edits[index].start >= 0 { edits[index].start -= base }
    let lowest = edits.filter { $0.start != -1 }.map(\.start).min() ?? 0
    guard lowest < 0 else { return }
    // Frames presented before they are decoded: an edit list has no negative times.
    let list = samples.compositions ?? RunLengthArray().resized(to: samples.count, filling: 0)
    samples.compositions = list.adding(-lowest)
    for index in edits.indices where edits[index].start != -1 { edits[index].start -= lowest }
  }

  /// Shortens the first and last sample to a range of media timescale units; returns the new start.
  private mutating func shorten(to media: Range<Int>, base: Int) throws(MovieError) -> Int {
    let count = samples.count
    let index = RunIndex(samples.durations)
    let end = base + index.total
    var durations = samples.durations
    let lead = max(0, media.lowerBound - base)
    let tail = max(0, end - media.upperBound)
    if tail > 0 {
      durations.set(max(1, index.value(at: count - 1) - tail), at: count - 1)
    }
    if lead > 0 {
      let first = RunIndex(durations).value(at: 0)
      durations.set(max(1, first - lead), at: 0)
      try advanceTimecode(by: lead)
    }
    samples.durations = durations
    return base + lead
  }

  /// Returns the samples that are required to present a range of media timescale units.
  private func samplesNeeded(for media: Range<Int>) -> Range<Int> {
    let count = samples.count
    let index = RunIndex(samples.durations)
    guard kind == .video || samples.compositions != nil || !samples.areAllSync else {
      var first = index.sample(atSum: media.lowerBound)
      let last = index.sample(atSum: max(media.lowerBound, media.upperBound - 1))
      if kind == .audio && !layout.isUniform { first = max(0, first - preroll) }
      return first..<max(first, last) + 1
    }
    let first = keySample(before: media.lowerBound)
    var last = first
    var time = index.sum(before: first)
    let offsets = samples.compositions.map(RunIndex.init)
    for sample in first..<count {
      if time + (offsets?.value(at: sample) ?? 0) < media.upperBound { last = sample }
      time += index.value(at: sample)
    }
    return first..<last + 1
  }

  /// The number of audio packets that a decoder needs before the first audible one.
  private var preroll: Int {
    switch layout.codec {
    case "Opus": 4
    case "alac", "fLaC", "ac-3": 0
    default: 2
    }
  }

  /// Returns the last sync sample that is presented at or before a media time.
  private func keySample(before media: Int) -> Int {
    let index = RunIndex(samples.durations)
    let offsets = samples.compositions.map(RunIndex.init)
    func composition(_ sample: Int) -> Int {
      index.sum(before: sample) + (offsets?.value(at: sample) ?? 0)
    }
    guard let syncs = samples.syncs else {
      guard samples.compositions != nil else { return index.sample(atSum: media) }
      // All are sync samples and yet presented in a different order, which is rare.
      return (0..<samples.count).last { composition($0) <= media } ?? 0
    }
    return syncs.last { composition($0) <= media } ?? 0
  }

  private func compositionTime(of sample: Int) -> Int {
    RunIndex(samples.durations).sum(before: sample)
      + (samples.compositions.map { RunIndex($0).value(at: sample) } ?? 0)
  }

  /// Updates the bounds in a `cslg` box; they are only a summary.
  private mutating func updateBounds(base: Int) throws(MovieError) {
    try tree.change("mdia", "minf", "stbl") { table throws(MovieError) in
      table.remove(["cslg", "stsh", "padb", "stdp", "subs"])
    }
    tree.remove(["load"])
  }

  // MARK: Conversion between presentation and media times

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

extension [EditList.Edit] {
  /// The delay before anything is presented, in movie timescale units.
  var lead: Int { prefix { $0.start == -1 }.reduce(0) { $0 + $1.duration } }
}
