// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import FoundationEssentials
import PhotoEdit
import PhotoEditVideo
import Rendering
import Storage

/// The options of the verbs that edit through a sidecar.
struct EditArguments: Sendable {
  var rendering = RenderingArguments()
  var movie = MovieArguments()
  var output = OutputArguments()
  var isDryRun = false
  var refusesLosses = false
  var isStillAlone = false
  var acceptsChangedOriginal = false

  /// What is told of a photo that another program tagged.
  static let newMetadata = "its metadata has changed since it was edited, its pixels have not"
  var formatIdentifier = FilterGraph.formatIdentifier

  static let arguments: [Argument<Self>] =
    [
      .group(\.output, OutputArguments.arguments),
      .flag("dry-run", short: "n", \.isDryRun, "Says what would be done and writes nothing."),
      .flag("strict", \.refusesLosses, "Refuses a rendering that cannot hold everything."),
      .flag(
        "still", \.isStillAlone,
        "Renders the still of a Live Photo alone: a plain photo until it is reverted."),
      .flag(
        "accept-original", \.acceptsChangedOriginal,
        "Applies the stored edit to a photo that is another one now."),
      .option(
        "format-identifier", \.formatIdentifier, value: "ID",
        "Stores and understands edits under another identifier, as another editor."),
      .group(\.rendering, RenderingArguments.arguments),
      .group(\.movie, MovieArguments.arguments),
    ]

  /// Where the rendering of an input is wanted; nil means beside it, or where it was before.
  func place(of input: String, isMovie: Bool = false) -> String? {
    output.path(name: Self.renderingName(of: input, isMovie: isMovie))
  }

  /// Where the rendering of an input goes that no sidecar remembers.
  func placeAlone(of input: String, isMovie: Bool = false) -> String {
    let name = Self.renderingName(of: input, isMovie: isMovie)
    return output.path(name: name)
      ?? (input.contains("/") ? FileSystem.folder(of: input) + "/" + name : name)
  }

  static func renderingName(of input: String, isMovie: Bool) -> String {
    FileSystem.splitName(FileSystem.lastName(of: input)).stem
      + (isMovie ? ".edited.mov" : ".edited.jpg")
  }

  /// Refuses a rendering that lacks something where --strict is given.
  ///
  /// - Parameter losses: What it lacks, one phrase each.
  func requireNoLosses(_ losses: [String], input: String) throws(CommandFailure) {
    guard refusesLosses, !losses.isEmpty else { return }
    throw CommandFailure(
      .badData, "\(input): the rendering would lose " + losses.joined(separator: ", "),
      hint: "without --strict it is made and the losses are reported", code: "losses")
  }

  /// Refuses the options that say where files go: a library has its own places.
  func checkForLibrary(hasNoSidecar: Bool = false) throws(CommandFailure) {
    guard !output.isGiven, !hasNoSidecar else {
      throw .usage(
        "-o and --no-sidecar are for files, and the input is an asset of a library",
        hint: "edit it in the library and write it with 'asset export'")
    }
  }

  /// The store of an input.
  func store(
    _ input: String, isMovie: Bool = false, replacesBase: Bool = false
  ) -> SidecarStore {
    SidecarStore(
      path: input, rendering: place(of: input, isMovie: isMovie),
      replacesForeignFiles: output.replacesFiles,
      acceptsChangedOriginal: replacesBase || acceptsChangedOriginal,
      contentExtension: isMovie ? "mov" : "jpg")
  }

  /// The editor of a store; the quality of a stored edit is kept unless another one is wanted.
  func editor(
    _ store: any EditingStore, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> GraphEditing {
    var editor = GraphEditing(store, options: rendering.options(environment))
    if rendering.quality == nil {
      let state = try editing { () throws(EditingError) in try store.state() }
      if let stored = state.record?.recipe.flatMap({ JPEGQuality($0.quality) }) {
        editor.options.quality = stored
      }
    }
    editor.allowsLosses = !refusesLosses
    editor.formatIdentifier = formatIdentifier
    (editor.date, editor.utcOffset) = Clock.now()
    return editor
  }

  /// Renders, commits unless this is a dry run, and reports.
  func finish(
    _ editor: GraphEditing, _ target: EditTarget, _ beginning: GraphEditing.Beginning,
    _ graph: FilterGraph, outcome change: EditOutcome, from: ForeignTranslation? = nil,
    _ clock: Stopwatch, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    var editor = editor
    let picture = try editing { () throws(EditingError) in
      try beginning.input.requirePicture()
    }
    editor.options.threads = self.rendering.threads(for: picture, graph)
    let rendering: Rendering
    var committed = graph
    let place: String
    if isDryRun {
      place = try target.renderingPath() ?? "a new version"
      rendering = try editing { () throws(EditingError) in
        try editor.preview(beginning, with: graph)
      }
      environment.note("dry run: nothing is written")
    } else {
      let outcome = try editing { () throws(EditingError) in
        guard beginning.input.media == .livePhoto, !isStillAlone else {
          return try editor.finish(beginning, with: graph)
        }
        return try editor.finishLivePhoto(beginning, with: graph) { share in
          environment.progress.update(Int(share * 100), of: 100, target.input)
        }
      }
      rendering = outcome.rendering
      committed = outcome.graph
      place = target.sidecar.flatMap { self.place(of: $0.assetName) } ?? outcome.state.current.path
    }
    try EditReport(
      input: target.input, output: place, sidecar: target.sidecar?.sidecarPath,
      base: EditReport.base(beginning.input.version),
      isResumed: beginning.input.kind == .resumed, formatIdentifier: formatIdentifier,
      graph: committed, rendering: rendering, obstacles: beginning.obstacles,
      milliseconds: clock.milliseconds, isDryRun: isDryRun,
      notices: beginning.input.hasNewMetadata ? [Self.newMetadata] : [], outcome: change, from: from
    ).write(to: environment)
  }

  /// Whether nothing is to be done for a graph: it is the stored edit, made as it is asked for now,
  /// and its rendering is where it is to be.
  func isDone(
    _ target: EditTarget, _ beginning: GraphEditing.Beginning, _ graph: FilterGraph
  ) throws(CommandFailure) -> Bool {
    guard beginning.input.kind == .resumed, graph.isSameRecipe(as: beginning.graph) else {
      return false
    }
    let state = try target.state()
    guard let record = state.record, record.adjustment.formatIdentifier == formatIdentifier else {
      return false
    }
    if let quality = rendering.quality, record.recipe?.quality != quality.description {
      return false
    }
    let isPair = beginning.input.media == .livePhoto && !isStillAlone
    guard (state.movies.current != nil) == isPair else { return false }
    if let place = try target.renderingPath(), place != state.current.path { return false }
    return state.hasRendering()
  }
}
