// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditRendering
import PhotoEditStorage

/// A command that edits photos: resumes the stored edit if it is understood, otherwise starts one.
struct ApplyCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "apply", "Apply filters to photos and videos; adds to an existing edit.",
    discussion: """
      The original is never modified. The rendering is written to NAME.edited.jpg and the edit to \
      NAME.EXT.aae, both next to the photo.

      If a photo was edited by another program, editing continues from its current rendering. A \
      video without filters is rewritten as a QuickTime movie; trim, rotate90, flip, mute, \
      volume, creationDate, location and removeLocation change it without re-encoding. Any other \
      filter renders and re-encodes the frames; all other tracks are copied unchanged.

      Several photos are processed in parallel and reported in order; a failure does not stop the \
      others. A rendering is skipped if its photo is also an input.

      Repeating the command adds the same filters again, with a warning. For a batch that can be \
      interrupted and repeated, use --update, which makes the given filters the entire edit and \
      skips photos that already have it, or --skip-existing, which skips edited photos.
      """,
    examples: [
      CommandExample("apply --filter grayscale photo.jpg", "write photo.edited.jpg"),
      CommandExample(
        "apply --filter exposure:ev=0.5 --filter crop:x=0.1,y=0.1,w=0.8,h=0.8 *.jpg",
        "append two filters to the edit of each photo"),
      CommandExample(
        "apply --update --filter sepia *.jpg", "safe to interrupt and repeat"),
      CommandExample(
        "apply --from IMG_1.xmp --approximate IMG_1.jpg",
        "apply the closest match of Lightroom settings"),
      CommandExample(
        "apply --filter trim:start=1.5,end=4 --filter mute clip.mov",
        "write clip.edited.mov without re-encoding"),
      CommandExample("apply --filter sepia clip.mov", "render every frame"),
      CommandExample("apply --filter sepia - -o - < in.jpg > out.jpg", "edit in a pipeline"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("INPUT", \.inputs, "Photos or videos, or - for standard input."),
      .group(\.graph, GraphArguments.argumentsForPictures),
      .group(\.existing, ExistingEditArguments.arguments),
      .flag("no-sidecar", \.hasNoSidecar, "Write only the image; do not save the edit."),
      .option(
        "jobs", short: "j", \.jobs, in: 1...256, value: "N",
        "Number of photos to process in parallel (default: number of cores)."),
      .group(\.library, LibraryArguments.editing),
      .group(\.edit, EditArguments.arguments),
    ])

  var inputs: [String] = []
  var graph = GraphArguments()
  var existing = ExistingEditArguments()
  var hasNoSidecar = false
  var jobs: Int?
  var library = LibraryArguments()
  var edit = EditArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try edit.output.check(inputCount: inputs.count)
    if inputs.count(where: { $0 == "-" }) + (graph.edit == "-" ? 1 : 0) > 1 {
      throw .usage("standard input can only be read once", hint: "pass files instead of '-'")
    }
    let existing = try existing.choice(
      isRemembered: !hasNoSidecar && !edit.output.isStandardOutput && !inputs.contains("-"))
    // Errors in the arguments are reported before the first input is processed.
    var command = self
    try command.graph.readFiles()
    command.edit.rendering.assets = graph.files
    let given = try graph.edit(environment)
    _ = try command.graph.applied(to: given ?? FilterGraph())
    try command.applyAll(given, existing, environment)
  }

  private func applyAll(
    _ given: FilterGraph?, _ existing: ExistingEdit, _ environment: CommandEnvironment
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
      try command.apply(inputs[index], given, existing, environment)
    }
  }

  /// Returns the path for the rendering of an input; nil if it is only determined during the edit.
  private func place(of input: String, _ environment: CommandEnvironment) -> String? {
    if input == "-" || edit.output.isStandardOutput { return nil }
    if library.isAsset(input, environment) { return nil }
    do throws(CommandFailure) {
      let isMovie = try EditTarget.isMovie(input)
      if hasNoSidecar { return edit.placeAlone(of: input, isMovie: isMovie) }
      let store = edit.store(input, isMovie: isMovie)
        .kept(in: try library.stateFolder(input, environment))
      return try editing(store.renderingPath(after: try store.state()))
    } catch {
      return nil
    }
  }

  private func skip(
    _ input: String, renderingOf photo: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    if environment.wantsJSON {
      return try environment.write([
        "input": .string(input), "skipped": true,
        "outcome": .string(EditOutcome.skipped.rawValue), "renderingOf": .string(photo),
      ])
    }
    environment.note("\(input): skipped; it belongs to the edit of \(photo)")
  }

  private func apply(
    _ input: String, _ given: FilterGraph?, _ existing: ExistingEdit,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let clock = Stopwatch()
    let isAsset = library.isAsset(input, environment)
    if isAsset { try edit.checkForLibrary(hasNoSidecar: hasNoSidecar) }
    let isMovie = isAsset || input == "-" ? false : try EditTarget.isMovie(input)
    if input != "-", !isAsset { try edit.output.check(isMovie ? .video : .photo) }
    let isPipe = !isAsset && (input == "-" || edit.output.isStandardOutput)
    let isAlone = isPipe || !isAsset && hasNoSidecar
    if existing == .skip,
      try skipExisting(input, isAlone: isAlone, isMovie: isMovie, environment)
    {
      return
    }
    if isMovie { try edit.checkForMovie(input) }
    if isPipe {
      return try PipeRendering(
        input: input, given: given ?? FilterGraph(), recipe: graph, edit: edit
      ).run(clock, environment)
    }
    if !isMovie && !isAlone && graph.isEmpty && existing != .replace {
      throw .usage("nothing to do", hint: "specify filters with --filter or --edit")
    }
    let target =
      isAlone
      ? try EditTarget(
        alone: input, isMovie: isMovie, place: edit.placeAlone(of: input, isMovie: isMovie),
        replacesFiles: edit.output.replacesFiles)
      : try library.target(input, environment) {
        edit.store($0, isMovie: isMovie, replacesBase: existing == .replace)
      }
    try resume(target, given, existing, isMovie: isMovie, clock, environment)
  }

  /// Skips a photo that is already edited or whose rendering would replace a file; returns whether
  /// it did.
  private func skipExisting(
    _ input: String, isAlone: Bool, isMovie: Bool, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Bool {
    var (place, isEdited): (String?, Bool)
    if isAlone {
      let isPipe = edit.output.isStandardOutput || input == "-" && !edit.output.isGiven
      (place, isEdited) = (isPipe ? nil : edit.placeAlone(of: input, isMovie: isMovie), false)
    } else {
      let target = try library.target(input, environment) { edit.store($0, isMovie: isMovie) }
      let state = try target.state()
      isEdited = state.isEdited
      place = isEdited ? state.current.path : try target.renderingPath(after: state)
    }
    guard let place, isEdited || FileSystem.isThere(place) else { return false }
    try UntouchedReport(
      input: input, output: place, outcome: .skipped,
      reason: isEdited ? "already edited" : "\(place) already exists"
    ).write(to: environment)
    return true
  }

  private func resume(
    _ target: EditTarget, _ given: FilterGraph?, _ existing: ExistingEdit, isMovie: Bool,
    _ clock: Stopwatch, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let input = target.input
    let session = try edit.begin(
      target, existing == .replace ? .anew : .resuming, isMovie: isMovie, environment)
    // A whole graph replaces the stored one.
    var result = given ?? (existing == .update ? FilterGraph() : session.graph)
    var from: ForeignTranslation?
    if let picture = session.input.picture {
      let kept = session.assets
      let isRendering = graph.from != nil && session.input.version != .original
      let original =
        isRendering
        ? try edit.rendering.open(target.originalPath(), environment) : nil
      (result, from) = try graph.translated(
        onto: result, for: picture, named: input, original: original
      ) { kept[$0].map { Array($0) } }
    } else if graph.from != nil {
      throw CommandFailure(
        .badData, "\(input): --from is not supported for videos", code: "movie")
    }
    result = try graph.applied(to: result)
    if existing == .update, try edit.isDone(target, session, result) {
      return try UntouchedReport(
        input: input, output: session.state.current.path, outcome: .unchanged,
        reason: "the edit already matches"
      ).write(to: environment)
    }
    let outcome =
      target.place == nil
      ? EditOutcome(
        session.input.kind, existing, isWhole: given != nil, stored: session.graph, result) : nil
    try edit.finish(session, target, result, outcome: outcome, from: from, clock, environment)
    outcome?.warn(input, session.graph, result, environment)
  }
}
