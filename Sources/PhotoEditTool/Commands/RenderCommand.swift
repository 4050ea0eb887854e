// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// A command that renders an image with a graph: a pure function, without a sidecar or a date.
struct RenderCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "render", "Render an image once, without saving an edit.",
    discussion: """
      The same image and graph always produce the same bytes. --raster also writes the input of \
      the encoder: FILE.pfm as floats (bottom row first, not clipped) or FILE.png as 16-bit \
      samples. --plan prints what would run and renders nothing.
      """,
    examples: [
      CommandExample("render photo.jpg --edit look.json -o out.jpg", "apply a saved filter graph"),
      CommandExample(
        "render photo.jpg --filter sepia --raster out.pfm",
        "write unencoded float samples, no JPEG"),
      CommandExample("render photo.jpg --edit look.json --plan", "print the render plan"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("INPUT", \.input, "Image, or - for standard input."),
      .group(\.graph, GraphArguments.argumentsForPictures),
      .group(\.output, OutputArguments.arguments),
      .option(
        "raster", \.raster, value: "FILE",
        "Also write the unencoded pixels as .pfm (float) or .png (16-bit)."),
      .flag("plan", \.printsPlan, "Print the render plan and exit."),
      .group(\.rendering, RenderingArguments.arguments),
    ])

  var input = ""
  var graph = GraphArguments()
  var output = OutputArguments()
  var raster: String?
  var printsPlan = false
  var rendering = RenderingArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try output.check(.photo)
    let hasPlace = output.output != nil || raster != nil
    if printsPlan && hasPlace {
      throw .usage("--plan does not write files", hint: "omit -o and --raster")
    }
    guard printsPlan || hasPlace else {
      throw .usage("no output specified", hint: "use -o FILE, --raster FILE or --plan")
    }
    if input == "-" && graph.edit == "-" {
      throw .usage("standard input cannot be used for both the image and the graph")
    }
    var command = self
    command.rendering.assets = graph.files
    try command.graph.readFiles()
    try command.render(environment)
  }

  private func render(_ environment: CommandEnvironment) throws(CommandFailure) {
    try Batch.run([input], environment) { input throws(CommandFailure) in
      let clock = Stopwatch()
      let given = try graph.edit(environment) ?? FilterGraph()
      // Errors in the arguments are reported before the image is read.
      _ = try graph.applied(to: given)
      if printsPlan { return try printPlan(of: given, for: input, environment) }
      let place = output.path(name: "rendering.jpg")
      if let place, let raster, place == raster {
        throw CommandFailure.usage("-o and --raster specify the same file, \(place)")
      }
      for path in [place, raster].compactMap({ $0 }) where path != "-" {
        try Publishing.check(path, replacesFiles: output.replacesFiles, notOver: input)
      }
      let picture = try rendering.open(input, environment)
      let (start, from) = try graph.translated(onto: given, for: picture, named: input)
      let recipe = try graph.applied(to: start)
      var options = rendering.options(environment)
      options.threads = rendering.threads(for: picture, recipe)
      if let raster { try writeRaster(raster, picture, recipe, options) }
      guard let place else { return }
      let result = try inPicture(input, Renderer.render(picture, recipe, options: options))
      try environment.checkCancellation()
      if place == "-" { return try environment.writeFile(result.jpeg) }
      try Publishing.write(
        result.jpeg, to: place, replacesFiles: output.replacesFiles, notOver: input)
      try EditReport(
        input: input, output: place, sidecar: nil, base: "original", isResumed: false,
        formatIdentifier: nil, graph: recipe, rendering: .still(result),
        milliseconds: clock.milliseconds, from: from
      ).write(to: environment)
    }
  }

  private func printPlan(
    of given: FilterGraph, for input: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let picture = try rendering.open(input, environment)
    let (start, from) = try graph.translated(onto: given, for: picture, named: input)
    let graph = try graph.applied(to: start)
    from?.write(for: input, to: environment)
    let outline = try inPicture(
      input, Renderer.outline(picture, graph, options: rendering.options(environment)))
    try PlanReport(input: input, outline: outline).write(to: environment)
  }

  private func writeRaster(
    _ path: String, _ picture: Picture, _ graph: FilterGraph, _ options: RenderOptions
  ) throws(CommandFailure) {
    guard path.hasSuffix(".pfm") || path.hasSuffix(".png") else {
      throw .usage("--raster \(path): file name must end in .pfm or .png")
    }
    try Publishing.write(to: path, replacesFiles: output.replacesFiles, notOver: input) {
      staged throws(CommandFailure) in
      let file = try filing(RasterFile(creating: staged, isFloatMap: path.hasSuffix(".pfm")))
      try inPicture(input) { () throws(RenderError) in
        try Renderer.raster(picture, graph, options: options) { size, planes throws(RenderError) in
          try file.begin(size, planes: planes)
        }
      }
      try file.finish()
    }
  }
}
