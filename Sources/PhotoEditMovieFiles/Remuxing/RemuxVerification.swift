// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditStorage

/// Reads a written QuickTime file back and compares it with the source packets.
struct RemuxVerification {
  let plan: RemuxPlan
  let written: [WrittenStream]
  /// The boxes of the source; nil for Matroska and AVI.
  let layout: MovieLayout?
  let cancellation: Cancellation
  /// The re-encoded frames; nil if all packets are those of the source.
  var reencoded: EncodedTrack?

  /// Verifies a file and returns its report.
  ///
  /// - Throws: `verificationFailed` naming the first stream and property that differ.
  mutating func report(
    on output: borrowing OpenFile, source: borrowing Demuxer, _ work: MovieProgress? = nil
  ) throws(MovieError) -> MovieReport {
    let result = try Self.layout(of: output, cancellation)
    guard result.container == .quickTime, result.tracks.count >= plan.entries.count else {
      throw .verificationFailed(
        "the written movie has \(result.tracks.count) of \(plan.entries.count) tracks")
    }
    var demuxer = try Demuxer.open(output, container: .quickTime, cancellation)
    let found = demuxer.streams.filter { $0.facts.is_chapters == 0 }
    guard found.count == plan.entries.count else {
      throw .verificationFailed("its streams differ from the source")
    }
    let tallies = found.map { _ in StreamStatistics(countsDecoding: layout != nil) }
    let entryIndices = Dictionary(
      found.enumerated().map { (Int32($1.index), $0) }, uniquingKeysWith: { $1 })
    while let packet = try demuxer.next() {
      try cancellation.check()
      try work?.advance(by: Int(packet.size))
      guard let entryIndex = entryIndices[packet.stream] else { continue }
      if found[entryIndex].codec == "mov_text",
        tallies[entryIndex].packets == written[entryIndex].summary.packets, packet.isEmptyText
      {
        continue
      }
      tallies[entryIndex].add(packet)
      if entryIndex == reencoded?.entryIndex { reencoded?.found.append(packet.presentation) }
    }
    var streams: [MovieStream] = []
    for (entryIndex, entry) in plan.entries.enumerated() {
      guard let summary = tallies[entryIndex].finish() else { continue }
      if let reencoded, reencoded.entryIndex == entryIndex {
        let track = result.tracks[entryIndex]
        try reencoded.requireSame(entry, as: found[entryIndex], track, sourceLayout: layout, result)
        streams.append(reencoded.report(entry, summary, track, result))
        continue
      }
      let comparison = StreamComparison(
        entry: entry, written: written[entryIndex], stream: found[entryIndex], summary: summary,
        track: result.tracks[entryIndex], movieTimescale: result.timescale)
      try comparison.requireSame(sourceLayout: layout, resultLayout: result)
      streams.append(comparison.report(movie: result))
    }
    let digest = try output.movieDigest(cancellation)
    return MovieReport(
      method: .remuxed, engine: .libavformat, bytes: result.size, digest: digest, streams: streams,
      losses: plan.losses
        + TagComparison(plan: plan, found: found, reencoded: reencoded?.entryIndex).losses(
          from: source, to: demuxer))
  }

  /// Reads the boxes of a newly written file.
  static func layout(
    of output: borrowing OpenFile, _ cancellation: Cancellation
  ) throws(MovieError) -> MovieLayout {
    do throws(MovieError) {
      return try MovieLayout.reading(output, cancellation)
    } catch .damaged(let message) {
      // A defect of the written file must not be attributed to the source.
      throw .verificationFailed(message)
    }
  }
}

extension pe_av_packet {
  /// Indicates whether this is the zero-length text sample with which the muxer ends every subtitle
  /// track.
  fileprivate var isEmptyText: Bool {
    size == 2 && UnsafeBufferPointer(start: data, count: 2).allSatisfy { $0 == 0 }
  }
}
