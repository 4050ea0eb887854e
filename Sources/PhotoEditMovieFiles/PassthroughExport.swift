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
    try run(
      OpenedMovie(source, isCancelled: isCancelled), to: staged,
      MovieConversion(remuxing: remuxing, dropsStreams: dropsStreams),
      digestsStreams: digestsStreams, MovieProgress(Cancellation(isCancelled), progress))
  }

  static func run(
    _ source: OpenedMovie, to staged: String, _ conversion: MovieConversion, digestsStreams: Bool,
    _ work: MovieProgress
  ) throws(MovieError) -> MovieReport {
    // Every byte is written once and read once.
    work.total = 2 * (try source.file.movieSize())
    let report = try convert(source, to: staged, conversion, digestsStreams: digestsStreams, work)
    work.finish()
    return report
  }

  private static func convert(
    _ source: OpenedMovie, to staged: String, _ conversion: MovieConversion, digestsStreams: Bool,
    _ work: MovieProgress
  ) throws(MovieError) -> MovieReport {
    if let layout = source.layout {
      try layout.requireReachableMedia()
      let isQuickTime = source.container == .quickTime
      if isQuickTime, !layout.tracks.contains(where: \.hasHEVCSetsInFrames) {
        return try copy(source, layout, to: staged, work)
      }
      if let movie = try source.editable(conversion.remuxing) {
        var report = try MovieRewriter.write(
          movie, source, to: staged, digestsStreams: digestsStreams, work)
        if !isQuickTime { report.method = .remuxed }
        return report
      }
      if layout.isFragmented {
        return try remuxJoined(source, layout, to: staged, conversion, work)
      }
    }
    return try Remuxer(
      staged: staged, layout: source.layout, dropsStreams: conversion.dropsStreams,
      cancellation: work.cancellation
    ).run(source.file, container: source.container, work)
  }

  /// Reads the properties of a video file; no packets are read.
  ///
  /// - Parameter acceptsMissingEnd: Whether a QuickTime or MPEG-4 file may lack its end if its header
  ///   is whole; `MovieInfo.damage` states it.
  /// - Throws: `MovieError`.
  public static func inspect(
    _ path: String, acceptsMissingEnd: Bool = false
  ) throws(MovieError) -> MovieInfo {
    try OpenedMovie(path, acceptsMissingEnd: acceptsMissingEnd).info()
  }

  /// Joins fragments before libavformat reads them, because it cannot determine the duration of
  /// their last samples.
  private static func remuxJoined(
    _ source: OpenedMovie, _ layout: MovieLayout, to staged: String, _ conversion: MovieConversion,
    _ work: MovieProgress
  ) throws(MovieError) -> MovieReport {
    if let error = layout.tagError { throw error }
    var movie = try EditableMovie(source.file, layout: layout)
    try movie.joinFragments(layout)
    movie.container = .mpeg4
    let joined = staged + ".joined"
    let first = try MovieRewriter.write(
      movie, source, to: joined, digestsStreams: false, MovieProgress(work.cancellation))
    defer { unlink(joined) }
    var report = try convert(
      OpenedMovie(openMovie(joined), work.cancellation), to: staged,
      MovieConversion(remuxing: .libavformat, dropsStreams: conversion.dropsStreams),
      digestsStreams: false, work)
    report.losses = first.losses + report.losses
    return report
  }

  private static func copy(
    _ source: OpenedMovie, _ layout: MovieLayout, to staged: String, _ work: MovieProgress
  ) throws(MovieError) -> MovieReport {
    // The kernel creates the copy while this process reads the source.
    let digest = LockedValue<Result<SHA256Digest, MovieError>>(.failure(.cancelled))
    let cancellation = work.cancellation
    let reading = BackgroundWork {
      let found = Result { () throws(MovieError) in try source.file.movieDigest(cancellation) }
      digest.withLock { $0 = found }
    }
    defer { reading.wait() }
    try translating(MovieError.file, FileSystem.copy(source.path, to: staged))
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
