// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditRendering
import PhotoEditStorage

/// A command that writes the color changes of an edit as a `.cube` file for other programs.
struct BakeCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "bake", "Writes an edit as a .cube file for other programs.",
    discussion: """
      A .cube holds what becomes of each colour, so the edit must not need more than the colour of \
      a pixel: crops, blurs, vignettes, masks and the like are refused, and all of them are named. \
      Values below 0 and above 1 are kept. Between its entries a .cube is an approximation.
      """,
    examples: [
      CommandExample("bake --edit look.json -o look.cube", "a cube of 33 entries a side"),
      CommandExample(
        "bake --filter sepia --size 17 --title Sepia -o sepia.cube", "a small one with a title"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .group(\.graph, GraphArguments.arguments),
      .option(
        "size", \.size, in: CubeFile.allowedCubeSize, value: "N",
        "Entries along a side; 33 by default."),
      .option("title", \.title, value: "TEXT", "What the file calls itself."),
      .group(\.output, OutputArguments.arguments),
    ])

  var graph = GraphArguments()
  var size: Int?
  var title: String?
  var output = OutputArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    if graph.isEmpty {
      throw .usage("nothing to bake", hint: "say what with --edit or --filter")
    }
    try output.check(.cube)
    guard let place = output.path(name: "look.cube") else {
      throw .usage("no place for the result", hint: "give -o FILE")
    }
    if let title, title.contains(where: { $0 == "\"" || $0.isNewline }) {
      throw .usage("--title: a title has no quotes and no line breaks")
    }
    var graph = graph
    try graph.readFiles()
    let recipe = try graph.applied(to: try graph.edit(environment) ?? FilterGraph())
    if place != "-" { try Publishing.check(place, replacesFiles: output.replacesFiles) }
    let cube: LookupCube
    do throws(BakingError) {
      var options = RenderOptions()
      options.isCancelled = { environment.isCancelled }
      let files = graph.files
      options.assetFiles = { files[$0] }
      cube = try Renderer.cube(recipe, size: size ?? 33, options: options)
    } catch {
      throw CommandFailure(error)
    }
    let bytes = CubeFile(title: title, cube).bytes()
    if place == "-" { return try environment.writeFile(bytes) }
    try Publishing.write(bytes, to: place, replacesFiles: output.replacesFiles)
    if environment.wantsJSON {
      return try environment.write([
        "output": .string(place), "size": .number(Double(cube.size)),
        "graph": .string(recipe.digest.description), "bytes": .number(Double(bytes.count)),
      ])
    }
    environment.note("\(place): \(cube.size) × \(cube.size) × \(cube.size) entries")
  }
}

extension CommandFailure {
  fileprivate init(_ error: BakingError) {
    switch error {
    case .render(.cancelled): self = .cancelled(.interrupted)
    case .notPointwise:
      self.init(
        .badData, "\(error)", hint: "take these out, or switch them off, and bake the rest",
        code: "notPointwise")
    case .graph, .table, .render: self.init(.badData, "\(error)", code: "graph")
    case .size: self = .usage("\(error)")
    }
  }
}
