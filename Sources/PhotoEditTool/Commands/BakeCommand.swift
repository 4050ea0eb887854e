// SPDX-License-Identifier: Apache-2.0

/// A command that writes the color changes of an edit as a `.cube` file for other programs.
struct BakeCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "bake", "Export an edit as a .cube LUT.",
    discussion: """
      A .cube file maps colors only. An edit with crops, blurs, vignettes, masks or other filters \
      that depend on the position or the neighborhood of a pixel is rejected, and the error lists \
      these filters. Values below 0 and above 1 are preserved. Colors between LUT entries are \
      approximated.
      """,
    examples: [
      CommandExample("bake --graph look.json -o look.cube", "33 entries per axis"),
      CommandExample(
        "bake --filter sepia --size 17 --title Sepia -o sepia.cube", "a small LUT with a title"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .group(\.graph, GraphArguments.arguments),
      .option(
        "size", \.size, in: CubeFile.allowedCubeSize, value: "N",
        "LUT size per axis (default: 33)."),
      .option("title", \.title, value: "TEXT", "Title stored in the LUT."),
      .group(\.output, OutputArguments.arguments),
    ])

  var graph = GraphArguments()
  var size: Int?
  var title: String?
  var output = OutputArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    if graph.isEmpty {
      throw .usage("nothing to bake", hint: "specify filters with --graph or --filter")
    }
    try output.check(.cube)
    guard let outputPath = output.path(name: "look.cube") else {
      throw .usage("no output specified", hint: "use -o FILE")
    }
    if let title, title.contains(where: { $0 == "\"" || $0.isNewline }) {
      throw .usage("--title: must not contain quotation marks or line breaks")
    }
    var graph = graph
    try graph.readFiles()
    let filterGraph = try graph.applied(to: try graph.edit(environment) ?? FilterGraph())
    try output.createFolder()
    if outputPath != "-" { try Publishing.check(outputPath, replacesFiles: output.replacesFiles) }
    var options = RenderOptions()
    options.isCancelled = { environment.isCancelled }
    let files = graph.files
    options.assetFiles = { files[$0] }
    let cube = try translating(
      { (error: BakingError) -> CommandFailure in
        if case .size = error { .usage("\(error)") } else { CommandFailure(error) }
      },
      Renderer.cube(filterGraph, size: size ?? 33, options: options))
    let bytes = CubeFile(title: title, cube).bytes()
    if outputPath == "-" { return try environment.writeFile(bytes) }
    try Publishing.write(bytes, to: outputPath, replacesFiles: output.replacesFiles)
    if environment.wantsJSON {
      return try environment.write([
        "output": .string(outputPath), "size": .number(Double(cube.size)),
        "graph": .string(filterGraph.digest.description), "bytes": .number(Double(bytes.count)),
      ])
    }
    environment.note("\(outputPath): \(cube.size) × \(cube.size) × \(cube.size) entries")
  }
}
