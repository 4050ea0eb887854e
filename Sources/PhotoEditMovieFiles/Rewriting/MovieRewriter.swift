// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// Edits a movie without changing the packets that are kept.
///
/// The result is QuickTime: its header is rewritten and its media is copied unchanged, or left in
/// place if only the header changes. All tracks are preserved, including timed metadata. A movie in
/// another container, or a fragmented one, is converted to QuickTime first.
public enum MovieRewriter {
  /// Writes an edited movie.
  ///
  /// Memory grows with the number of packets and not with their size. Calls may run concurrently.
  ///
  /// - Parameters:
  ///   - source: The video.
  ///   - staged: The file to create. It must not exist; afterwards it is synced and verified, or
  ///     absent. Next to it, there may temporarily be a file with the same name and ".part".
  ///   - edits: The edits in order; each applies to the result of the ones before.
  ///   - remuxing: The choice of engine for a video that is not QuickTime.
  ///   - dropsStreams: Whether streams that QuickTime cannot hold are left out, as in
  ///     `PassthroughExport.run`.
  ///   - digestsStreams: Whether the digest of each stream is requested, as in `PassthroughExport.run`.
  ///   - isCancelled: Called often; true stops the operation.
  ///   - progress: Receives the completed fraction, 0 to 1, increasing, on the calling thread.
  /// - Throws: `MovieError`; `impossibleEdit` for an edit that is not possible for this video.
  public static func run(
    from source: String, to staged: String, edits: [MovieEdit], remuxing: MovieRemuxing = .auto,
    dropsStreams: Bool = false, digestsStreams: Bool = true,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(MovieError) -> MovieReport {
    try run(
      from: try OpenedMovie(source, isCancelled: isCancelled), to: staged, edits: edits,
      MovieConversion(remuxing: remuxing, dropsStreams: dropsStreams),
      digestsStreams: digestsStreams, isCancelled: isCancelled, progress: progress)
  }

  /// Writes an edited movie with a packet of XMP, which replaces that of the source; nil keeps that.
  package static func run(
    from source: String, to staged: String, edits: [MovieEdit], packet: [UInt8]?
  ) throws(MovieError) -> MovieReport {
    try run(
      from: try OpenedMovie(source), to: staged, edits: edits, packet: packet, MovieConversion(),
      digestsStreams: false, isCancelled: { false })
  }

  /// Writes an edited movie of an open one.
  package static func run(
    from source: OpenedMovie, to staged: String, edits: [MovieEdit], packet: [UInt8]? = nil,
    _ conversion: MovieConversion, digestsStreams: Bool,
    isCancelled: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(MovieError) -> MovieReport {
    let work = MovieProgress(Cancellation(isCancelled), progress)
    if edits.isEmpty, packet == nil {
      return try PassthroughExport.run(
        source, to: staged, conversion, digestsStreams: digestsStreams, work)
    }
    if var movie = try source.editable(conversion.remuxing) {
      for edit in edits { try movie.apply(edit, source) }
      if let packet { try movie.setPacket(packet, source) }
      return try write(movie, source, to: staged, digestsStreams: digestsStreams, work)
    }
    // A file that only libavformat can convert to QuickTime is converted first.
    let part = staged + ".part"
    let remuxed = try PassthroughExport.run(
      source, to: part, conversion, digestsStreams: false, MovieProgress(work.cancellation))
    defer { unlink(part) }
    var report = try run(
      from: OpenedMovie(part, isCancelled: isCancelled), to: staged, edits: edits, packet: packet,
      MovieConversion(), digestsStreams: digestsStreams, isCancelled: isCancelled,
      progress: progress)
    report.engine = remuxed.engine
    report.losses = remuxed.losses + report.losses
    return report
  }

  /// Writes a movie; the file is then synced and verified, or absent.
  static func write(
    _ movie: EditableMovie, _ source: OpenedMovie, to staged: String, digestsStreams: Bool = true,
    _ work: MovieProgress
  ) throws(MovieError) -> MovieReport {
    var movie = movie
    try movie.countTimecodes(source)
    let assembly = try MovieAssembly(movie, source)
    // Written bytes are compared at the same time.
    work.total = assembly.size
    let output = try translating(MovieError.file, OpenFile(creating: staged))
    do throws(MovieError) {
      let digests = try StreamDigests(
        of: staged, chunks: digestsStreams ? assembly.chunks : [], work.cancellation)
      defer { digests.cancelHashing() }
      try source.write(assembly.ranges, to: output, digests, work)
      try translating(MovieError.file, output.sync())
      return try RewriteVerification(
        movie: movie, chunks: assembly.chunks, cancellation: work.cancellation
      ).report(on: staged, digests.result())
    } catch {
      unlink(staged)
      throw error
    }
  }
}

extension EditableMovie {
  mutating func apply(_ edit: MovieEdit, _ source: OpenedMovie) throws(MovieError) {
    switch edit {
    case .trim(let start, let end): try trim(start: start, end: end)
    case .rotate90(let turns): try rotate90(turns: turns)
    case .flip(let axis): try flip(axis)
    case .mute: try mute()
    case .volume(let share): try scaleVolume(by: share)
    case .creationDate(let date): try setCreationDate(date)
    case .location(let location?): try setLocation(location)
    case .location(nil): try removeLocations(source)
    case .text(let key, let value): try setText(key, value)
    case .stillImageTime(let seconds): try setStillImageTime(seconds)
    case .contentIdentifier(let identifier): try setContentIdentifier(identifier)
    }
  }

  /// Updates timecodes that start later to the number of their first frame.
  fileprivate mutating func countTimecodes(_ source: OpenedMovie) throws(MovieError) {
    for index in tracks.indices where tracks[index].timecodeAdvance > 0 {
      guard var chunk = tracks[index].samples.chunks.first, chunk.size >= 4,
        case .source = chunk.origin
      else { continue }
      guard chunk.size <= MovieLimits.maximumTagBytes else {
        throw .tooLarge(
          what: "bytes of timecodes", value: chunk.size, limit: MovieLimits.maximumTagBytes)
      }
      var bytes = try source.bytes(in: chunk.offset..<(chunk.offset + chunk.size))
      let frame = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let later = frame &+ UInt32(truncatingIfNeeded: tracks[index].timecodeAdvance)
      bytes.replaceSubrange(0..<4, with: later.bigEndianBytes)
      chunk.origin = .bytes(bytes)
      tracks[index].samples.chunks[0] = chunk
    }
  }
}

/// Reads a rewritten movie back and compares it with the intended content.
struct RewriteVerification {
  let movie: EditableMovie
  /// For each track, the ranges of its chunks in the file, in order.
  let chunks: [[Range<Int>]]
  let cancellation: Cancellation

  /// Verifies a file and returns its report.
  ///
  /// - Parameter digests: The digests of the file, whose bytes were compared with the intended ones.
  /// - Throws: `verificationFailed` naming the first stream and property that differ.
  func report(
    on path: String, _ digests: StreamDigests.Digests
  ) throws(MovieError) -> MovieReport {
    let output = try openMovie(path)
    let layout = try RemuxVerification.layout(of: output, cancellation)
    let result = try EditableMovie(output, layout: layout)
    guard result.tracks.count == movie.tracks.count, layout.container == movie.container,
      !layout.isFragmented
    else {
      throw .verificationFailed(
        "the written movie has \(result.tracks.count) of \(movie.tracks.count) tracks")
    }
    for (index, track) in movie.tracks.enumerated() {
      let found = result.tracks[index]
      try require(found.samples.isSame(as: track.samples), track, "has different sample times")
      try require(found.edits == track.edits, track, "has a different edit list")
      let offsets = found.samples.chunks.map { $0.offset..<($0.offset + $0.size) }
      try require(offsets == chunks[index], track, "has different sample offsets")
    }
    let streams = zip(layout.streams, movie.tracks).enumerated().map { index, pair in
      var stream = pair.0
      stream.index = pair.1.index
      stream.digest = digests.tracks.isEmpty ? nil : digests.tracks[index]
      return stream
    }
    return MovieReport(
      method: movie.changesMedia ? .rewritten : .retagged, engine: .boxes, bytes: layout.size,
      digest: digests.file,
      streams: streams, losses: movie.losses, kept: movie.kept)
  }

  private func require(
    _ isSame: Bool, _ track: EditableTrack, _ what: String
  ) throws(MovieError) {
    guard isSame else { throw .verificationFailed("\(track.label) \(what)") }
  }
}
