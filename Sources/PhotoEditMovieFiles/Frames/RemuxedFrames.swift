// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditPlatform
import PhotoEditStorage

/// Writes new frames between the packets of the other streams, through libavformat.
final class RemuxedFrames: FrameRecipient {
  private let layout: MovieLayout?
  private var source: Demuxer
  /// The stream that is replaced.
  private let stream: Int
  private var plan: RemuxPlan
  private var muxer: Muxer
  private let output: OpenFile
  private let cancellation: Cancellation
  private var reencoded: EncodedTrack
  private let tallies: [StreamStatistics]
  private let texts: [TextConverter?]
  private var starts: [Int64?]
  private var isFinished = false

  init(
    _ movie: OpenedMovie, _ plan: RemuxPlan, replacing stream: Int, at staged: String,
    _ format: EncodedVideoFormat, _ cancellation: Cancellation
  ) throws(MovieError) {
    guard let entryIndex = plan.entries.firstIndex(where: { $0.source.index == stream }) else {
      throw .damaged("the video has no video track with frames")
    }
    let source = try movie.demuxer(cancellation)
    let reencoded = EncodedTrack(format, entryIndex: entryIndex)
    var muxer = try Muxer.prepare(plan, from: source, path: staged, reencoded)
    let output = try translating(MovieError.file, OpenFile(creating: staged))
    do throws(MovieError) {
      try muxer.begin(output)
    } catch {
      unlink(staged)
      throw error
    }
    layout = movie.layout
    self.source = source
    self.stream = stream
    self.plan = plan
    self.muxer = muxer
    self.output = output
    self.cancellation = cancellation
    self.reencoded = reencoded
    tallies = plan.entries.map { StreamStatistics(countsDecoding: $0.track != nil) }
    starts = [Int64?](repeating: nil, count: plan.entries.count)
    texts = plan.textConverters
  }

  deinit { if !isFinished { unlink(output.path) } }

  func write(_ packet: VideoPacket) throws(MovieError) {
    reencoded.written.append(packet.presentation)
    try muxer.write(packet, as: source)
    _ = try copyOthers()
  }

  /// Copies packets of other streams up to the next old video packet; returns false at the end.
  private func copyOthers() throws(MovieError) -> Bool {
    while let packet = try source.next() {
      try cancellation.check()
      if packet.stream == Int32(stream) { return true }
      guard
        let entryIndex = plan.entries.firstIndex(where: { $0.source.index == Int(packet.stream) })
      else { continue }
      if tallies[entryIndex].packets == 0, texts[entryIndex]?.isWaiting != true {
        starts[entryIndex] = packet.presentation
      }
      if let reason = Remuxer.refusal(of: packet) {
        let stream = plan.entries[entryIndex].source
        throw .unsupportedStream(stream: stream.index, codec: stream.name, reason: reason)
      }
      try muxer.write(packet, from: source, texts[entryIndex], counting: tallies[entryIndex])
    }
    return false
  }

  func finish() throws(MovieError) -> MovieReport {
    while try copyOthers() {}
    try muxer.finish(texts, from: source, counting: tallies)
    let remuxer = Remuxer(staged: output.path, layout: layout, cancellation: cancellation)
    let summaries = try remuxer.summaries(plan, tallies, starts, except: reencoded.entryIndex)
    let written = plan.withTracks(summaries, except: stream)
    plan.noteConversions(texts)
    plan.removeEmpty(tallies, except: stream)
    reencoded.entryIndex =
      plan.entries.firstIndex { $0.source.index == stream } ?? reencoded.entryIndex
    try remuxer.writeLanguages(plan, source, to: output)
    try translating(MovieError.file, output.sync())
    var verification = RemuxVerification(
      plan: plan, written: written, layout: layout, cancellation: cancellation,
      reencoded: reencoded)
    let report = try verification.report(on: output, source: source)
    isFinished = true
    return report
  }
}
