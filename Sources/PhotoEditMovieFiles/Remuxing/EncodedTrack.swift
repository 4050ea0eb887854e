// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

/// The new frames that replace a stream, and the results of checking them after writing.
struct EncodedTrack: Sendable {
  let description: EncodedVideoFormat
  /// The index of the stream in the plan.
  let entryIndex: Int
  /// Presentation times in units of the source stream's timescale, in any order.
  var written: [Int64] = []
  /// The presentation times read back, in units of the written stream's timescale.
  var found: [Int64] = []

  init(_ description: EncodedVideoFormat, entryIndex: Int) {
    self.description = description
    self.entryIndex = entryIndex
  }

  /// Compares the written stream with the source.
  ///
  /// - Throws: `verificationFailed` naming the first property that differs.
  func requireSame(
    _ entry: RemuxPlan.Entry, as stream: DemuxedStream, _ track: TrackLayout,
    sourceLayout: MovieLayout?, _ result: MovieLayout
  ) throws(MovieError) {
    try require(
      track.width == description.width && track.height == description.height,
      "has \(track.width)×\(track.height) pixels instead of "
        + "\(description.width)×\(description.height)")
    try require(stream.codec == description.codec, "has codec \(stream.codec)")
    try require(
      found.count == written.count, "has \(found.count) of \(written.count) frames")
    try requireSameTimes(entry.source, as: stream, track, sourceLayout: sourceLayout, result)
    let expected = description.isOriented ? .identity : entry.displayMatrix(sourceLayout)
    try require(track.matrix.times(result.matrix) == expected, "has a different display matrix")
  }

  private func requireSameTimes(
    _ source: DemuxedStream, as stream: DemuxedStream, _ track: TrackLayout,
    sourceLayout: MovieLayout?, _ result: MovieLayout
  ) throws(MovieError) {
    let old = sourceLayout?.tracks.first { $0.id == Int(source.facts.id) }
    let before =
      old?.edits.offset(
        mediaTimescale: old?.timescale ?? 0, movieTimescale: sourceLayout?.timescale ?? 0) ?? 0
    let after = track.edits.offset(
      mediaTimescale: track.timescale, movieTimescale: result.timescale)
    // One unit of the movie's timescale, which edit lists use.
    let tolerance = 1 / Double(max(result.timescale, 1)) + 0.0005
    for (old, new) in zip(written.sorted(), found.sorted()) {
      let seconds = stream.seconds(new) + after - source.seconds(old) - before
      try require(
        abs(seconds) <= tolerance,
        "shows the frame at \(milliseconds(source.seconds(old) + before)) ms "
          + "\(milliseconds(seconds)) ms later")
    }
  }

  /// Returns the stream as it is in the written file.
  func report(
    _ entry: RemuxPlan.Entry, _ summary: StreamStatistics.Summary, _ track: TrackLayout,
    _ movie: MovieLayout
  ) -> MovieStream {
    MovieStream(
      index: entry.source.index, kind: entry.kind, codec: track.codec.description,
      packets: summary.packets, digest: summary.payload,
      duration: track.presentedDuration(movieTimescale: movie.timescale),
      rotation: track.matrix.times(movie.matrix).rotation, language: track.language,
      width: track.width, height: track.height)
  }

  private func require(_ isSame: Bool, _ what: String) throws(MovieError) {
    guard isSame else { throw .verificationFailed("the video stream \(what)") }
  }
}
