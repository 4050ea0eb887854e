// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import FoundationEssentials
import PhotoEdit
import PhotoEditMovies
import Storage

/// Edits a movie, without re-encoding where its frames stay, or passes it through as QuickTime, and
/// records that.
struct MoviePass {
  var input: String
  var edit: EditArguments
  /// Whether the movie is recorded as an edit.
  var hasSidecar = true
  /// What is done about an edit that is there already.
  var existing: ExistingEdit
  /// Whether a whole graph takes the place of the stored one.
  var hasWholeGraph = false
  /// Whether a stored edit is changed, which must be there.
  var isAdjusting = false
  /// The movie as an asset of a library; nil for a file.
  var asset: EditTarget?
  /// Where the edit of a file is kept, when that is not beside it.
  var stateFolder: String?

  /// Whether a file's first bytes are those of a movie.
  static func isMovie(_ input: String) throws(CommandFailure) -> Bool {
    let head = try filing { () throws(FileError) in
      let file = try OpenFile(reading: input)
      guard try file.regularSize() > 0 else { return [UInt8]() }
      var head = [UInt8](repeating: 0, count: MovieContainer.detectionLength)
      let count = try head.withUnsafeMutableBufferPointer { buffer throws(FileError) in
        try file.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      return Array(head.prefix(count))
    }
    return MovieContainer.detect(head) != nil
  }

  /// Makes the movie of a changed graph and commits both.
  ///
  /// - Parameter change: Makes the new graph of the stored one.
  func run(
    _ clock: Stopwatch, _ environment: CommandEnvironment,
    change: (FilterGraph) throws(CommandFailure) -> FilterGraph
  ) throws(CommandFailure) {
    guard !edit.output.isStandardOutput else {
      throw CommandFailure(
        .badData, "\(input): a movie cannot be written to standard output",
        hint: "name a file with -o",
        code: "movie")
    }
    if !hasSidecar { return try runAlone(try change(FilterGraph()), clock, environment) }
    let target =
      asset
      ?? EditTarget(
        edit.store(input, isMovie: true, replacesBase: existing == .replace).kept(in: stateFolder))
    let store = target.store
    try target.checkPlace()
    let state = try editing { () throws(EditingError) in try store.state() }
    let beginning = try MovieBeginning(
      state, input: input, startsAnew: existing == .replace, isAdjusting: isAdjusting)
    let graph = try change(existing == .update ? FilterGraph() : beginning.graph)
    let recipe = try recipe(of: graph)
    let original = try beginning.requireRecorded(environment)
    if existing == .update, try isDone(target, state, beginning, graph) {
      return try UntouchedReport(
        input: input, output: state.current.path, outcome: .unchanged,
        reason: "the edit is what is asked for"
      ).write(to: environment)
    }
    let staging = try editing { () throws(EditingError) in try store.makeStagingFolder() }
    defer { staging.discard() }
    let staged = staging.file("movie.mov")
    var rendering = MovieRendering(input: input, edit: edit)
    if beginning.kind == .resumed { rendering.kept = state.record?.assets ?? [:] }
    let made = try rendering.run(recipe, from: beginning.content.path, to: staged, environment)
    try edit.requireNoLosses(made.losses, input: input)
    let files = rendering.assetFiles
    let outcome =
      isAdjusting
      ? EditOutcome.adjusted
      : EditOutcome(
        beginning.kind, existing, isWhole: hasWholeGraph, stored: beginning.graph, graph)
    var output = MovieOutcome(
      input: input, output: "", sidecar: target.sidecar?.sidecarPath,
      base: beginning.name, isResumed: beginning.kind == .resumed,
      formatIdentifier: edit.formatIdentifier, graph: graph, made: made,
      obstacles: beginning.obstacles, milliseconds: 0, isDryRun: edit.isDryRun,
      outcome: outcome)
    if edit.isDryRun {
      environment.note("dry run: nothing is written")
      output.output = try target.renderingPath() ?? "a new version"
      output.milliseconds = clock.milliseconds
      return try output.write(to: environment)
    }
    let after = try editing { () throws(EditingError) in
      let record = EditRecord(
        base: EditRecord.base(after: state.record, beginning.kind), current: made.report.digest,
        adjustment: try AdjustmentData(
          formatIdentifier: edit.formatIdentifier, formatVersion: FilterGraph.formatVersion,
          data: Data(graph.canonicalBytes())),
        date: Clock.now().date, editor: "org.photoedit", recipe: nil,
        assets: graph.externalAssets.compactMapValues { files($0.digest).map { Data($0) } })
      return try store.perform(
        .edit(staged: staged, record, beginning.kind, input: original),
        expecting: state.revision)
    }
    output.output = after.current.path
    output.milliseconds = clock.milliseconds
    try output.write(to: environment)
    outcome.warn(input, beginning.graph, graph, environment)
  }

  /// Whether nothing is to be done for a graph: it is the stored edit, and its movie is there.
  private func isDone(
    _ target: EditTarget, _ state: EditState, _ beginning: MovieBeginning, _ graph: FilterGraph
  ) throws(CommandFailure) -> Bool {
    guard beginning.kind == .resumed, graph.isSameRecipe(as: beginning.graph) else { return false }
    if let place = try target.renderingPath(), place != state.current.path { return false }
    return state.hasRendering()
  }

  /// What a graph means for a movie.
  private func recipe(of graph: FilterGraph) throws(CommandFailure) -> MovieRecipe {
    do throws(GraphObstacle) { return try MovieRecipe(graph) } catch {
      throw CommandFailure(.badData, "\(input): \(error)", code: "graph")
    }
  }

  /// Writes the movie and records nothing.
  private func runAlone(
    _ graph: FilterGraph, _ clock: Stopwatch, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let recipe = try recipe(of: graph)
    let output = edit.placeAlone(of: input, isMovie: true)
    let replacesFiles = edit.output.replacesFiles
    try Publishing.check(output, replacesFiles: replacesFiles, notOver: input)
    let staging = try filing { () throws(FileError) in
      try StagingFolder(in: FileSystem.folder(of: output))
    }
    defer { staging.discard() }
    let staged = staging.file("movie.mov")
    let made = try MovieRendering(input: input, edit: edit)
      .run(recipe, from: input, to: staged, environment)
    try edit.requireNoLosses(made.losses, input: input)
    if edit.isDryRun {
      environment.note("dry run: nothing is written")
    } else {
      try filing { () throws(FileError) in
        try FileSystem.publish(staged, as: output, replacing: replacesFiles, like: input)
        try FileSystem.syncFolder(FileSystem.folder(of: output))
      }
    }
    let outcome = MovieOutcome(
      input: input, output: output, sidecar: nil, base: "original", isResumed: false,
      formatIdentifier: edit.formatIdentifier, graph: graph, made: made,
      milliseconds: clock.milliseconds, isDryRun: edit.isDryRun)
    try outcome.write(to: environment)
  }
}
