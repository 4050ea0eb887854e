// SPDX-License-Identifier: Apache-2.0

/// A command that renders images with a graph: a pure function, without a sidecar or a date.
struct RenderCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "render", "Render images once, without saving an edit.",
    discussion: """
      The same image and graph always produce the same bytes. Edits of the photos are not used; \
      'photoedit apply' with --fit and similar options writes copies with them.

      With -o DIR/, the rendering of NAME.EXT is named NAME.edited.jpg, or as --template says. \
      Several images are processed in parallel and reported in order; a failure does not stop the \
      others. A rendering is skipped if its photo is also an input. With -r, the photos in folders \
      are processed, without a raw file next to an image of the same name.

      --raster also writes the input of \
      the encoder: FILE.pfm as floats (bottom row first, not clipped) or FILE.png as 16-bit \
      samples. --plan prints the render plan without rendering.
      """,
    examples: [
      CommandExample("render photo.jpg --graph look.json -o out.jpg", "apply a saved filter graph"),
      CommandExample(
        "render photo.jpg --filter sepia --raster out.pfm",
        "write unencoded float samples instead of a JPEG"),
      CommandExample(
        "render -r photos --graph look.json --fit 2048 --template '{created.year}/{name}' -o web/",
        "render the photos in a folder"),
      CommandExample("render photo.jpg --graph look.json --plan", "print the render plan"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("INPUT", \.inputs, isRequired: false, "Images, or - for standard input."),
      .group(\.graph, GraphArguments.argumentsForImages),
      .group(\.output, OutputArguments.arguments),
      .group(\.shape, ShapeArguments.arguments),
      .group(\.copies, CopyArguments.arguments),
      .option(
        "jobs", short: "j", \.jobs, in: 1...256, value: "N",
        "Number of images to process in parallel (default: number of cores)."),
      .group(\.report, BatchReportArguments.repeating),
      .option(
        "raster", \.raster, value: "FILE",
        "Also write the unencoded pixels as .pfm (float) or .png (16-bit)."),
      .flag("plan", \.printsPlan, "Print the render plan and exit."),
      .group(\.rendering, RenderingArguments.arguments),
    ])

  var inputs: [String] = []
  var graph = GraphArguments()
  var output = OutputArguments()
  var shape = ShapeArguments()
  var copies = CopyArguments()
  var jobs: Int?
  var report = BatchReportArguments()
  var raster: String?
  var printsPlan = false
  var rendering = RenderingArguments()
  /// The paths of the renderings, relative to the folder of `-o`.
  private var names = CopyNames()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try output.check(.photo)
    try shape.check(hasStrip: rendering.strip != nil)
    let hasOutput = output.output != nil || raster != nil
    if printsPlan && hasOutput {
      throw .usage("--plan does not write files", hint: "omit -o and --raster")
    }
    guard printsPlan || hasOutput else {
      throw .usage("no output specified", hint: "use -o FILE, --raster FILE or --plan")
    }
    var command = self
    (command.inputs, command.names) = try copies.found(report.inputs(inputs), for: output)
    guard !command.inputs.isEmpty else {
      return environment.note("nothing failed according to the report; nothing to do")
    }
    try command.checkInputs()
    try copies.createFolder(output)
    command.rendering.assets = graph.files
    try command.graph.readFiles()
    try command.graph.measureReference(rendering, environment)
    let environment = try report.environment(environment, on: command.inputs)
    try command.renderAll(environment)
    try report.check(environment)
  }

  private func checkInputs() throws(CommandFailure) {
    try output.check(inputCount: inputs.count)
    if raster != nil && inputs.count > 1 {
      throw .usage(
        "--raster: \(inputs.count) inputs cannot be written to one file",
        hint: "render one image at a time")
    }
    if inputs.contains("-") && graph.edit == "-" {
      throw .usage("standard input cannot be used for both the image and the graph")
    }
    if inputs.count(where: { $0 == "-" }) > 1 {
      throw .usage("standard input can only be read once", hint: "pass files instead of '-'")
    }
  }

  private func renderAll(_ environment: CommandEnvironment) throws(CommandFailure) {
    // Errors in the arguments are reported before the first image is read.
    let initialGraph = try graph.edit(environment)
    _ = try graph.applied(to: initialGraph ?? FilterGraph(), for: .arguments)
    let plan = BatchPlan(inputs, acceptsRenderings: true) { input in
      (try? names.path(of: input)).flatMap { output.path(name: $0) }
    }
    try ParallelBatch.run(inputs, jobs: jobs, environment) {
      (index, threads, environment) throws(CommandFailure) in
      if try plan.leavesOut(index, inputs[index], environment) { return nil }
      var command = self
      command.rendering.share = threads
      try command.render(inputs[index], initialGraph, environment)
      return nil
    }
  }

  private func render(
    _ input: String, _ initialGraph: FilterGraph?, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let clock = Stopwatch()
    if printsPlan { return try printPlan(of: initialGraph, for: input, environment) }
    let outputPath = output.path(name: try names.path(of: input))
    if let outputPath, let raster, outputPath == raster {
      throw CommandFailure.usage("-o and --raster specify the same file, \(outputPath)")
    }
    for path in [outputPath, raster].compactMap({ $0 }) where path != "-" {
      try Publishing.check(path, replacesFiles: output.replacesFiles, notOver: input)
    }
    let image = try rendering.open(input, environment)
    let copy = try copy(of: image, named: input, initialGraph, environment)
    if let raster { try writeRaster(raster, of: input, image, copy.graph, copy.options) }
    guard let outputPath else { return }
    if outputPath == "-" {
      return try environment.writeFile(copy.render(copy.options, environment).jpeg)
    }
    try CopyNames.createFolders(FileSystem.folder(of: outputPath))
    let report = try copy.write(
      to: outputPath, replacesFiles: output.replacesFiles, notOver: input, clock, environment)
    try report.write(to: environment)
  }

  private func copy(
    of image: ImageSource, named input: String, _ given: FilterGraph?,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> ImageCopy {
    try ImageCopy(
      of: image, named: input, given, graph, shape, rendering, environment)
  }

  private func printPlan(
    of initialGraph: FilterGraph?, for input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let image = try rendering.open(input, environment)
    let copy = try copy(of: image, named: input, initialGraph, environment)
    copy.from?.write(for: input, to: environment)
    let outline = try inImage(
      input, Renderer.outline(image, copy.graph, options: rendering.options(environment)))
    try PlanReport(input: input, outline: outline).write(to: environment)
  }

  private func writeRaster(
    _ path: String, of input: String, _ image: ImageSource, _ graph: FilterGraph,
    _ options: RenderOptions
  ) throws(CommandFailure) {
    guard path.hasSuffix(".pfm") || path.hasSuffix(".png") else {
      throw .usage("--raster \(path): file name must end in .pfm or .png")
    }
    try Publishing.write(to: path, replacesFiles: output.replacesFiles, notOver: input) {
      staged throws(CommandFailure) in
      let file = RasterFile(staged, isFloatMap: path.hasSuffix(".pfm"))
      try inImage(
        input,
        Renderer.raster(image, graph, options: options) { size, planes throws(RenderError) in
          try file.begin(size, planes: planes)
        })
      try file.finish()
    }
  }
}

/// The plan of a rendering, for display and for scripts.
struct PlanReport {
  var input: String
  var outline: RenderPlanSummary

  func write(to environment: CommandEnvironment) throws(CommandFailure) {
    if environment.wantsJSON { return try environment.write(json) }
    lines.print(in: environment)
  }

  private var lines: LabelledLines {
    var lines = LabelledLines()
    lines.add("input", "\(input), \(outline.sourceSize) stored")
    lines.add("output", "\(outline.outputSize)")
    lines.add("method", "\(outline.method.rawValue): \(outline.reason)")
    guard outline.method != .coefficients else { return lines }
    lines.add(
      "decoding",
      "\(counted(outline.decodedChannels, "channel")), "
        + counted(outline.decodingThreads, "thread"))
    for (index, pass) in outline.passes.enumerated() {
      lines.add("pass \(index + 1)", Self.text(pass))
      lines.add("  steps", pass.steps.isEmpty ? "none" : pass.steps.joined(separator: ", "))
      lines.add(
        "  strips",
        "\(counted(pass.stripHeight, "row")) and a halo of \(pass.haloRows), "
          + "\(pass.bytesPerStrip) bytes")
    }
    lines.add("threads", "\(outline.threads)")
    lines.add(
      "memory",
      "at most \(outline.memory.total) bytes: \(outline.memory.decoder) for decoding, "
        + "\(outline.memory.strips) for strips, \(outline.memory.result) for the result")
    return lines
  }

  private static func text(_ pass: RenderPlanSummary.Pass) -> String {
    let sizes =
      pass.inputSize == pass.outputSize
      ? "\(pass.outputSize)" : "\(pass.inputSize) to \(pass.outputSize)"
    return sizes + ", " + (pass.floatReason.map { "floats: \($0)" } ?? "bytes")
  }

  private var json: [String: JSONValue] {
    [
      "input": .string(input), "path": .string(outline.method.path.rawValue),
      "method": .string(outline.method.rawValue), "reason": .string(outline.reason),
      "storedWidth": .whole(outline.sourceSize.width),
      "storedHeight": .whole(outline.sourceSize.height),
      "width": .whole(outline.outputSize.width), "height": .whole(outline.outputSize.height),
      "decoding": [
        "channels": .whole(outline.decodedChannels), "threads": .whole(outline.decodingThreads),
        "parallel": .bool(outline.decodingThreads > 1),
      ],
      "passes": .array(outline.passes.map(Self.json)), "threads": .whole(outline.threads),
      "peakStripBytes": .whole(outline.peakStripBytes),
      "memory": [
        "decoder": .whole(outline.memory.decoder), "strips": .whole(outline.memory.strips),
        "result": .whole(outline.memory.result), "assets": .whole(outline.memory.assets),
        "total": .whole(outline.memory.total),
      ],
    ]
  }

  private static func json(_ pass: RenderPlanSummary.Pass) -> JSONValue {
    [
      "steps": .texts(pass.steps), "floatReason": .text(pass.floatReason),
      "inputWidth": .whole(pass.inputSize.width), "inputHeight": .whole(pass.inputSize.height),
      "width": .whole(pass.outputSize.width), "height": .whole(pass.outputSize.height),
      "haloRows": .whole(pass.haloRows), "stripHeight": .whole(pass.stripHeight),
      "bytesPerStrip": .whole(pass.bytesPerStrip),
    ]
  }
}
