// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditPlatform
import PhotoEditStorage

/// Copies the packets of a video to a new QuickTime file and reads that file back.
struct Remuxer {
  let staged: String
  /// The boxes of the source; nil for Matroska and AVI.
  let layout: MovieLayout?
  var dropsStreams = false
  let cancellation: Cancellation

  /// Remuxes a file; the staged file is then synced and verified, or absent.
  func run(
    _ file: borrowing OpenFile, container: MovieContainer, _ work: MovieProgress
  ) throws(MovieError) -> MovieReport {
    var demuxer = try Demuxer.open(file, container: container, cancellation)
    var plan = try RemuxPlan(demuxer, layout, dropsStreams: dropsStreams)
    var muxer = try Muxer.prepare(plan, from: demuxer, path: staged)
    try cancellation.check()
    let output = try translating(MovieError.file, OpenFile(creating: staged))
    do throws(MovieError) {
      let written = try write(&plan, &demuxer, &muxer, to: output, work)
      var verification = RemuxVerification(
        plan: plan, written: written, layout: layout, cancellation: cancellation)
      return try verification.report(on: output, source: demuxer, work)
    } catch {
      unlink(staged)
      throw error
    }
  }

  /// Writes all packets, and removes streams without any from the plan; returns what was written,
  /// by stream.
  private func write(
    _ plan: inout RemuxPlan, _ demuxer: inout Demuxer, _ muxer: inout Muxer,
    to output: borrowing OpenFile, _ work: MovieProgress
  ) throws(MovieError) -> [WrittenStream] {
    try muxer.begin(output)
    let tallies = plan.entries.map { StreamStatistics(countsDecoding: $0.track != nil) }
    let outputs = Dictionary(
      plan.entries.enumerated().map { (Int32($1.source.index), $0) }, uniquingKeysWith: { $1 })
    var starts = [Int64?](repeating: nil, count: plan.entries.count)
    let texts = plan.textConverters
    while let packet = try demuxer.next() {
      try work.advance(by: Int(packet.size))
      guard let entryIndex = outputs[packet.stream] else { continue }
      if tallies[entryIndex].packets == 0, texts[entryIndex]?.isWaiting != true {
        starts[entryIndex] = packet.presentation
      }
      if let reason = Self.refusal(of: packet) {
        let stream = plan.entries[entryIndex].source
        throw .unsupportedStream(stream: stream.index, codec: stream.name, reason: reason)
      }
      try muxer.write(
        packet, from: demuxer, texts[entryIndex], counting: tallies[entryIndex])
    }
    try muxer.finish(texts, from: demuxer, counting: tallies)
    let written = plan.withTracks(try summaries(plan, tallies, starts))
    plan.noteConversions(texts)
    plan.removeEmpty(tallies)
    try writeLanguages(plan, demuxer, to: output)
    try translating(MovieError.file, output.sync())
    return written
  }

  /// Writes languages as three packed letters; the muxer supports only the 150 languages of old
  /// QuickTime.
  func writeLanguages(
    _ plan: RemuxPlan, _ demuxer: borrowing Demuxer, to output: borrowing OpenFile
  ) throws(MovieError) {
    let written = try RemuxVerification.layout(of: output, cancellation)
    for (entry, track) in zip(plan.entries, written.tracks) {
      let name = entry.track?.language ?? demuxer.tags(of: entry.source.index)["language"]
      let code = MediaLanguage.code(ofName: name)
      let bytes = [UInt8(code >> 8), UInt8(code & 255)]
      let offset = written.headerStart + track.languagePosition
      guard pwrite(output.descriptor, bytes, 2, offset) == 2 else {
        throw .file(FileError(errno: errno, "cannot write", path: staged))
      }
    }
  }

  static func refusal(of packet: pe_av_packet) -> String? {
    // In containers without decoding times, these follow from the order.
    if packet.presentation == pe_av_no_time { return "its packets have no presentation times" }
    return packet.changes_setup != 0 ? "the decoder configuration changes within the stream" : nil
  }

  /// Returns the summaries of the written streams.
  ///
  /// - Parameter entryIndex: The index of the re-encoded stream, which is not checked here; nil if
  ///   absent.
  func summaries(
    _ plan: RemuxPlan, _ tallies: [StreamStatistics], _ starts: [Int64?],
    except entryIndex: Int? = nil
  ) throws(MovieError) -> [WrittenStream] {
    var streams: [WrittenStream] = []
    for (index, entry) in plan.entries.enumerated() {
      guard let summary = tallies[index].finish() else { continue }
      let start = entry.source.seconds(starts[index] ?? 0)
      let offset = entry.track?.offset(movieTimescale: layout?.timescale ?? 0)
      if index != entryIndex, let track = entry.track, !track.isUniform,
        entry.source.facts.is_uniform == 0,
        summary.packets != track.samples
      {
        throw .damaged(
          "stream \(entry.source.index) (\(entry.source.name)) has \(track.samples) samples, "
            + "but only \(summary.packets) can be read")
      }
      streams.append(WrittenStream(summary: summary, start: start + (offset ?? 0)))
    }
    return streams
  }
}

/// The packets of one stream as passed to the muxer.
struct WrittenStream: Sendable {
  let summary: StreamStatistics.Summary
  /// Seconds from the beginning of the source to the presentation of its first packet.
  let start: Double
}

/// Counts and hashes the packets of one stream as they are processed.
final class StreamStatistics {
  private(set) var packets = 0
  private(set) var bytes = 0
  /// The first presentation time, in timescale units.
  private(set) var start: Int64 = 0
  private var firstDecoding: Int64 = 0
  private let countsDecoding: Bool
  private var payload: DigestBuilder? = DigestBuilder()
  private var timeline: DigestBuilder? = DigestBuilder()

  /// Creates empty statistics.
  ///
  /// - Parameter countsDecoding: False if the source leaves decoding times to the muxer.
  init(countsDecoding: Bool) {
    self.countsDecoding = countsDecoding
  }

  func add(_ packet: pe_av_packet) {
    if packets == 0 {
      start = packet.presentation
      firstDecoding = packet.decoding
    }
    packets += 1
    bytes += Int(packet.size)
    payload?.update(UnsafeRawBufferPointer(start: packet.data, count: Int(packet.size)))
    // Relative to the first packet: an edit list moves all of them by the same amount.
    let times = [
      packet.presentation &- start, countsDecoding ? packet.decoding &- firstDecoding : 0,
      Int64(packet.is_key), Int64(packet.size),
    ]
    times.withUnsafeBytes { timeline?.update($0) }
  }

  /// Ends counting; returns nil if called again.
  func finish() -> Summary? {
    guard let payload = payload.take(), let timeline = timeline.take() else { return nil }
    return Summary(
      packets: packets, bytes: bytes, start: start, payload: payload.finish(),
      timeline: timeline.finish())
  }

  struct Summary: Sendable, Hashable {
    var packets: Int
    var bytes: Int
    /// The first presentation time, in timescale units.
    var start: Int64
    /// The SHA-256 digest of all packets, concatenated.
    var payload: SHA256Digest
    /// The SHA-256 digest of the times, size and key flag of every packet.
    var timeline: SHA256Digest
  }
}
