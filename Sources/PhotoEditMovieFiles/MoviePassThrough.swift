// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// Brings a movie into QuickTime without touching a packet of it.
///
/// QuickTime is copied byte for byte. MPEG-4, Matroska and AVI are remuxed: the packets go into a
/// new file as they are, and the file is read back and compared. MPEG-4 of the usual codecs is so
/// near to QuickTime that its boxes are carried over, everything else goes through libavformat. A
/// stream that QuickTime cannot hold as it is refuses the movie before anything is written.
public enum MoviePassThrough {
  /// Writes the QuickTime form of a movie.
  ///
  /// Memory grows with the number of packets and not with their size. Calls may run side by side.
  ///
  /// - Parameters:
  ///   - source: The movie; what it is decides its content and not its name.
  ///   - staged: The file to make. It must not exist; afterwards it is durable, or absent. Beside it
  ///     there may be a file with the same name and ".joined" for the time being.
  ///   - remuxing: What to do with a movie that is not QuickTime.
  ///   - isCancelled: Asked often and by several threads; true stops the work.
  ///   - progress: Told how much is done, 0 to 1, rising, on the calling thread.
  /// - Throws: `MovieError`.
  public static func run(
    from source: String, to staged: String, remuxing: MovieRemuxing = .auto,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(MovieError) -> MovieReport {
    let cancellation = Cancellation(isCancelled)
    try cancellation.check()
    let file = try openMovie(source)
    // Everything is written once and read once.
    let work = MovieWork(cancellation, progress, total: 2 * (try file.movieSize()))
    let report = try run(file, to: staged, remuxing, cancellation, work)
    work.finish()
    return report
  }

  /// The same for an open file.
  static func run(
    _ file: consuming OpenFile, to staged: String, _ remuxing: MovieRemuxing,
    _ cancellation: Cancellation, _ work: MovieWork
  ) throws(MovieError) -> MovieReport {
    switch try container(of: file) {
    case .quickTime, .mpeg4:
      let layout = try MovieLayout.reading(file, cancellation)
      try layout.requireReachableMedia()
      if layout.container == .quickTime {
        return try copy(file, layout, to: staged, cancellation, work)
      }
      if remuxing == .auto, let movie = try EditableMovie(quickTimeOf: file, layout) {
        var report = try MovieRewriter.write(
          movie, layout: layout, MediaFiles(source: file), to: staged, work, cancellation)
        report.method = .remuxed
        return report
      }
      if layout.isFragmented {
        return try remuxJoined(file, layout, to: staged, cancellation, work)
      }
      return try Remuxer(staged: staged, layout: layout, cancellation: cancellation)
        .run(file, container: layout.container, work)
    case .matroska: return try remuxForeign(file, .matroska, to: staged, cancellation, work)
    case .avi: return try remuxForeign(file, .avi, to: staged, cancellation, work)
    }
  }

  /// Reads what a movie says about itself; no packet is read.
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
      try ForeignContainer.requireComplete(file, container: container)
      let demuxer = try Demuxer.open(file, container: container, cancellation)
      return MovieInfo(
        container: container, duration: demuxer.duration,
        streams: demuxer.streams.compactMap { $0.inspected(demuxer) }, tags: demuxer.tags(of: nil))
    }
  }

  /// Puts fragments together before libavformat reads them, which does not learn from them what their
  /// last samples last.
  private static func remuxJoined(
    _ file: consuming OpenFile, _ layout: MovieLayout, to staged: String,
    _ cancellation: Cancellation, _ work: MovieWork
  ) throws(MovieError) -> MovieReport {
    if let error = layout.tagError { throw error }
    var movie = try EditableMovie(file, layout: layout)
    try movie.joinFragments(layout)
    movie.container = .mpeg4
    let joined = staged + ".joined"
    let silent = MovieWork(cancellation) { _ in }
    let first = try MovieRewriter.write(
      movie, layout: layout, MediaFiles(source: file), to: joined, silent, cancellation)
    defer { unlink(joined) }
    let part = try openMovie(joined)
    let whole = try MovieLayout.reading(part, cancellation)
    var report = try Remuxer(staged: staged, layout: whole, cancellation: cancellation)
      .run(part, container: .mpeg4, work)
    report.losses = first.losses + report.losses
    return report
  }

  private static func remuxForeign(
    _ file: borrowing OpenFile, _ container: MovieContainer, to staged: String,
    _ cancellation: Cancellation, _ work: MovieWork
  ) throws(MovieError) -> MovieReport {
    try ForeignContainer.requireComplete(file, container: container)
    return try Remuxer(staged: staged, layout: nil, cancellation: cancellation)
      .run(file, container: container, work)
  }

  private static func copy(
    _ file: borrowing OpenFile, _ layout: MovieLayout, to staged: String,
    _ cancellation: Cancellation, _ work: MovieWork
  ) throws(MovieError) -> MovieReport {
    // The copy is made by the kernel while this program reads the source.
    let reading = WrittenDigests(of: file.path, cancellation)
    defer { reading.giveUp() }
    reading.advance(to: layout.size)
    do throws(FileError) {
      try FileSystem.copy(file.path, to: staged)
    } catch {
      throw .file(error)
    }
    do throws(MovieError) {
      try work.advance(by: layout.size)
      let copy = try openMovie(staged)
      let copied = try copy.movieDigest(cancellation, work)
      let original = try reading.result().file
      guard copied == original else {
        throw .verificationFailed("the bytes of the copy are not those of the source")
      }
      return MovieReport(
        method: .copied, engine: .copied, bytes: layout.size, digest: original,
        streams: layout.streams, losses: [])
    } catch {
      unlink(staged)
      throw error
    }
  }

  /// Judges an open file; refuses what is no movie.
  static func container(of file: borrowing OpenFile) throws(MovieError) -> MovieContainer {
    let head = try file.bytes(at: 0, atMost: MovieContainer.detectionLength)
    guard let container = MovieContainer.detect(head) else {
      throw .notAMovie(found: MovieContainer.nameOfForeign(head))
    }
    return container
  }
}
