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
      if found[entryIndex].codec == "mov_text", packet.isEmptyText,
        plan.entries[entryIndex].text != nil
          || tallies[entryIndex].packets == written[entryIndex].summary.packets
      {
        continue
      }
      tallies[entryIndex].add(packet)
      if entryIndex == reencoded?.entryIndex { reencoded?.found.append(packet.presentation) }
    }
    var streams: [MovieStream] = []
    for (entryIndex, entry) in plan.entries.enumerated() {
      guard let summary = tallies[entryIndex].finish() else { continue }
      let track = result.tracks[entryIndex]
      // Nothing of a track without texts could differ.
      if entry.text != nil, summary.packets == 0, written[entryIndex].summary.packets == 0 {
        streams.append(entry.report(summary, track, result))
        continue
      }
      if let reencoded, reencoded.entryIndex == entryIndex {
        try reencoded.requireSame(entry, as: found[entryIndex], track, sourceLayout: layout, result)
      } else {
        let comparison = StreamComparison(
          entry: entry, written: written[entryIndex], stream: found[entryIndex], summary: summary,
          track: track, movieTimescale: result.timescale)
        try comparison.requireSame(sourceLayout: layout, resultLayout: result)
      }
      streams.append(entry.report(summary, track, result))
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
  /// track and fills the gaps between converted texts.
  fileprivate var isEmptyText: Bool {
    size == 2 && UnsafeBufferPointer(start: data, count: 2).allSatisfy { $0 == 0 }
  }
}

/// Determines the tags, chapters and color properties of a source that are missing from the written
/// file.
struct TagComparison {
  let plan: RemuxPlan
  let found: [DemuxedStream]
  /// The index of the re-encoded stream; nil if absent.
  var reencoded: Int?

  /// Returns a noun phrase for each loss.
  func losses(from source: borrowing Demuxer, to result: borrowing Demuxer) -> [String] {
    var losses = Self.lost(source.tags(of: nil), result.tags(of: nil)).map {
      "tag \($0) of the video"
    }
    for (index, entry) in plan.entries.enumerated() {
      let label = "stream \(entry.source.index) (\(entry.source.name))"
      let before = source.tags(of: entry.source.index)
      let after = result.tags(of: found[index].index)
      var lost = Self.lost(before, after)
      // It named the encoder of the packets that were replaced.
      if index == reencoded { lost.removeAll { $0 == "encoder" } }
      losses += lost.map { "tag \($0) of \(label)" }
      // In other containers the color properties come from the packets, which still contain them.
      if entry.track != nil {
        losses += Self.lostColors(entry.source, found[index]).map { "\($0) of \(label)" }
      }
    }
    let chapters = (source.chapters, result.chapters)
    for chapter in chapters.0
    where !chapters.1.contains(where: {
      $0.title == chapter.title && abs($0.start - chapter.start) <= 0.002
    }) {
      losses.append("the chapter at \(milliseconds(chapter.start)) ms")
    }
    return losses
  }

  /// Tags that describe the source file or the program that wrote it and are not user data.
  private static let incidental: Set<String> = [
    "major_brand", "minor_version", "compatible_brands", "vendor_id",
  ]

  /// Returns the tag of the same meaning as QuickTime has it: Matroska writes keys in capitals, and
  /// dates with a space; QuickTime writes coordinates with four decimals, zeros included.
  private static func canonical(_ key: String, _ value: String) -> Tag {
    let key = key.lowercased()
    if key == "location" {
      let decimals = #/\.([0-9]*?)0*(?![0-9])/#
      return Tag(key: key, value: value.replacing(decimals) { $0.1.isEmpty ? "" : "." + $0.1 })
    }
    guard key == "creation_time" else { return Tag(key: key, value: value) }
    // QuickTime dates are in whole seconds.
    return Tag(key: key, value: String(value.replacing(" ", with: "T").prefix(19)))
  }

  /// Numbers that Matroska muxers count; they describe the source file and not the new one.
  private static let statistics: Set<Substring> = [
    "BPS", "DURATION", "NUMBER_OF_BYTES", "NUMBER_OF_FRAMES", "SOURCE_ID", "_STATISTICS_TAGS",
    "_STATISTICS_WRITING_APP", "_STATISTICS_WRITING_DATE_UTC",
  ]

  private static func lost(_ before: [String: String], _ after: [String: String]) -> [String] {
    let kept = Set(after.map { canonical($0.key, $0.value) })
    return before.keys.sorted().filter { key in
      if incidental.contains(key.lowercased()) || key == "ENCODER" || before[key] == after[key] {
        return false
      }
      // Matroska appends the language of a tag, as in "BPS-eng".
      if statistics.contains(key.prefix { $0 != "-" }) { return false }
      if let value = before[key], kept.contains(canonical(key, value)) { return false }
      // An undetermined language is expressed by omitting it.
      return key.lowercased() != "language" || before[key] != "und" || after["language"] != nil
    }
  }

  private struct Tag: Hashable {
    var key: String
    var value: String
  }

  private static func lostColors(_ before: DemuxedStream, _ after: DemuxedStream) -> [String] {
    let (old, new) = (before.facts, after.facts)
    var losses: [String] = []
    if (old.primaries, old.transfer, old.color_matrix)
      != (new.primaries, new.transfer, new.color_matrix)
    {
      losses.append("the container color description")
    }
    if old.is_full_range != new.is_full_range { losses.append("the container full-range flag") }
    return losses
  }
}
