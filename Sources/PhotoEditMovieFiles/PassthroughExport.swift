// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// Converts a video to QuickTime without changing its packets.
///
/// QuickTime is copied byte for byte, unless QuickTime cannot play its form of HEVC. MPEG-4, Matroska
/// and AVI are remuxed: the packets are copied to a new file unchanged, and the file is read back and
/// compared. MPEG-4 with common codecs is so close to QuickTime that its boxes are kept; everything
/// else is processed by libavformat. A video with a stream that QuickTime cannot hold unchanged is
/// rejected before anything is written.
public enum PassthroughExport {
  /// Writes a video as QuickTime.
  ///
  /// Memory grows with the number of packets and not with their size. Calls may run concurrently.
  ///
  /// - Parameters:
  ///   - source: The video; its format is detected from its content and not from its name.
  ///   - staged: The file to create. It must not exist; afterwards it is synced, or absent. Next to
  ///     it, there may temporarily be a file with the same name and ".joined".
  ///   - remuxing: The choice of engine for a video that is not QuickTime.
  ///   - dropsStreams: Whether streams other than video that QuickTime cannot hold are left out and
  ///     listed as losses; otherwise the video is rejected.
  ///   - digestsStreams: Whether the digest of each stream is requested, although the bytes of the
  ///     file are compared with the source in any case; an engine may compute it anyway.
  ///   - isCancelled: Called often and from several threads; true stops the operation.
  ///   - progress: Receives the completed fraction, 0 to 1, increasing, on the calling thread.
  /// - Throws: `MovieError`.
  public static func run(
    from source: String, to staged: String, remuxing: MovieRemuxing = .auto,
    dropsStreams: Bool = false, digestsStreams: Bool = true,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(MovieError) -> MovieReport {
    let cancellation = Cancellation(isCancelled)
    try cancellation.check()
    let file = try openMovie(source)
    // Every byte is written once and read once.
    let work = MovieProgress(cancellation, progress, total: 2 * (try file.movieSize()))
    let report = try run(
      file, to: staged, MovieConversion(remuxing: remuxing, dropsStreams: dropsStreams),
      digestsStreams: digestsStreams, cancellation, work)
    work.finish()
    return report
  }

  static func run(
    _ file: consuming OpenFile, to staged: String, _ conversion: MovieConversion,
    digestsStreams: Bool, _ cancellation: Cancellation, _ work: MovieProgress
  ) throws(MovieError) -> MovieReport {
    let container = try container(of: file)
    switch container {
    case .quickTime, .mpeg4:
      let layout = try MovieLayout.reading(file, cancellation)
      try layout.requireReachableMedia()
      let isQuickTime = layout.container == .quickTime
      if isQuickTime, !layout.tracks.contains(where: \.hasHEVCSetsInFrames) {
        return try copy(file, layout, to: staged, cancellation, work)
      }
      if conversion.remuxing == .auto || isQuickTime,
        let movie = try EditableMovie(quickTimeOf: file, layout)
      {
        var report = try MovieRewriter.write(
          movie, layout: layout, MediaFiles(source: file), to: staged,
          digestsStreams: digestsStreams, work, cancellation)
        if !isQuickTime { report.method = .remuxed }
        return report
      }
      if layout.isFragmented {
        return try remuxJoined(file, layout, to: staged, conversion, cancellation, work)
      }
      let remuxer = Remuxer(
        staged: staged, layout: layout, dropsStreams: conversion.dropsStreams,
        cancellation: cancellation)
      return try remuxer.run(file, container: layout.container, work)
    case .matroska, .avi:
      try ContainerCompleteness.requireComplete(file, container: container)
      let remuxer = Remuxer(
        staged: staged, layout: nil, dropsStreams: conversion.dropsStreams,
        cancellation: cancellation)
      return try remuxer.run(file, container: container, work)
    }
  }

  /// Reads the properties of a video file; no packets are read.
  ///
  /// - Throws: `MovieError`.
  public static func inspect(_ path: String) throws(MovieError) -> MovieInfo {
    let cancellation = Cancellation { false }
    let file = try openMovie(path)
    let container = try container(of: file)
    switch container {
    case .quickTime, .mpeg4:
      let layout = try MovieLayout.reading(file, cancellation)
      return MovieInfo(
        container: layout.container, duration: layout.duration, streams: layout.streams,
        tags: layout.tags, creationDate: layout.creationDate,
        chapterCount: layout.chapterCount, stillImageTime: layout.stillImageTime,
        isFragmented: layout.isFragmented,
        isEncrypted: layout.tracks.contains { $0.isEncrypted })
    case .matroska, .avi:
      try ContainerCompleteness.requireComplete(file, container: container)
      let demuxer = try Demuxer.open(file, container: container, cancellation)
      var tags = demuxer.tags(of: nil)
      if container == .avi {
        // libavformat makes dates of zeros and other impossible ones as well.
        tags["creation_time"] = try AVIDate.reading(file)
        if let date = tags["date"] { tags["date"] = AVIDate.iso(date) ?? date }
      }
      return MovieInfo(
        container: container, duration: demuxer.duration,
        streams: demuxer.streams.compactMap { $0.inspected(demuxer) }, tags: tags)
    }
  }

  /// Joins fragments before libavformat reads them, because it cannot determine the duration of
  /// their last samples.
  private static func remuxJoined(
    _ file: consuming OpenFile, _ layout: MovieLayout, to staged: String,
    _ conversion: MovieConversion, _ cancellation: Cancellation, _ work: MovieProgress
  ) throws(MovieError) -> MovieReport {
    if let error = layout.tagError { throw error }
    var movie = try EditableMovie(file, layout: layout)
    try movie.joinFragments(layout)
    movie.container = .mpeg4
    let joined = staged + ".joined"
    let silent = MovieProgress(cancellation) { _ in }
    let first = try MovieRewriter.write(
      movie, layout: layout, MediaFiles(source: file), to: joined, digestsStreams: false, silent,
      cancellation)
    defer { unlink(joined) }
    let part = try openMovie(joined)
    let whole = try MovieLayout.reading(part, cancellation)
    let remuxer = Remuxer(
      staged: staged, layout: whole, dropsStreams: conversion.dropsStreams,
      cancellation: cancellation)
    var report = try remuxer.run(part, container: .mpeg4, work)
    report.losses = first.losses + report.losses
    return report
  }

  private static func copy(
    _ file: borrowing OpenFile, _ layout: MovieLayout, to staged: String,
    _ cancellation: Cancellation, _ work: MovieProgress
  ) throws(MovieError) -> MovieReport {
    // The kernel creates the copy while this process reads the source.
    let path = file.path
    let digest = LockedValue<Result<SHA256Digest, MovieError>>(.failure(.cancelled))
    let reading = BackgroundWork {
      let found = Result { () throws(MovieError) in
        try openMovie(path).movieDigest(cancellation)
      }
      digest.withLock { $0 = found }
    }
    defer { reading.wait() }
    try translating(MovieError.file, FileSystem.copy(path, to: staged))
    do throws(MovieError) {
      try work.advance(by: layout.size)
      let copy = try openMovie(staged)
      let copied = try copy.movieDigest(cancellation, work)
      reading.wait()
      let original = try digest.withLock { $0 }.get()
      guard copied == original else {
        throw .verificationFailed("the copy is not identical to the source")
      }
      return MovieReport(
        method: .copied, engine: .copied, bytes: layout.size, digest: original,
        streams: layout.streams, losses: [])
    } catch {
      unlink(staged)
      throw error
    }
  }

  /// Returns the container of an open file; throws if it is not a supported one.
  static func container(of file: borrowing OpenFile) throws(MovieError) -> MovieContainer {
    let head = try file.bytes(at: 0, atMost: MovieContainer.detectionLength)
    guard let container = MovieContainer.detect(head) else {
      throw .notAMovie(found: MovieContainer.unsupportedFormatName(head))
    }
    return container
  }

  /// Checks that a file can be the rendered content of a video; loads no library.
  ///
  /// It must be QuickTime by content, with a video track that has frames and a nonzero duration,
  /// and all its media must be in the file.
  ///
  /// - Throws: `notQuickTime` with the detected type, `damaged`, `unsupportedStream`, `file`.
  package static func validateQuickTime(_ path: String) throws(MovieError) {
    let file = try openMovie(path)
    let head = try file.bytes(at: 0, atMost: MovieContainer.detectionLength)
    guard let container = MovieContainer.detect(head) else {
      throw .notQuickTime(found: MovieContainer.unsupportedFormatName(head))
    }
    guard container == .quickTime else { throw .notQuickTime(found: container.typeIdentifier) }
    let layout = try MovieLayout.reading(file, Cancellation { false })
    guard layout.container == .quickTime else {
      throw .notQuickTime(found: layout.container.typeIdentifier)
    }
    try layout.requireReachableMedia()
    let videos = layout.streams.filter { $0.kind == .video && ($0.packets ?? 0) > 0 }
    guard !videos.isEmpty else { throw .damaged("the video has no video track with frames") }
    guard videos.contains(where: { $0.duration > 0 }) else {
      throw .damaged("the video track has no duration")
    }
  }
}
