// SPDX-License-Identifier: Apache-2.0

/// Makes one table of samples of a header and its fragments.
extension EditableMovie {
  /// Takes the fragments into the header.
  ///
  /// As in `ffmpeg -c copy`, a track is shown to the end of its last fragment, whatever its edit list
  /// says of the end; and what all tracks together begin later, because the file is a piece of a longer
  /// one, is left out.
  mutating func joinFragments(_ layout: MovieLayout) throws(MovieError) {
    guard tracks.contains(where: { $0.samples.count > 0 }) else {
      throw .damaged("none of its streams has any samples")
    }
    header.remove(["mvex"])
    changesMedia = true
    losses += layout.lostWithFragments.map { "box \($0) is left out" }
    for track in tracks where track.samples.count > 0 { try track.requirePlainEdits() }
    // Edits to the end of the media have no length yet.
    for place in tracks.indices { tracks[place].edits = [] }
    refineClock()
    let timescale = timescale
    let shown = tracks.indices.filter { tracks[$0].samples.count > 0 }
    let late = shown.map { place in
      scaled(tracks[place].lateness, by: timescale, over: tracks[place].timescale)
    }
    let common = late.min() ?? 0
    for (place, late) in zip(shown, late) {
      let silence = scaled(
        tracks[place].layout.edits.edits.lead, by: timescale, over: layout.timescale)
      tracks[place].present(after: silence + late - common, movieTimescale: timescale)
    }
    try updateLengths()
  }
}

extension EditableTrack {
  /// Ticks of the media by which the first sample comes later than the edit list begins.
  fileprivate var lateness: Int {
    max(0, layout.fragments.lead - (layout.edits.edits.firstStart ?? 0))
  }

  /// Refuses an edit list that says more than when the track begins.
  fileprivate func requirePlainEdits() throws(MovieError) {
    let shown = layout.edits.edits.filter { $0.start != -1 }
    let isPlain =
      layout.edits.edits.isEmpty
      || (shown.count == 1 && shown[0].start >= 0 && shown[0].rate == 1 << 16
        && layout.edits.edits.last?.start != -1)
    guard isPlain else {
      throw .cannotHold(
        stream: index, codec: layout.codec.description,
        reason: "fragments follow an edit list that says more than when it begins")
    }
  }

  /// Presents all samples from the one on that the edit list names.
  ///
  /// - Parameter delay: Ticks of the movie before that.
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

  /// The media tick behind the presentation of all samples.
  private var presentationEnd: Int {
    guard let compositions = samples.compositions else { return samples.duration }
    let index = RunIndex(samples.durations)
    var end = 0
    var sample = 0
    for run in compositions.runs {
      // Of neighbours that are alike the last ends last.
      sample += run.count
      end = max(end, index.sum(before: sample) + run.value)
    }
    return end
  }
}

extension [EditList.Edit] {
  /// Where presentation begins in the media; nil when nothing is said.
  fileprivate var firstStart: Int? { first { $0.start != -1 }?.start }
}
