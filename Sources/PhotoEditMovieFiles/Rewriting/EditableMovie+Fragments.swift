// SPDX-License-Identifier: Apache-2.0

/// Merging a header and its fragments into one sample table.
extension EditableMovie {
  /// Merges the fragments into the header.
  ///
  /// As with `ffmpeg -c copy`, a track is presented to the end of its last fragment, regardless of
  /// the end in its edit list; and a delay common to all tracks, which occurs if the file is a part
  /// of a longer one, is removed.
  mutating func joinFragments(_ layout: MovieLayout) throws(MovieError) {
    guard tracks.contains(where: { $0.samples.count > 0 }) else {
      throw .damaged("no stream has samples")
    }
    header.remove(["mvex"])
    changesMedia = true
    losses += layout.lostWithFragments.map { "box \($0)" }
    for track in tracks where track.samples.count > 0 { try track.requirePlainEdits() }
    // Edit list entries that extend to the end of the media have no duration yet.
    for index in tracks.indices { tracks[index].edits = [] }
    refineClock()
    let timescale = timescale
    let shown = tracks.indices.filter { tracks[$0].samples.count > 0 }
    let late = shown.map { index in
      scaled(tracks[index].lateness, by: timescale, over: tracks[index].timescale)
    }
    let common = late.min() ?? 0
    for (index, late) in zip(shown, late) {
      let silence = scaled(
        tracks[index].layout.edits.edits.lead, by: timescale, over: layout.timescale)
      tracks[index].present(after: silence + late - common, movieTimescale: timescale)
    }
    try updateLengths()
  }
}

extension EditableTrack {
  /// The delay of the first sample relative to the start of the edit list, in media timescale
  /// units.
  fileprivate var lateness: Int {
    max(0, layout.fragments.lead - (layout.edits.edits.firstStart ?? 0))
  }

  /// Rejects an edit list that specifies more than the start of the track.
  fileprivate func requirePlainEdits() throws(MovieError) {
    let shown = layout.edits.edits.filter { $0.start != -1 }
    let isPlain =
      layout.edits.edits.isEmpty
      || (shown.count == 1 && shown[0].start >= 0 && shown[0].rate == 1 << 16
        && layout.edits.edits.last?.start != -1)
    guard isPlain else {
      throw .unsupportedStream(
        stream: index, codec: layout.codec.description,
        reason: "fragments follow an edit list with more than a start time")
    }
  }

  /// Presents all samples from the start in the edit list on.
  ///
  /// - Parameter delay: The delay before it, in movie timescale units.
  fileprivate mutating func present(after delay: Int, movieTimescale: Int) {
    let lead = layout.fragments.lead
    guard delay > 0 || lead > 0 || !layout.edits.edits.isEmpty else { return }
    let start = max(0, (layout.edits.edits.firstStart ?? 0) - lead)
    let length = scaled(
      max(1, presentationEnd - start), by: movieTimescale, over: timescale)
    edits =
      (delay > 0 ? [EditList.Edit(duration: delay, start: -1, rate: 1 << 16)] : [])
      + [EditList.Edit(duration: max(1, length), start: start, rate: 1 << 16)]
  }

  /// The end of the presentation of all samples, in media timescale units.
  private var presentationEnd: Int {
    guard let compositions = samples.compositions else { return samples.duration }
    let index = RunIndex(samples.durations)
    var end = 0
    var sample = 0
    for run in compositions.runs {
      // In a run of equal values the last sample ends last.
      sample += run.count
      end = max(end, index.sum(before: sample) + run.value)
    }
    return end
  }
}

extension [EditList.Edit] {
  /// The start of presentation in the media; nil if not specified.
  fileprivate var firstStart: Int? { first { $0.start != -1 }?.start }
}
