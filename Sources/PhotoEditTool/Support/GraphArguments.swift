// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditRendering
import PhotoEditStorage

/// The graph given on the command line: a whole graph, presets and filters to append, and their
/// files.
struct GraphArguments: Sendable {
  var filters: [String] = []
  var presets: [String] = []
  var edit: String?
  /// A file that contains a third-party edit.
  var from: String?
  var acceptsApproximation = false
  var assets: [String] = []
  var background: String?
  /// The contents of attachments, for all inputs of a call.
  let files = AssetFiles()
  private var requests: [FilterRequest] = []
  private var stacked: [FilterGraph] = []
  private var foreign: ForeignRecipe?

  static let arguments: [Argument<Self>] = [
    .option(
      "filter", \.filters, value: "NAME[:KEY=VALUE,…]",
      "Append a filter (see 'photoedit filters')."),
    .option(
      "preset", \.presets, value: "FILE",
      "Append the filters of a preset, before any --filter."),
    .option(
      "edit", \.edit, value: "FILE",
      "Read a complete filter graph as JSON (- for standard input)."),
    .option(
      "asset", \.assets, value: "FILE",
      "File referenced by the edit, if not next to it."),
    .option(
      "background", \.background, value: "#RRGGBB", "Background color for transparent pixels."),
  ]

  /// The same arguments for images, on whose size and orientation a third-party edit depends.
  static let argumentsForPictures: [Argument<Self>] =
    arguments + [
      .option(
        "from", \.from, value: "FILE",
        "Import settings from a Lightroom XMP or an Apple AAE file."
      ),
      .flag(
        "approximate", \.acceptsApproximation,
        "Apply imported settings that can only be approximated."),
    ]

  var isEmpty: Bool {
    filters.isEmpty && presets.isEmpty && edit == nil && from == nil && background == nil
  }

  /// Reads every file that filters and presets name, once for all inputs.
  mutating func readFiles() throws(CommandFailure) {
    if let from {
      let recipe = try ForeignRecipe(from)
      guard acceptsApproximation else { throw recipe.refusal }
      foreign = recipe
    } else if acceptsApproximation {
      throw .usage("--approximate requires --from", hint: "add --from FILE")
    }
    for path in assets { files.add(try FilterRequest.read(path)) }
    for path in presets {
      let file = try filing(FileBytes.reading(path, maximumBytes: 64 << 20))
      stacked.append(try graph(file.array, named: path))
    }
    for argument in filters { requests.append(try FilterRequest(argument, files)) }
  }

  /// Returns the graph of `--edit`, without the source image recorded in it.
  func edit(_ environment: CommandEnvironment) throws(CommandFailure) -> FilterGraph? {
    guard let edit else { return nil }
    if edit == "-" {
      return try graph(
        try environment.input.readAll(limit: FilterGraph.maximumBytes + 1), named: edit)
    }
    let file = try filing(FileBytes.reading(edit, maximumBytes: 64 << 20))
    return try graph(file.array, named: edit)
  }

  /// Reads a stored edit and finds the attachments that it needs.
  private func graph(_ bytes: [UInt8], named path: String) throws(CommandFailure) -> FilterGraph {
    var graph: FilterGraph
    do throws(GraphError) {
      graph = try FilterGraph(json: bytes)
    } catch {
      throw CommandFailure(.badData, "\(path): \(error)", code: "graph")
    }
    // The graph was given for the current input, so its recorded source is ignored.
    graph.source = nil
    graph.writeDefaults()
    if let obstacle = graph.obstacles.first {
      throw CommandFailure(
        .badData, "\(path): \(obstacle)", hint: "list available filters with 'photoedit filters'",
        code: "graph")
    }
    findAssets(of: graph, in: path == "-" ? "." : FileSystem.folder(of: path))
    var options = RenderOptions()
    let files = files
    options.assetFiles = { files[$0] }
    do throws(GraphObstacle) {
      _ = try AssetReader(graph, options).contents()
    } catch {
      throw CommandFailure(
        .badData, "\(path): \(error)",
        hint: "specify the file with --asset FILE, or put it next to the edit", code: "asset")
    }
    return graph
  }

  /// Finds attachments by their length and digest.
  private func findAssets(of graph: FilterGraph, in folder: String) {
    let wanted = graph.externalAssets.filter { files[$0.key] == nil }
    guard !wanted.isEmpty else { return }
    let lengths = Set(wanted.values.map(\.byteCount))
    for name in (try? FileSystem.names(in: folder)) ?? [] {
      let path = folder + "/" + name
      guard let length = FileVersion(path)?.size, lengths.contains(length),
        let bytes = try? FileBytes.reading(path, maximumBytes: length)
      else { continue }
      if wanted[bytes.digest()] != nil { files.add(bytes.array) }
    }
  }

  /// Returns a graph with the third-party edit added, and a report on its settings.
  ///
  /// - Parameters:
  ///   - picture: The image that the graph is applied to.
  ///   - input: The name of the input.
  ///   - original: The input, if the image is another program's rendering of it.
  ///   - kept: Attachments that the graph needs in addition to those of this call.
  func translated(
    onto graph: FilterGraph, for picture: Picture, named input: String, original: Picture? = nil,
    kept: @escaping @Sendable (Digest) -> [UInt8]? = { _ in nil }
  ) throws(CommandFailure) -> (graph: FilterGraph, from: ForeignTranslation?) {
    guard let foreign else { return (graph, nil) }
    var graph = graph
    let files = files
    var options = RenderOptions()
    options.assetFiles = { kept($0) ?? files[$0] }
    let translation = try foreign.translation(
      for: picture, of: original ?? picture, behind: graph, named: input, options)
    do throws(GraphEditError) {
      try graph.append(translation.graph)
    } catch {
      throw CommandFailure(.badData, "\(foreign.path): \(error)", code: "graph")
    }
    return (graph, translation)
  }

  /// Returns a graph with the presets, the filters, and the background added.
  func applied(to graph: FilterGraph) throws(CommandFailure) -> FilterGraph {
    var graph = graph
    for (path, preset) in zip(presets, stacked) {
      do throws(GraphEditError) {
        try graph.append(preset)
      } catch {
        throw CommandFailure(.badData, "\(path): \(error)", code: "graph")
      }
    }
    for request in requests { try request.append(to: &graph) }
    do throws(GraphEditError) {
      try graph.checkCount()
    } catch {
      throw CommandFailure(.badData, "\(error)", code: "graph")
    }
    if let background {
      guard let color = Background(background) else {
        throw .usage("--background: invalid color '\(background)' (expected #rrggbb)")
      }
      graph.background = color
    }
    return graph
  }
}
