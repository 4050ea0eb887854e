// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// The options of the commands that edit with a sidecar.
struct EditArguments: Sendable {
  var rendering = RenderingArguments()
  var movie = MovieArguments()
  var output = OutputArguments()
  var isDryRun = false
  var refusesLosses = false
  var isStillAlone = false
  var acceptsChangedOriginal = false

  /// The notice for a photo whose metadata was changed by another program.
  static let newMetadata = "the metadata has changed since it was edited, but the pixels have not"
  var formatIdentifier = FilterGraph.formatIdentifier

  static let arguments: [Argument<Self>] =
    [
      .group(\.output, OutputArguments.editing),
      .flag("dry-run", short: "n", \.isDryRun, "Show what would be done without writing anything."),
      .flag("strict", \.refusesLosses, "Fail if the output would lose anything."),
      .flag(
        "still-only", \.isStillAlone,
        "Render only the still image of a Live Photo."
      ).renamed(from: "still"),
      .flag(
        "accept-original", \.acceptsChangedOriginal,
        "Apply the saved edit even if the original has changed."),
      .option(
        "format-identifier", \.formatIdentifier, value: "ID",
        "Adjustment-data format identifier to read and write."),
      .group(\.rendering, RenderingArguments.arguments),
      .group(\.movie, MovieArguments.arguments),
    ]

  /// Returns the requested path for the rendering of an input; nil means next to the input, or the
  /// previous path.
  func outputPath(of input: String, isMovie: Bool = false) -> String? {
    output.path(name: Self.renderingName(of: input, isMovie: isMovie))
  }

  /// Returns the path for a rendering that is not recorded in a sidecar.
  func standalonePath(of input: String, isMovie: Bool = false) -> String {
    let name = Self.renderingName(of: input, isMovie: isMovie)
    return output.path(name: name)
      ?? (input.has("/") ? FileSystem.folder(of: input) + "/" + name : name)
  }

  static func renderingName(of input: String, isMovie: Bool) -> String {
    FileSystem.splitName(FileSystem.lastName(of: input)).stem
      + (isMovie ? ".edited.mov" : ".edited.jpg")
  }

  /// Renders an image to a file that is not an edit; rejects losses if --strict is given.
  func renderFile(
    _ image: ImageSource, _ graph: FilterGraph, _ shape: ShapeArguments, _ options: RenderOptions,
    input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Rendering {
    let rendering = try shape.render(options, input: input) { options throws(CommandFailure) in
      try inImage(input, Renderer.render(image, graph, options: options))
    }
    try requireNoLosses(rendering.losses.map { "\($0.kind) (\($0.detail))" }, input: input)
    try environment.checkCancellation()
    return rendering
  }

  /// Rejects a rendering with losses if --strict is given.
  ///
  /// - Parameter losses: The losses, one phrase each.
  func requireNoLosses(_ losses: [String], input: String) throws(CommandFailure) {
    guard refusesLosses, !losses.isEmpty else { return }
    throw CommandFailure(
      .badData, "\(input): the output would lose " + losses.joined(separator: ", "),
      hint: "omit --strict to report the losses and render it anyway", code: "losses")
  }

  /// Rejects the options that specify where files go, because a library determines its own paths.
  func checkForLibrary(hasNoSidecar: Bool = false) throws(CommandFailure) {
    guard output.isSpecified || hasNoSidecar else { return }
    let option = output.isSpecified ? "-o" : "--no-sidecar"
    throw .usage(
      "\(option) cannot be used with library assets",
      hint: "edit the asset, then export it with 'photoedit asset export'")
  }

  func store(
    _ input: String, isMovie: Bool = false, replacesBase: Bool = false
  ) -> SidecarStore {
    let store = SidecarStore(
      path: input, rendering: outputPath(of: input, isMovie: isMovie),
      replacesExternalFiles: output.replacesFiles,
      acceptsChangedOriginal: replacesBase || acceptsChangedOriginal)
    return isMovie ? store.readingMovies() : store
  }

  /// Refuses to write a video to standard output, which is not seekable.
  func checkForMovie(_ input: String) throws(CommandFailure) {
    guard output.isStandardOutput else { return }
    throw CommandFailure(
      .badData, "\(input): videos cannot be written to standard output",
      hint: "specify a file with -o", code: "movie")
  }

  /// Begins an edit; the settings of a stored edit are kept unless others are requested.
  ///
  /// - Parameter isMovie: Whether the input is known to be a video.
  func begin(
    _ target: EditTarget, _ start: EditStart, isMovie: Bool, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> EditingSession {
    var editor = PhotoEditor(
      target.store, options: rendering.options(environment, for: target.input))
    editor.renderers[.movie] = movieRenderer(target.input, environment)
    if !isStillAlone {
      editor.renderers[.livePhoto] = LivePhotoRenderer { share in
        environment.progress.update(Int(share * 100), of: 100, target.input)
      }
    }
    editor.allowsLosses = !refusesLosses
    editor.formatIdentifier = formatIdentifier
    (editor.date, editor.utcOffset) = Clock.now()
    let movieName = isMovie ? target.input : nil
    var session =
      switch start {
      case .adjusting: try editing(movie: movieName, editor.beginAdjusting())
      case .startingOver: try editing(movie: movieName, editor.begin(.base))
      case .resuming: try editing(movie: movieName, editor.begin())
      }
    session.editor.options = rendering.options(
      environment, for: target.input, keeping: session.state.record?.renderSettings)
    if session.input.media == .movie, session.input.hasNewMetadata {
      environment.note("\(session.input.path): \(Self.newMetadata)")
    }
    return session
  }

  private func movieRenderer(
    _ input: String, _ environment: CommandEnvironment
  ) -> MovieRenderer {
    let progress = environment.progress
    let frames = "frames of \(FileSystem.lastName(of: input))"
    return MovieRenderer(
      video: movie.options(threads: rendering.threads ?? rendering.share)
    ) { done in
      switch done {
      case .bytes(let share): progress.update(Int(share * 100), of: 100, input)
      case .frames(let done):
        progress.update(done.frames, of: done.frameCount ?? done.frames, frames)
      }
    }
  }

  /// Renders, and returns the pending save, which commits the rendering unless this is a dry run,
  /// and reports it.
  ///
  /// - Parameters:
  ///   - change: The outcome of the edit; nil if it is not recorded.
  ///   - from: The translation of a third-party edit.
  ///   - adjustment: The filters that were derived from the pixels.
  func render(
    _ session: EditingSession, _ target: EditTarget, _ graph: FilterGraph,
    outcome change: EditOutcome?, from: EditConversion? = nil,
    adjustment: AutomaticAdjustment? = nil, _ clock: Stopwatch, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> PendingSave {
    var session = session
    if let from { session.editor.options.includesSettings = from.areSettingsOfMetadata }
    let isMovie = session.input.media == .movie
    let movieName = isMovie ? target.input : nil
    if let image = session.input.image {
      session.editor.options.threads = rendering.threads(for: image, graph)
    }
    defer { if isMovie { environment.progress.clear() } }
    let rendered: EditingSession.RenderedEdit?
    let report: RenderReport
    if isDryRun {
      rendered = nil
      report = try editing(movie: movieName, session.dryRun(graph))
    } else {
      let edit = try editing(movie: movieName, session.render(graph))
      (rendered, report) = (edit, edit.report)
    }
    let final = session
    return PendingSave(byteCount: (session.input.image?.bytes.count ?? 0) + report.byteCount) {
      () throws(CommandFailure) in
      var committed = graph
      let outputPath: String
      if let rendered {
        let outcome = try editing(movie: movieName, rendered.commit())
        if target.outputPath == nil { committed = outcome.graph }
        let named = isMovie ? nil : target.sidecar.flatMap { self.outputPath(of: $0.assetName) }
        outputPath = named ?? outcome.state.current.path
      } else {
        outputPath = try target.renderingPath(after: final.state) ?? "a new version"
        environment.note("dry run: nothing was written")
      }
      try EditReport(
        input: target.input, output: outputPath, sidecar: target.sidecar?.sidecarPath,
        base: EditReport.base(final.input.version), isResumed: final.input.kind == .resumed,
        formatIdentifier: target.outputPath == nil ? formatIdentifier : nil, graph: committed,
        rendering: report, blockingReasons: final.blockingReasons,
        milliseconds: clock.milliseconds, isDryRun: isDryRun,
        notices: final.notices
          + (final.input.hasNewMetadata && !isMovie ? [Self.newMetadata] : []), outcome: change,
        from: from, adjustment: adjustment
      ).write(to: environment)
    }
  }

  /// Returns whether there is nothing to do for a graph: it is the stored edit, with the requested
  /// settings, and its rendering is at the requested path.
  func isDone(
    _ target: EditTarget, _ session: EditingSession, _ graph: FilterGraph
  ) throws(CommandFailure) -> Bool {
    let (input, state) = (session.input, session.state)
    guard input.kind == .resumed, graph.hasSameEffect(as: session.graph), let record = state.record,
      record.adjustment.formatIdentifier == formatIdentifier
    else { return false }
    if let settings = record.renderSettings, !rendering.match(settings) { return false }
    // Without recorded settings, only a rendering that specifies none is known to be the same.
    if record.renderSettings == nil, input.media != .movie, rendering.specifiesResults {
      return false
    }
    let isPair = input.media == .livePhoto && !isStillAlone
    guard (state.movies.current != nil) == isPair else { return false }
    if let outputPath = try target.renderingPath(after: state), outputPath != state.current.path {
      return false
    }
    return state.hasRendering()
  }
}

/// The starting point of an edit.
enum EditStart {
  /// The stored graph if it is understood.
  case resuming
  /// The stored graph, which must exist.
  case adjusting
  /// The base, regardless of the stored graph.
  case startingOver
}
