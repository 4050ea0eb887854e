// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

/// Compares one stream of the source with the same stream of the written file.
struct StreamComparison {
  let entry: RemuxPlan.Entry
  let written: WrittenStream
  let stream: DemuxedStream
  let summary: StreamStatistics.Summary
  let track: TrackLayout
  /// The timescale of the written file.
  let movieTimescale: Int

  func requireSame(
    sourceLayout: MovieLayout?, resultLayout: MovieLayout
  ) throws(MovieError) {
    try requireSamePackets()
    try requireSameDescription()
    try requireSameTimes(sourceLayout)
    try require(
      track.matrix.times(resultLayout.matrix) == entry.displayMatrix(sourceLayout),
      "has a different display matrix")
    if let track = entry.track {
      try require(
        self.track.language == track.language,
        "has language \(self.track.language ?? "und") instead of \(track.language ?? "und")")
    }
  }

  private func requireSamePackets() throws(MovieError) {
    let before = written.summary
    try require(summary.payload == before.payload, "has different packet data")
    try require(summary.bytes == before.bytes, "has \(summary.bytes) of \(before.bytes) bytes")
    // Readers split PCM samples into packets in different ways.
    if entry.source.facts.is_uniform != 0 { return }
    try require(
      summary.packets == before.packets, "has \(summary.packets) of \(before.packets) packets")
    try require(summary.timeline == before.timeline, "has different packet times")
  }

  private func requireSameDescription() throws(MovieError) {
    let old = entry.source.facts
    let new = stream.facts
    let (width, height) =
      entry.kind == .video
      ? (entry.track?.width ?? Int(old.width), entry.track?.height ?? Int(old.height))
      : (track.width, track.height)
    try require(stream.codec == entry.codec, "has codec \(stream.codec)")
    try require(
      track.width == width && track.height == height,
      "has \(track.width)×\(track.height) pixels instead of \(width)×\(height)")
    try require(
      new.sample_rate == old.sample_rate && new.channels == old.channels,
      "has \(new.channels) channels at \(new.sample_rate) Hz")
    let aspect = (old.pixelAspect, new.pixelAspect)
    try require(
      aspect.0.0 * aspect.1.1 == aspect.1.0 * aspect.0.1, "has a different pixel aspect ratio")
    if entry.text == nil, QuickTimeCodecs.withExactSetup.contains(stream.codec) {
      try require(hasSameSetup, "has a different decoder configuration")
    }
  }

  private var hasSameSetup: Bool {
    if let old = HEVCConfiguration(entry.source.setup), let new = HEVCConfiguration(stream.setup) {
      return new.hasSameParameterSets(as: old)
    }
    return stream.setup == entry.source.setup
  }

  private func requireSameTimes(_ source: MovieLayout?) throws(MovieError) {
    // Both are seconds from the beginning of the video to the first packet.
    let after = stream.seconds(summary.start) + track.offset(movieTimescale: movieTimescale)
    // Edit lists round to the timescale of the movie, packets to that of the track.
    let tolerance =
      1 / Double(max(movieTimescale, 1)) + 1 / Double(max(track.timescale, 1)) + 0.0005
    try require(
      abs(after - written.start) <= tolerance,
      "starts \(milliseconds(after - written.start)) ms later")
    guard let old = entry.track, let source else { return }
    try requireSameMedia(old)
    let change =
      track.presentedDuration(movieTimescale: movieTimescale)
      - old.presentedDuration(movieTimescale: source.timescale)
    try require(
      abs(change) <= old.durationTolerance(source.timescale),
      "lasts \(milliseconds(change)) ms longer")
  }

  /// Compares the total duration of all samples, because padding and timescales change the
  /// presented duration.
  private func requireSameMedia(_ old: TrackLayout) throws(MovieError) {
    // A timecode is extended to the length of the movie.
    guard entry.kind != .data else { return }
    let media = Double(track.mediaDuration) / Double(max(track.timescale, 1))
    let expected = Double(old.mediaDuration) / Double(max(old.timescale, 1))
    // The times of the first and last packet and the duration of the latter are rounded, each by
    // half a unit of the coarser timescale.
    try require(
      abs(media - expected) <= 1.5 / Double(max(min(track.timescale, old.timescale), 1)) + 1e-6,
      "has samples that last \(milliseconds(media - expected)) ms longer")
  }

  private func require(_ isSame: Bool, _ what: String) throws(MovieError) {
    guard isSame else {
      throw .verificationFailed("stream \(entry.source.index) (\(entry.source.name)) \(what)")
    }
  }
}

extension pe_av_stream_facts {
  /// Width and height of a pixel; square if not specified.
  fileprivate var pixelAspect: (Int, Int) {
    guard pixel_numerator > 0, pixel_denominator > 0 else { return (1, 1) }
    return (Int(pixel_numerator), Int(pixel_denominator))
  }
}
