// SPDX-License-Identifier: Apache-2.0

/// Replacing the frames of a video at the same times.
extension EditableMovie {
  /// Replaces the samples of a video track.
  ///
  /// The decoding order is that of the new frames, the presentation times are those of the old ones.
  ///
  /// - Parameters:
  ///   - samples: The new frames, as many as there were, in decoding order and without times.
  ///   - presentations: Numbers by which the frames are sorted for presentation.
  ///   - description: The `stsd` box.
  mutating func replaceFrames(
    ofTrack index: Int, with samples: TrackSamples, presentations: [Int64],
    _ format: EncodedVideoFormat, _ description: BoxTree
  ) throws(MovieError) {
    var track = tracks[index]
    let old = track.samples
    let times = old.compositionTimes
    let segments = track.segments(movieTimescale: timescale)
    track.samples = samples
    // The last frame gets the total duration less that of all others.
    let span = (times.last ?? 0) - (times.first ?? 0)
    let lead = track.samples.present(
      at: times, order: presentations, lastDuration: max(1, old.duration - span))
    // Media times are shifted by this amount, and the edit list with them.
    var shift = lead - (times.first ?? 0)
    let lowest = segments.filter { $0.start >= 0 }.map { $0.start + shift }.min() ?? 0
    if lowest < 0 {
      let offsets =
        track.samples.compositions ?? RunLengthArray().resized(to: samples.count, filling: 0)
      track.samples.compositions = offsets.adding(-lowest)
      shift -= lowest
    }
    if shift != 0 || !track.edits.isEmpty {
      track.edits = segments.map { segment in
        var moved = segment
        if segment.start >= 0 { moved.start += shift }
        return moved
      }
    }
    try track.describe(format, description)
    tracks[index] = track
    if format.isOriented { try setMovieMatrix(.identity) }
    changesMedia = true
    try updateLengths()
  }
}

extension EditableTrack {
  /// Sets the sample description, the size and the display matrix.
  fileprivate mutating func describe(
    _ format: EncodedVideoFormat, _ description: BoxTree
  ) throws(MovieError) {
    try tree.change("mdia", "minf", "stbl") { $0 = BoxTree("stbl", children: [description]) }
    try tree.change("tkhd") { box throws(MovieError) in
      let start = box.isWide ? 52 : 40
      if format.isOriented { try DisplayMatrix.identity.write(to: &box, at: start) }
      try box.set(UInt32(clamping: format.width) << 16, at: start + 36)
      try box.set(UInt32(clamping: format.height) << 16, at: start + 40)
    }
    // Apertures applied to the old frames.
    tree.remove(["tapt", "load"])
  }
}

extension TrackSamples {
  /// The presentation times of the samples, in media timescale units, in increasing order.
  var compositionTimes: [Int] {
    var times: [Int] = []
    times.reserveCapacity(count)
    let offsets = compositions.map(RunIndex.init)
    var time = 0
    for run in durations.runs {
      for _ in 0..<run.count {
        times.append(time + (offsets?.value(at: times.count) ?? 0))
        time += run.value
      }
    }
    return times.sorted()
  }

  /// Assigns presentation times to the samples.
  ///
  /// - Parameters:
  ///   - times: The presentation times, in increasing order.
  ///   - order: Numbers by which the samples are sorted for presentation.
  /// - Returns: The new presentation time of the first one, in media timescale units.
  fileprivate mutating func present(at times: [Int], order: [Int64], lastDuration: Int) -> Int {
    let sorted = order.indices.sorted { (order[$0], $0) < (order[$1], $1) }
    var targetTimes = [Int](repeating: 0, count: count)
    for (rank, sample) in sorted.enumerated() { targetTimes[sample] = times[rank] }
    // Decoding times follow the presentation times, early enough for every sample.
    let lead = zip(times, targetTimes).reduce(0) { max($0, $1.0 - $1.1) }
    var decoding = RunLengthArray()
    var leads = RunLengthArray()
    for sample in 0..<count {
      decoding.append(sample + 1 < count ? times[sample + 1] - times[sample] : lastDuration)
      leads.append(targetTimes[sample] - times[sample] + lead)
    }
    durations = decoding
    compositions = lead == 0 && leads.runs.allSatisfy { $0.value == 0 } ? nil : leads
    return lead
  }
}
