// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditPlatform
import PhotoEditStorage

/// Replaces the frames of a video; all other streams are kept unchanged.
///
/// For QuickTime, and MPEG-4 whose boxes QuickTime supports, the new frames are written to a
/// separate file and then inserted, which preserves every other track regardless of its type. Other
/// containers are remuxed: packets are interleaved with the new ones in the same way as with the
/// old ones.
package struct VideoTrackReplacement: ~Copyable {
  private var source: VideoSource
  private var plan: RemuxPlan
  private var muxer: Muxer
  private let output: OpenFile
  private let staged: String
  /// The video that receives the new frames if its boxes are kept; nil if it is remuxed.
  private let original: String?
  /// The file being written: the staged one, or one with only the new frames.
  private let part: String
  private var reencoded: EncodedTrack
  private let tallies: [StreamStatistics]
  private let texts: [TextConverter?]
  private var starts: [Int64?]
  private var isFinished = false

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: The video, in any container that `PassthroughExport` reads.
  ///   - staged: The file to create. It must not exist.
  ///   - video: The encoder's description of the new frames.
  ///   - dropsStreams: Whether streams other than video that QuickTime cannot hold are left out.
  /// - Throws: `unsupportedStream` for streams that QuickTime cannot hold and for a second video
  ///   stream, before anything is written.
  package static func begin(
    _ path: String, to staged: String, _ video: EncodedVideoFormat, remuxing: MovieRemuxing = .auto,
    dropsStreams: Bool = false, isCancelled: @escaping @Sendable () -> Bool
  ) throws(MovieError) -> VideoTrackReplacement {
    let source = try VideoSource.open(path, isCancelled: isCancelled)
    let isKept = try keepsBoxes(source, at: path, remuxing)
    let part = isKept ? staged + ".frames" : staged
    // Otherwise reported only after all frames are encoded.
    guard access(staged, F_OK) != 0 else {
      throw .file(FileError(errno: EEXIST, "cannot create", path: staged))
    }
    let plan = try plan(for: source, keepsBoxes: isKept, dropsStreams: dropsStreams)
    guard let entryIndex = plan.entries.firstIndex(where: { $0.source.index == source.track.index })
    else { throw .damaged("the video has no video track with frames") }
    let reencoded = EncodedTrack(video, entryIndex: entryIndex)
    var muxer = try Muxer.prepare(plan, from: source.demuxer, path: part, reencoded)
    let output = try translating(MovieError.file, OpenFile(creating: part))
    do throws(MovieError) {
      try muxer.begin(output)
    } catch {
      unlink(part)
      throw error
    }
    return VideoTrackReplacement(
      source, plan, muxer, output, staged, original: isKept ? path : nil, part: part, reencoded)
  }

  /// Checks whether the frames of a video can be replaced; nothing is written.
  ///
  /// - Throws: The same errors as `begin`.
  package static func check(
    _ path: String, remuxing: MovieRemuxing = .auto, dropsStreams: Bool = false,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(MovieError) {
    let source = try VideoSource.open(path, isCancelled: isCancelled)
    _ = try plan(
      for: source, keepsBoxes: try keepsBoxes(source, at: path, remuxing),
      dropsStreams: dropsStreams)
  }

  /// Returns whether the boxes of the video are kept; data that cannot be rewritten is reported
  /// before any work is done.
  private static func keepsBoxes(
    _ source: borrowing VideoSource, at path: String, _ remuxing: MovieRemuxing
  ) throws(MovieError) -> Bool {
    guard let layout = source.layout, remuxing == .auto || layout.container == .quickTime else {
      return false
    }
    return try EditableMovie(
      quickTimeOf: try openMovie(path), layout, replacesVideo: true) != nil
  }

  private static func plan(
    for source: borrowing VideoSource, keepsBoxes: Bool, dropsStreams: Bool
  ) throws(MovieError) -> RemuxPlan {
    guard source.trackCount == 1 else {
      throw .unsupportedStream(
        stream: source.track.index, codec: source.track.codec,
        reason: "the video has \(source.trackCount) video tracks; only one is supported")
    }
    if let layout = source.layout, keepsBoxes {
      return try RemuxPlan(imagesOf: source.demuxer, stream: source.track.index, layout)
    }
    if let error = source.layout?.tagError { throw error }
    return try RemuxPlan(
      source.demuxer, source.layout, replacing: source.track.index, dropsStreams: dropsStreams)
  }

  private init(
    _ source: consuming VideoSource, _ plan: RemuxPlan, _ muxer: consuming Muxer,
    _ output: consuming OpenFile, _ staged: String, original: String?, part: String,
    _ reencoded: EncodedTrack
  ) {
    self.source = source
    self.plan = plan
    self.muxer = muxer
    self.output = output
    self.staged = staged
    self.original = original
    self.part = part
    self.reencoded = reencoded
    tallies = plan.entries.map { StreamStatistics(countsDecoding: $0.track != nil) }
    starts = [Int64?](repeating: nil, count: plan.entries.count)
    texts = plan.textConverters
  }

  deinit { if !isFinished { unlink(part) } }

  /// Writes the next packet of the new frames, in timescale units of the old ones.
  package mutating func write(_ packet: VideoPacket) throws(MovieError) {
    reencoded.written.append(packet.presentation)
    try muxer.write(packet, as: source.demuxer)
    if original == nil { _ = try copyOthers() }
  }

  /// Copies packets of other streams up to the next old video packet; returns false at the end.
  private mutating func copyOthers() throws(MovieError) -> Bool {
    while let packet = try source.demuxer.next() {
      try source.cancellation.check()
      if packet.stream == Int32(source.track.index) { return true }
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
      try muxer.write(
        packet, from: source.demuxer, texts[entryIndex], counting: tallies[entryIndex])
    }
    return false
  }

  /// Writes the rest, syncs the file, reads it back and compares.
  ///
  /// - Throws: `verificationFailed` and others; the file is then removed.
  package mutating func finish() throws(MovieError) -> MovieReport {
    if let original { return try splice(original) }
    while try copyOthers() {}
    try muxer.finish(texts, from: source.demuxer, counting: tallies)
    let remuxer = Remuxer(
      staged: staged, layout: source.layout, cancellation: source.cancellation)
    let summaries = try remuxer.summaries(plan, tallies, starts, except: reencoded.entryIndex)
    let written = zip(plan.entries, summaries).filter { entry, written in
      entry.source.index == source.track.index || written.summary.packets > 0
    }.map(\.1)
    plan.noteConversions(texts)
    plan.removeEmpty(tallies, except: source.track.index)
    reencoded.entryIndex =
      plan.entries.firstIndex { $0.source.index == source.track.index } ?? reencoded.entryIndex
    try remuxer.writeLanguages(plan, source.demuxer, to: output)
    try translating(MovieError.file, output.sync())
    var verification = RemuxVerification(
      plan: plan, written: written,
      layout: source.layout, cancellation: source.cancellation, reencoded: reencoded)
    let report = try verification.report(on: output, source: source.demuxer)
    isFinished = true
    return report
  }

  /// Inserts the separately written frames into the video and removes their file.
  private mutating func splice(_ original: String) throws(MovieError) -> MovieReport {
    try muxer.finish()
    let cancellation = source.cancellation
    let report = try MovieRewriter.replaceVideo(
      of: original, with: part, to: staged, isCancelled: { cancellation.isCancelled })
    isFinished = true
    unlink(part)
    return report
  }
}
