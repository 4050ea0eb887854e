// SPDX-License-Identifier: Apache-2.0

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

      A raw file of a camera is developed, with or without filters. Its edit begins with a tone \
      curve that matches the preview of the camera; exposure and whiteBalance are added before it. \
      With -r, it is left out if an image of the same name is next to it.

      --auto measures each photo and adds filters with plain numbers: white balance, exposure, \
      black and white, contrast, shadows and vibrance, and less color noise where brightening shows \
      it. It reports what it set and what it left alone; a second --auto replaces the filters of \
      the first.

      --fit, --aspect, --srgb, --sharpen-for, --max-bytes, --progressive, --keep and --template \
      write copies of photos with their edits to the folder of -o, which is created; a copy is \
      not recorded as an edit.

      Several photos are processed in parallel and reported in order; a failure does not stop the \
      others. A rendering is skipped if its photo is also an input. The last line is a summary; \
      -v also prints a line for each photo. With --report FILE, a line of JSON for each photo is \
      appended to FILE, from which --retry-failed FILE repeats those that failed or were not started.

      Repeating the command adds the same filters again, with a warning. For a batch that can be \
      interrupted and repeated, use --update, which replaces the edit with the given filters and \
      skips photos that already have it, or --skip-existing, which skips edited photos.
      """,
    examples: [
      CommandExample("apply --filter grayscale photo.jpg", "write photo.edited.jpg"),
      CommandExample(
        "apply --filter exposure:ev=0.5 --filter sepia *.jpg",
        "append two filters to the edit of each photo"),
      CommandExample("apply --auto *.jpg", "improve each photo by what is measured in it"),
      CommandExample("apply --deflicker frame*.jpg", "even out the frames of a time lapse"),
      CommandExample("apply *.CR2", "develop raw files"),
      CommandExample(
        "apply --update --filter sepia *.jpg", "safe to interrupt and repeat"),
      CommandExample(
        "apply --update --filter sepia --report run.jsonl *.jpg", "keep a report of the batch"),
      CommandExample(
        "apply --update --filter sepia --retry-failed run.jsonl", "repeat what failed"),
      CommandExample("apply --fit 2048 --srgb -o web/ *.jpg", "write copies for the web"),
      CommandExample(
        "apply --import-edit IMG_1.xmp --allow-approximate IMG_1.jpg",
        "apply the closest match to Lightroom settings"),
      CommandExample(
        "apply --filter trim:start=1.5,end=4 --filter mute clip.mov",
        "write clip.edited.mov without re-encoding"),
      CommandExample("apply --filter sepia clip.mov", "render every frame"),
      CommandExample("apply --filter sepia - -o - < in.jpg > out.jpg", "edit in a pipeline"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional(
        "INPUT", \.inputs, isRequired: false, "Photos or videos, or - for standard input."),
      .group(\.graph, GraphArguments.argumentsForImages),
      .flag(
        "deflicker", \.graph.deflickers,
        "Measure the photos, in their order, and add exposures that even out the series."),
      .group(\.existing, ExistingEditArguments.arguments),
      .flag("no-sidecar", \.hasNoSidecar, "Write only the image; do not save the edit."),
      .option(
        "jobs", short: "j", \.jobs, in: 1...256, value: "N",
        "Number of photos to process in parallel (default: number of cores)."),
      .group(\.report, BatchReportArguments.arguments),
      .group(\.library, LibraryArguments.editing),
      .group(\.shape, ShapeArguments.arguments),
      .group(\.copies, CopyArguments.arguments),
      .group(\.edit, EditArguments.arguments),
    ])

  var inputs: [String] = []
  var graph = GraphArguments()
  var existing = ExistingEditArguments()
  var hasNoSidecar = false
  var jobs: Int?
  var report = BatchReportArguments()
  var library = LibraryArguments()
  var edit = EditArguments()
  var shape = ShapeArguments()
  var copies = CopyArguments()
  /// The paths of the copies, relative to the folder of `-o`.
  private var names = CopyNames()

  /// Indicates whether copies for another use are written, which are not recorded as edits.
  private var writesCopies: Bool { shape.isSpecified || copies.template != nil }

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    var command = self
    command.inputs = try report.inputs(inputs)
    (command.inputs, command.names) = try copies.found(
      command.inputs, for: edit.output)
    if writesCopies { try command.checkCopies() }
    guard !command.inputs.isEmpty else {
      return environment.note("nothing failed according to the report; nothing to do")
    }
    guard let sheet = report.sheet else {
      let environment = try report.environment(environment, on: command.inputs)
      try command.start(environment)
      return try report.check(environment)
    }
    try command.checkSheet(sheet)
    let (lines, failure) = try report.recorded(environment, on: command.inputs) {
      environment throws(CommandFailure) in
      try command.start(environment)
      try report.check(environment)
    }
    if let failure, failure.exitCode == .usage { throw failure }
    try environment.checkCancellation()
    try command.write(lines, to: sheet, environment)
    if let failure { throw failure }
  }

  /// Checks the options of copies, and creates their folder.
  private func checkCopies() throws(CommandFailure) {
    try shape.check(hasStrip: edit.rendering.strip != nil)
    guard edit.output.isSpecified || copies.template != nil else {
      throw .usage(
        "\(shape.firstOption): requires -o", hint: "specify a file or a folder with -o DIR/")
    }
    try copies.createFolder(edit.output, isDryRun: edit.isDryRun)
  }

  private func start(_ environment: CommandEnvironment) throws(CommandFailure) {
    try edit.output.check(inputCount: inputs.count)
    if inputs.count(where: { $0 == "-" }) + (graph.edit == "-" ? 1 : 0) > 1 {
      throw .usage("standard input can only be read once", hint: "pass files instead of '-'")
    }
    let existing = try existing.choice(
      isStored: !hasNoSidecar && !edit.output.isStandardOutput && !inputs.contains("-"))
    // Errors in the arguments are reported before the first input is processed.
    var command = self
    try command.graph.readFiles()
    command.edit.rendering.assets = graph.files
    let initialGraph = try graph.edit(environment)
    _ = try command.graph.applied(to: initialGraph ?? FilterGraph(), for: .arguments)
    try command.graph.measureReference(command.edit.rendering, environment)
    try command.graph.measureSeries(inputs, command.edit.rendering, environment)
    if !edit.isDryRun { try edit.output.createFolder() }
    try command.applyAll(initialGraph, existing, environment)
  }

  private func applyAll(
    _ initialGraph: FilterGraph?, _ existing: ExistingEdit, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let plan = BatchPlan(inputs) { outputPath(of: $0, environment) }
    // Photos that are already edited start no session, which would do it.
    if existing == .update, !edit.isDryRun { plan.sweepOutputFolders() }
    let advice = EditReport.advice(for: "PHOTO")
    try ParallelBatch.run(
      inputs, jobs: jobs, environment,
      advice: hasNoSidecar || edit.isDryRun || writesCopies ? nil : advice
    ) {
      (index, threads, environment) throws(CommandFailure) in
      if try plan.leavesOut(index, inputs[index], environment) { return nil }
      var command = self
      command.edit.rendering.share = threads
      return try command.apply(inputs[index], initialGraph, existing, environment)
    }
  }

  /// Returns the path for the rendering of an input; nil if it is only determined during the edit.
  private func outputPath(of input: String, _ environment: CommandEnvironment) -> String? {
    if input == "-" || edit.output.isStandardOutput { return nil }
    if library.isAsset(input, environment) { return nil }
    do throws(CommandFailure) {
      let isMovie = try EditTarget.isMovie(input)
      if writesCopies { return try copyPath(of: input) }
      if hasNoSidecar { return edit.standalonePath(of: input, isMovie: isMovie) }
      let store = edit.store(input, isMovie: isMovie)
        .stored(in: try library.stateFolder(input, environment))
      return try editing(store.renderingPath(after: try store.state()))
    } catch {
      return nil
    }
  }

  private func apply(
    _ input: String, _ initialGraph: FilterGraph?, _ existing: ExistingEdit,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> PendingSave? {
    let clock = Stopwatch()
    let isAsset = library.isAsset(input, environment)
    if isAsset { try edit.checkForLibrary(hasNoSidecar: hasNoSidecar) }
    let isMovie = isAsset || input == "-" ? false : try EditTarget.isMovieToEdit(input)
    if input != "-", !isAsset { try edit.output.check(isMovie ? .video : .photo) }
    let isPiped = !isAsset && (input == "-" || edit.output.isStandardOutput)
    let isAlone = isPiped || !isAsset && hasNoSidecar
    if existing == .skip,
      try skipExisting(input, isAlone: isAlone, isMovie: isMovie, environment)
    {
      return nil
    }
    if isMovie { try edit.checkForMovie(input) }
    // Standard input has no edit, and the edit of a file belongs to what is written of it.
    if isPiped, input == "-" || hasNoSidecar {
      try PipeRendering(
        input: input, initialGraph: initialGraph, graphArguments: graph,
        edit: edit, shape: shape
      ).run(clock, environment)
      return nil
    }
    if isPiped || writesCopies {
      guard !isMovie, !isAsset else { throw .notCopied(input, isAsset: isAsset) }
      try CopyRendering(
        input: input, initialGraph: initialGraph, existing: existing, graphArguments: graph,
        edit: edit, shape: shape, library: library
      ).run(to: isPiped ? "-" : try copyPath(of: input), clock, environment)
      return nil
    }
    if !isMovie && !isAlone && graph.isEmpty && existing != .replace && !EditTarget.isRaw(input) {
      throw .usage("nothing to do", hint: "specify filters with --filter or --graph")
    }
    let target =
      isAlone
      ? try EditTarget(
        alone: input, isMovie: isMovie,
        outputPath: edit.standalonePath(of: input, isMovie: isMovie),
        replacesFiles: edit.output.replacesFiles)
      : try library.target(input, environment, isDryRun: edit.isDryRun) {
        edit.store($0, isMovie: isMovie, replacesBase: existing == .replace)
      }
    return try resume(target, initialGraph, existing, isMovie: isMovie, clock, environment)
  }

  /// Skips a photo that is already edited or whose rendering would replace a file; returns whether
  /// it did.
  private func skipExisting(
    _ input: String, isAlone: Bool, isMovie: Bool, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Bool {
    var (outputPath, isEdited): (String?, Bool)
    if isAlone {
      let isPipe = edit.output.isStandardOutput || input == "-" && !edit.output.isSpecified
      (outputPath, isEdited) = (
        isPipe ? nil : edit.standalonePath(of: input, isMovie: isMovie), false
      )
    } else {
      let target = try library.target(input, environment, isDryRun: edit.isDryRun) {
        edit.store($0, isMovie: isMovie)
      }
      let state = try target.state()
      isEdited = state.isEdited
      outputPath = isEdited ? state.current.path : try target.renderingPath(after: state)
    }
    guard let outputPath, isEdited || FileSystem.itemExists(outputPath) else { return false }
    try UntouchedReport(
      input: input, output: outputPath, outcome: .skipped,
      reason: isEdited ? "already edited" : "\(outputPath) already exists"
    ).write(to: environment)
    return true
  }

  private func resume(
    _ target: EditTarget, _ initialGraph: FilterGraph?, _ existing: ExistingEdit, isMovie: Bool,
    _ clock: Stopwatch, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> PendingSave? {
    let input = target.input
    var session = try edit.begin(
      target, existing == .replace ? .startingOver : .resuming, isMovie: isMovie, environment)
    // A whole graph replaces the stored one.
    var result =
      if let initialGraph { initialGraph } else {
        existing == .update ? try editing(session.newGraph()) : session.graph
      }
    if initialGraph != nil || existing == .update {
      session.editor.options.includesSettings = false
    }
    var from: EditConversion?
    if let image = session.input.image {
      let stored = session.assets
      let isRendering = graph.from != nil && session.input.version != .original
      let original =
        isRendering
        ? try edit.rendering.open(target.originalPath(), environment) : nil
      (result, from) = try graph.translated(
        onto: result, for: image, named: input, original: original
      ) { stored[$0].map { Array($0) } }
    } else if graph.from != nil {
      throw CommandFailure(
        .badData, "\(input): --import-edit is not supported for videos", code: "movie")
    }
    let measured = measuredImage(input, of: session, with: result)
    let adjustment: AutomaticAdjustment?
    (result, adjustment) = try graph.adjusted(result, for: measured, named: input)
    result = try graph.applied(to: result, for: measured.map { .image($0) } ?? .none)
    let prepared = try editing(session.prepared(result))
    for bytes in prepared.files.values { graph.files.add(bytes) }
    result = prepared.graph
    if existing == .update, try edit.isDone(target, session, result) {
      try UntouchedReport(
        input: input, output: session.state.current.path, outcome: .unchanged,
        reason: "the edit already matches"
      ).write(to: environment)
      return nil
    }
    let outcome =
      target.outputPath == nil
      ? EditOutcome(
        session.input.kind, existing, isWhole: initialGraph != nil, stored: session.graph, result)
      : nil
    let pending = try edit.render(
      session, target, result, outcome: outcome, from: from, adjustment: adjustment, clock,
      environment)
    let (stored, graph) = (session.graph, result)
    return PendingSave(byteCount: pending.byteCount) { () throws(CommandFailure) in
      try pending.run()
      outcome?.warn(input, stored, graph, environment)
    }
  }

  /// Returns the path of the copy of a photo.
  private func copyPath(of input: String) throws(CommandFailure) -> String {
    edit.output.path(name: try names.path(of: input)) ?? edit.standalonePath(of: input)
  }

  private func measuredImage(
    _ input: String, of session: EditingSession, with graph: FilterGraph
  ) -> MeasuredImage? {
    guard let image = session.input.image else { return nil }
    var options = session.editor.options
    options.threads = edit.rendering.threads(for: image, graph)
    let (stored, files) = (session.assets, self.graph.files)
    options.assetFiles = { digest in stored[digest].map { Array($0) } ?? files[digest] }
    return MeasuredImage(image: image, name: input, options: options)
  }
}
