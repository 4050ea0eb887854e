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
    guard !edits.isEmpty else {
      return try PassthroughExport.run(
        from: source, to: staged, remuxing: remuxing, dropsStreams: dropsStreams,
        digestsStreams: digestsStreams,
        isCancelled: isCancelled, progress: progress)
    }
    let cancellation = Cancellation(isCancelled)
    let work = MovieProgress(cancellation, progress)
    return try rewrite(
      source, to: staged, MovieConversion(remuxing: remuxing, dropsStreams: dropsStreams),
      digestsStreams: digestsStreams, work, cancellation
    ) {
      movie, files throws(MovieError) in
      for edit in edits { try movie.apply(edit, files) }
    }
  }

  /// Writes a movie with new frames and everything else unchanged: audio, timed metadata, tags, the
  /// times of all frames.
  ///
  /// - Parameters:
  ///   - source: The video; it has one video track.
  ///   - replacement: A QuickTime movie with one video track and the same number of frames. Its
  ///     size, color properties and display matrix are used in the result.
  ///   - staged: The file to create, as in `run`.
  ///   - edits: Further edits, such as `mute` or `contentIdentifier`.
  /// - Throws: `MovieError`; `impossibleEdit` if the two do not match.
  public static func replaceVideo(
    of source: String, with replacement: String, to staged: String, edits: [MovieEdit] = [],
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(MovieError) -> MovieReport {
    let cancellation = Cancellation(isCancelled)
    let work = MovieProgress(cancellation, progress)
    return try rewrite(
      source, to: staged, MovieConversion(), replacesVideo: true, work, cancellation
    ) {
      movie, files throws(MovieError) in
      let images = try openMovie(replacement)
      let replacementLayout = try MovieLayout.reading(images, cancellation)
      guard replacementLayout.container == .quickTime, !replacementLayout.isFragmented else {
        throw .notQuickTime(found: replacementLayout.container.typeIdentifier)
      }
      try replacementLayout.requireReachableMedia()
      try movie.replaceVideo(with: try EditableMovie(images, layout: replacementLayout))
      for edit in edits { try movie.apply(edit, files) }
      files.replaceFrames(with: MediaFiles(source: images))
    }
  }

  /// Writes an edited movie; a file that only libavformat can convert to QuickTime is converted
  /// first.
  private static func rewrite(
    _ source: String, to staged: String, _ conversion: MovieConversion,
    replacesVideo: Bool = false, digestsStreams: Bool = true, _ work: MovieProgress,
    _ cancellation: Cancellation,
    change: (inout EditableMovie, MediaFiles) throws(MovieError) -> Void
  ) throws(MovieError) -> MovieReport {
    try cancellation.check()
    let file = try openMovie(source)
    let container = try PassthroughExport.container(of: file)
    guard container == .quickTime || container == .mpeg4 else {
      return try rewrite(
        passing: source, to: staged, conversion, work, cancellation, change: change)
    }
    let layout = try MovieLayout.reading(file, cancellation)
    try layout.requireReachableMedia()
    guard conversion.remuxing == .auto || layout.container == .quickTime,
      var movie = try EditableMovie(quickTimeOf: file, layout, replacesVideo: replacesVideo)
    else {
      return try rewrite(
        passing: source, to: staged, conversion, work, cancellation, change: change)
    }
    let files = MediaFiles(source: file)
    try change(&movie, files)
    return try write(
      movie, layout: layout, files, to: staged, digestsStreams: digestsStreams, work, cancellation)
  }

  /// Does the same through a temporary file.
  private static func rewrite(
    passing source: String, to staged: String, _ conversion: MovieConversion,
    _ work: MovieProgress, _ cancellation: Cancellation,
    change: (inout EditableMovie, MediaFiles) throws(MovieError) -> Void
  ) throws(MovieError) -> MovieReport {
    let part = staged + ".part"
    let remuxed = try PassthroughExport.run(
      try openMovie(source), to: part, conversion, digestsStreams: false, cancellation,
      MovieProgress(cancellation) { _ in })
    defer { unlink(part) }
    var report = try rewrite(
      part, to: staged, MovieConversion(), work, cancellation, change: change)
    report.engine = remuxed.engine
    report.losses = remuxed.losses + report.losses
    return report
  }

  /// Writes a movie; the file is then synced and verified, or absent.
  static func write(
    _ movie: EditableMovie, layout: MovieLayout, _ files: MediaFiles,
    to staged: String, digestsStreams: Bool = true, _ work: MovieProgress,
    _ cancellation: Cancellation
  ) throws(MovieError) -> MovieReport {
    var movie = movie
    try movie.countTimecodes(files)
    let assembly =
      movie.changesMedia
      ? try MovieAssembly(media: movie, layout: layout)
      : try MovieAssembly(header: movie, layout: layout)
    // Written bytes are compared at the same time.
    work.total = assembly.size
    let output = try translating(MovieError.file, OpenFile(creating: staged))
    do throws(MovieError) {
      let digests = try StreamDigests(
        of: staged, chunks: digestsStreams ? assembly.chunks : [], cancellation)
      defer { digests.cancelHashing() }
      try files.write(assembly.ranges, to: output, digests, work)
      try translating(MovieError.file, output.sync())
      return try RewriteVerification(movie: movie, assembly: assembly, cancellation: cancellation)
        .report(on: staged, digests)
    } catch {
      unlink(staged)
      throw error
    }
  }
}

extension EditableMovie {
  mutating func apply(_ edit: MovieEdit, _ files: MediaFiles) throws(MovieError) {
    switch edit {
    case .trim(let start, let end): try trim(start: start, end: end)
    case .rotate90(let turns): try rotate90(turns: turns)
    case .flip(let axis): try flip(axis)
    case .mute: try mute()
    case .volume(let share): try scaleVolume(by: share)
    case .creationDate(let date): try setCreationDate(date)
    case .location(let location?): try setLocation(location)
    case .location(nil): try removeLocations(files)
    case .text(let key, let value): try setText(key, value)
    case .stillImageTime(let seconds): try setStillImageTime(seconds)
    case .contentIdentifier(let identifier): try setContentIdentifier(identifier)
    }
  }

  /// Updates timecodes that start later to the number of their first frame.
  fileprivate mutating func countTimecodes(
    _ files: MediaFiles
  ) throws(MovieError) {
    for index in tracks.indices where tracks[index].timecodeAdvance > 0 {
      guard var chunk = tracks[index].samples.chunks.first, chunk.size >= 4,
        case .source = chunk.origin
      else { continue }
      guard chunk.size <= MovieLimits.maximumTagBytes else {
        throw .tooLarge(
          what: "bytes of timecodes", value: chunk.size, limit: MovieLimits.maximumTagBytes)
      }
      var bytes = try files.sourceBytes(chunk.offset..<(chunk.offset + chunk.size))
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
  let assembly: MovieAssembly
  let cancellation: Cancellation

  /// Verifies a file and returns its report.
  ///
  /// - Throws: `verificationFailed` naming the first stream and property that differ.
  func report(
    on path: String, _ digests: StreamDigests
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
      let chunks = found.samples.chunks.map { $0.offset..<($0.offset + $0.size) }
      try require(chunks == assembly.chunks[index], track, "has different sample offsets")
    }
    // The offsets are as intended, so only the bytes there can differ.
    let computed = try digests.result()
    let streams = zip(layout.streams, movie.tracks).enumerated().map { index, pair in
      var stream = pair.0
      stream.index = pair.1.index
      stream.digest = computed.tracks.isEmpty ? nil : computed.tracks[index]
      return stream
    }
    return MovieReport(
      method: movie.changesMedia ? .rewritten : .retagged, engine: .boxes, bytes: layout.size,
      digest: computed.file,
      streams: streams, losses: movie.losses, kept: movie.kept)
  }

  private func require(
    _ isSame: Bool, _ track: EditableTrack, _ what: String
  ) throws(MovieError) {
    guard isSame else { throw .verificationFailed("\(track.label) \(what)") }
  }
}
