// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage

/// Renders videos for editing sessions: edits that need no frames first, and then the frames.
///
/// Frames that the graph does not change are not re-encoded.
public struct MovieRenderer: MediaRenderer {
  /// The progress of a rendering.
  public enum Progress: Sendable, Hashable {
    /// The fraction of all bytes to copy that has been copied, 0 to 1.
    case bytes(Double)
    /// Frames were encoded.
    case frames(VideoProgress)
  }

  /// The encoding options of the frames.
  public var video: VideoOptions
  /// Receives the progress, from one thread at a time.
  public var progress: @Sendable (Progress) -> Void

  /// Creates a renderer of videos.
  public init(
    video: VideoOptions = VideoOptions(),
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    self.video = video
    self.progress = progress
  }

  /// Always true: videos are larger than memory.
  public var needsFiles: Bool { true }

  /// Renders a graph on a video.
  public func render(
    _ input: EditingInput, _ graph: FilterGraph, options: RenderOptions, to output: EditingOutput?
  ) throws(EditingError) -> RenderReport {
    guard let output, output.media == .movie else {
      throw EditingError(
        .changeNotSupported, path: input.assetName, "the output is not for a video",
        hint: "create the output from the input of this video")
    }
    guard options.strip.isEmpty else {
      throw EditingError(
        .changeNotSupported, path: input.assetName, "the metadata of videos cannot be removed",
        hint: "use an empty RenderOptions.strip; the filter removeLocation removes the location")
    }
    let plan = try translating(
      { (error: UnsupportedNode) in
        EditingError(.changeNotSupported, path: input.assetName, "\(error)", underlying: error)
      }, MovieEditPlan(graph))
    let movie = try translating({ EditingError($0 as VideoError, path: input.assetName) }) {
      () throws(VideoError) in
      try render(plan, from: input.openedMovie(options), to: output.contentPath, options)
    }
    output.noteMovie(movie.digest)
    return .movie(movie)
  }

  private func render(
    _ plan: MovieEditPlan, from source: OpenedMovie, to staged: String, _ options: RenderOptions
  ) throws(VideoError) -> RenderedMovie {
    guard let frames = plan.frames else {
      return RenderedMovie(try rewrite(plan, from: source, to: staged, options))
    }
    // A trim depends on the key frames of the source; running it first avoids rendering the frames
    // that it removes.
    guard !plan.edits.isEmpty else {
      let video = try render(frames, from: source, to: staged, options)
      return RenderedMovie(video.movie, video)
    }
    let part = staged + ".edited"
    defer { unlink(part) }
    let before = try rewrite(plan, from: source, to: part, options)
    let edited = try movie(OpenedMovie(part, isCancelled: options.isCancelled))
    var video = try render(frames, from: edited, to: staged, options)
    video.losses = before.losses + video.losses
    var report = video.movie
    report.kept = before.kept
    if before.engine != .copied { report.engine = before.engine }
    return RenderedMovie(report, video)
  }

  private func rewrite(
    _ plan: MovieEditPlan, from source: OpenedMovie, to staged: String, _ options: RenderOptions
  ) throws(VideoError) -> MovieReport {
    try movie(
      MovieRewriter.run(
        from: source, to: staged, edits: plan.edits, video.conversion, digestsStreams: false,
        isCancelled: options.isCancelled, progress: { progress(.bytes($0)) }))
  }

  private func render(
    _ frames: FilterGraph, from source: OpenedMovie, to staged: String, _ options: RenderOptions
  ) throws(VideoError) -> VideoReport {
    var video = video
    video.threads = video.threads ?? options.threads
    var render = RenderOptions()
    render.assetFiles = options.assetFiles
    render.isCancelled = options.isCancelled
    render.sandbox = options.sandbox
    return try VideoRenderer.run(
      from: source, .graph(frames), to: staged, video, render,
      progress: { progress(.frames($0)) })
  }
}

extension EditingInput {
  /// Returns the open video; opens it if the store does not hold it.
  func openedMovie(_ options: RenderOptions) throws(VideoError) -> OpenedMovie {
    if let held = heldMovie as? OpenedMovie { return held }
    return try movie(OpenedMovie(path, isCancelled: options.isCancelled))
  }
}

extension RenderedMovie {
  /// Creates the description of a rendered video.
  ///
  /// - Parameter video: The report on the frames; nil if they are the source's.
  fileprivate init(_ report: MovieReport, _ video: VideoReport? = nil) {
    self.init(
      method: report.method.rawValue, engine: report.engine.rawValue, byteCount: report.bytes,
      digest: report.digest,
      size: report.streams.first { $0.kind == .video }?.shownSize ?? PixelSize(width: 0, height: 0),
      kept: report.kept,
      frames: video.map {
        Frames(
          count: $0.frames, size: $0.size, codec: $0.codec.rawValue,
          bitsPerSample: $0.bitsPerSample, isOriented: $0.isOriented)
      }, losses: video?.losses ?? report.losses)
  }
}

extension MovieDescription {
  /// Reads the properties of a video; no frame is read.
  package static func reading(_ path: String) throws(EditingError) -> MovieDescription {
    let (movie, info) = try translating(
      { EditingError(VideoError($0 as MovieError), path: path) }
    ) { () throws(MovieError) in
      let movie = try OpenedMovie(path)
      return (movie, try movie.info())
    }
    var description = MovieDescription(
      size: info.shownSize, duration: info.playingTime,
      uniformTypeIdentifier: info.container.typeIdentifier,
      facts: MediaProperties(
        movie: info.tags, created: info.creationDate, frameRate: info.frameRate,
        hasVideo: info.videoStream != nil))
    description.file.object = movie
    return description
  }
}

extension SidecarStore {
  /// Creates the store of a video's edits; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - movie: The original.
  ///   - rendering: The destination of the rendering; nil means its previous path, or
  ///     "movie.edited.mov".
  ///   - replacesExternalFiles: Whether a file at that path that was not created by photoedit may be
  ///     replaced.
  public init(
    movie: URL, rendering: URL? = nil, replacesExternalFiles: Bool = false,
    journalDepth: Int = SidecarStore.defaultJournalDepth
  ) {
    self = SidecarStore(
      photo: movie, rendering: rendering, replacesExternalFiles: replacesExternalFiles,
      journalDepth: journalDepth
    ).readingMovies()
  }

  /// Returns the same store for a video.
  package func readingMovies() -> SidecarStore {
    var store = with(contentExtension: "mov")
    store.movieReader = MovieDescription.reading
    return store
  }
}

extension DetachedStore {
  /// Creates the store of one rendering of a video; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - movie: The video to render.
  ///   - rendering: The destination of the rendering.
  ///   - replacesFiles: Whether an existing file at that path is replaced.
  public init(movie: URL, rendering: URL, replacesFiles: Bool = false) {
    self = DetachedStore(
      photo: movie, rendering: rendering, replacesFiles: replacesFiles
    ).readingMovies()
  }

  /// Returns the same store for a video.
  package func readingMovies() -> DetachedStore {
    var store = self
    store.movieReader = MovieDescription.reading
    return store
  }
}
