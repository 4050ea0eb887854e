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
    "render", "Renders a picture with a graph; remembers nothing.",
    discussion: """
      The same picture and the same graph give the same bytes. --raster also writes what the \
      encoder was given: FILE.pfm as floats (rows from the bottom, not cut), FILE.png as 16 bits. \
      --plan says what would run and renders nothing.
      """,
    examples: [
      CommandExample("render photo.jpg --edit look.json -o out.jpg", "applies a stored graph"),
      CommandExample("render photo.jpg --filter sepia --raster out.pfm", "floats, no JPEG"),
      CommandExample("render photo.jpg --edit look.json --plan", "what would run, and why"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("INPUT", \.input, "The picture; '-' is stdin."),
      .group(\.graph, GraphArguments.argumentsForPictures),
      .group(\.output, OutputArguments.arguments),
      .option("raster", \.raster, value: "FILE", "Writes FILE.pfm or FILE.png before encoding."),
      .flag("plan", \.printsPlan, "Prints what would run; renders and writes nothing."),
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
      throw .usage("--plan writes no file", hint: "leave out -o and --raster")
    }
    guard printsPlan || hasPlace else {
      throw .usage("no place for the result", hint: "give -o FILE, --raster FILE or --plan")
    }
    if input == "-" && graph.edit == "-" {
      throw .usage("stdin cannot be both the picture and the graph")
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
        throw CommandFailure.usage("-o and --raster name the same file, \(place)")
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
      throw .usage("--raster \(path): the name must end in .pfm or .png")
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
