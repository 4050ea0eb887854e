// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import PhotoEdit
import PhotoEditMovies
import Rendering
import Storage

/// Edits photos: resumes the stored edit where it is understood, else starts one.
struct ApplyCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "apply", "Edits photos; an edit that is understood is resumed.",
    discussion: """
      The original is never written. The rendering goes to NAME.edited.jpg and the record of the \
      edit to NAME.EXT.aae beside the photo.

      A photo whose edit was made by another program is edited from its rendering as it is. A \
      movie without filters passes through as QuickTime; trim, rotate90, flip, mute, volume, \
      creationDate, location and removeLocation change it without re-encoding. With any other \
      filter its frames are rendered and encoded anew, and everything else in it stays.

      Several photos are edited at once and reported in their order; one that fails does not stop \
      the others. A rendering whose photo is among the inputs is skipped.
      """,
    examples: [
      CommandExample("apply --filter grayscale photo.jpg", "makes photo.edited.jpg"),
      CommandExample(
        "apply --filter exposure:ev=0.5 --filter crop:x=0.1,y=0.1,w=0.8,h=0.8 *.jpg",
        "appends two filters to the edit of each photo"),
      CommandExample(
        "apply --from IMG_1.xmp --approximate IMG_1.jpg", "what there is for Lightroom's settings"),
      CommandExample(
        "apply --filter trim:start=1.5,end=4 --filter mute clip.mov",
        "makes clip.edited.mov, its packets as they were"),
      CommandExample("apply --filter sepia clip.mov", "renders every frame"),
      CommandExample("apply --filter sepia - -o - < in.jpg > out.jpg", "works as a pipe"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("INPUT", \.inputs, "Photos or movies; '-' is stdin."),
      .group(\.graph, GraphArguments.argumentsForPictures),
      .flag("replace", \.startsAnew, "Starts a new graph on the base instead of resuming."),
      .flag("no-sidecar", \.hasNoSidecar, "Writes the rendering alone."),
      .option(
        "jobs", short: "j", \.jobs, in: 1...256, value: "N",
        "Photos in flight; as many as there are cores by default."),
      .group(\.library, LibraryArguments.editing),
      .group(\.edit, EditArguments.arguments),
    ])

  var inputs: [String] = []
  var graph = GraphArguments()
  var startsAnew = false
  var hasNoSidecar = false
  var jobs: Int?
  var library = LibraryArguments()
  var edit = EditArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try edit.output.check(inputCount: inputs.count)
    if inputs.count(where: { $0 == "-" }) + (graph.edit == "-" ? 1 : 0) > 1 {
      throw .usage("standard input can be read only once", hint: "name files instead of '-'")
    }
    // Mistakes of the command line are told before the first input is touched.
    var command = self
    try command.graph.readFiles()
    command.edit.rendering.assets = graph.files
    let given = try graph.edit(environment)
    _ = try command.graph.applied(to: given ?? FilterGraph())
    try command.applyAll(given, environment)
  }

  private func applyAll(
    _ given: FilterGraph?, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let plan = BatchPlan(inputs) { place(of: $0, environment) }
    try ParallelBatch.run(inputs, jobs: jobs, environment) {
      (index, threads, environment) throws(CommandFailure) in
      switch plan.steps[index] {
      case .edit: break
      case .skip(let photo): return try skip(inputs[index], renderingOf: photo, environment)
      case .refuse(let failure): throw failure
      }
      var command = self
      command.edit.rendering.share = threads
      try command.apply(inputs[index], given, environment)
    }
  }

  /// Where the rendering of an input will go; nil where that is told when it is edited.
  private func place(of input: String, _ environment: CommandEnvironment) -> String? {
    if input == "-" || edit.output.isStandardOutput { return nil }
    if library.isAsset(input, environment) { return nil }
    do throws(CommandFailure) {
      let isMovie = try MoviePass.isMovie(input)
      if hasNoSidecar { return edit.placeAlone(of: input, isMovie: isMovie) }
      let store = edit.store(input, isMovie: isMovie)
      return try editing { () throws(EditingError) in try store.renderingPath() }
    } catch {
      return nil
    }
  }

  private func skip(
    _ input: String, renderingOf photo: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    if environment.wantsJSON {
      return try environment.write([
        "input": .string(input), "skipped": true, "renderingOf": .string(photo),
      ])
    }
    environment.note("\(input): skipped, because it belongs to the edit of \(photo)")
  }

  private func apply(
    _ input: String, _ given: FilterGraph?, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let clock = Stopwatch()
    if library.isAsset(input, environment) {
      try edit.checkForLibrary(hasNoSidecar: hasNoSidecar)
      if let movie = try library.movie(input, environment), !graph.isEmpty || startsAnew {
        return try passMovie(input, given, clock, environment, asset: movie)
      }
      return try resume(input, given, clock, environment)
    }
    let isMovie = input == "-" ? false : try MoviePass.isMovie(input)
    if isMovie {
      try passMovie(input, given, clock, environment)
    } else if input == "-" || edit.output.isStandardOutput || hasNoSidecar {
      try PureRendering(
        input: input, given: given ?? FilterGraph(), recipe: graph, edit: edit,
        isPipe: input == "-"
      ).run(clock, environment)
    } else {
      try resume(input, given, clock, environment)
    }
  }

  private func passMovie(
    _ input: String, _ given: FilterGraph?, _ clock: Stopwatch, _ environment: CommandEnvironment,
    asset: EditTarget? = nil
  ) throws(CommandFailure) {
    guard graph.from == nil else {
      throw CommandFailure(
        .badData, "\(input): --from is about pictures, and this is a movie", code: "movie")
    }
    let pass = MoviePass(
      input: input, edit: edit, hasSidecar: !hasNoSidecar, startsAnew: startsAnew,
      asset: asset)
    try pass.run(clock, environment) { stored throws(CommandFailure) in
      try graph.applied(to: given ?? stored)
    }
  }

  private func resume(
    _ input: String, _ given: FilterGraph?, _ clock: Stopwatch, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    if graph.isEmpty && !startsAnew {
      throw .usage("nothing to do", hint: "say what to apply with --filter or --edit")
    }
    let target = try library.target(input, environment) {
      edit.store($0, replacesBase: startsAnew)
    }
    try target.checkPlace()
    let editor = try edit.editor(target.store, environment)
    let beginning = try editing { () throws(EditingError) in
      try editor.begin(startsAnew ? .base : .resuming)
    }
    // A whole graph takes the place of the stored one.
    let kept = beginning.assets
    let isRendering = graph.from != nil && beginning.input.version != .original
    let original =
      isRendering
      ? try PureRendering.open(target.originalPath(), edit.rendering, environment) : nil
    let picture = try editing { () throws(EditingError) in
      try beginning.input.requirePicture()
    }
    let (start, from) = try graph.translated(
      onto: given ?? beginning.graph, for: picture, named: input,
      original: original
    ) { kept[$0].map { Array($0) } }
    let result = try graph.applied(to: start)
    try edit.finish(editor, target, beginning, result, from: from, clock, environment)
  }
}
