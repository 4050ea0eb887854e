// SPDX-License-Identifier: Apache-2.0

/// Replacing the frames of a video at the same times.
extension EditableMovie {
  /// Replaces the frames by those of another movie, which must have the same number.
  ///
  /// The decoding order is taken from the other movie, the presentation times from this one.
  mutating func replaceVideo(with other: EditableMovie) throws(MovieError) {
    let index = try videoTrack("the video")
    let replacement = other.tracks[try other.videoTrack("the replacement")]
    let old = tracks[index]
    guard replacement.samples.count == old.samples.count else {
      throw Self.refusal(
        "the source has \(old.samples.count) frames, "
          + "but the replacement has \(replacement.samples.count)"
      )
    }
    let segments = old.segments(movieTimescale: timescale)
    var samples = replacement.samples
    for chunk in samples.chunks.indices { samples.chunks[chunk].origin = .replacement }
    let times = old.samples.compositionTimes
    // The last frame gets the total duration less that of all others.
    let span = (times.last ?? 0) - (times.first ?? 0)
    let lead = samples.retime(as: times, lastDuration: max(1, old.samples.duration - span))
    // Media times are shifted by this amount, and the edit list with them.
    var shift = lead - (times.first ?? 0)
    let lowest = segments.filter { $0.start >= 0 }.map { $0.start + shift }.min() ?? 0
    if lowest < 0 {
      let offsets = samples.compositions ?? RunLengthArray().resized(to: samples.count, filling: 0)
      samples.compositions = offsets.adding(-lowest)
      shift -= lowest
    }
    var track = old
    if shift != 0 || !old.edits.isEmpty {
      track.edits = segments.map { segment in
        var moved = segment
        if segment.start >= 0 { moved.start += shift }
        return moved
      }
    }
    track.samples = samples
    try track.adoptVideoSamples(of: replacement)
    tracks[index] = track
    try adoptMatrix(of: other)
    changesMedia = true
    try updateLengths()
  }

  /// Returns the only video track.
  private func videoTrack(_ name: String) throws(MovieError) -> Int {
    let indices = tracks.indices.filter {
      tracks[$0].kind == .video && tracks[$0].samples.count > 0
    }
    guard indices.count == 1 else {
      throw Self.refusal("\(name) has \(indices.count) video tracks instead of one")
    }
    return indices[0]
  }

  private mutating func adoptMatrix(of other: EditableMovie) throws(MovieError) {
    guard let box = other.header.child("mvhd"),
      let matrix = try DisplayMatrix(box, at: box.isWide ? 48 : 36)
    else {
      throw Self.refusal(
        "the display matrix of the replacement contains a perspective transformation")
    }
    try setMovieMatrix(matrix)
  }

  private static func refusal(_ reason: String) -> MovieError {
    .impossibleEdit(edit: "replaceVideo", reason: reason)
  }
}

extension EditableTrack {
  /// Adopts the sample descriptions, the size and the display matrix of another track.
  fileprivate mutating func adoptVideoSamples(of other: EditableTrack) throws(MovieError) {
    guard var table = other.tree.descendant("mdia", "minf", "stbl"),
      let header = other.tree.child("tkhd")
    else { throw .damaged("the replacement has no sample table") }
    table.remove(["cslg", "stsh", "padb", "stdp", "subs"])
    try tree.change("mdia", "minf") { box throws(MovieError) in box.replace(table) }
    let start = header.isWide ? 52 : 40
    let shape = header.bytes.dropFirst(start).prefix(44)
    guard shape.count == 44 else {
      throw .damaged("the track header of the replacement is truncated")
    }
    try tree.change("tkhd") { box throws(MovieError) in
      try box.set(Array(shape), at: box.isWide ? 52 : 40)
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

  /// Assigns new presentation times to the samples, in presentation order.
  ///
  /// - Returns: The new presentation time of the first one, in media timescale units.
  mutating func retime(as times: [Int], lastDuration: Int) -> Int {
    let offsets = compositions.map(RunIndex.init)
    var own: [(time: Int, sample: Int)] = []
    var time = 0
    for run in durations.runs {
      for _ in 0..<run.count {
        own.append((time + (offsets?.value(at: own.count) ?? 0), own.count))
        time += run.value
      }
    }
    own.sort { ($0.time, $0.sample) < ($1.time, $1.sample) }
    var targetTimes = [Int](repeating: 0, count: count)
    for (rank, entry) in own.enumerated() { targetTimes[entry.sample] = times[rank] }
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
    compositionVersion = 0
    return lead
  }
}
