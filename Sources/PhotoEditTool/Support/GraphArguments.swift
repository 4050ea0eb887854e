// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import Storage

/// The recipe on the command line: a whole graph, filters to append, the colour behind alpha.
struct GraphArguments: Sendable {
  var filters: [String] = []
  var edit: String?
  var background: String?

  static let arguments: [Argument<Self>] = [
    .option(
      "filter", \.filters, value: "NAME[:KEY=VALUE,…]",
      "Appends a filter; 'photoedit filters' lists them."),
    .option("edit", \.edit, value: "FILE", "Takes a whole graph as JSON; '-' is stdin."),
    .option("background", \.background, value: "#RRGGBB", "The colour behind transparency."),
  ]

  var isEmpty: Bool { filters.isEmpty && edit == nil && background == nil }

  /// The graph of `--edit`, made for no particular picture.
  func edit(_ environment: CommandEnvironment) throws(CommandFailure) -> FilterGraph? {
    guard let edit else { return nil }
    let bytes: [UInt8]
    if edit == "-" {
      bytes = try environment.input.readAll(limit: FilterGraph.maximumBytes + 1)
    } else {
      let file = try filing { () throws(FileError) in
        try FileBytes.reading(edit, maximumBytes: 64 << 20)
      }
      bytes = file.array
    }
    var graph: FilterGraph
    do throws(GraphError) {
      graph = try FilterGraph(json: bytes)
    } catch {
      throw CommandFailure(.badData, "\(edit): \(error)", code: "graph")
    }
    // Whoever names a graph for a picture means it for this picture.
    graph.source = nil
    if let obstacle = graph.obstacles.first {
      throw CommandFailure(
        .badData, "\(edit): \(obstacle)", hint: "'photoedit filters' lists what there is",
        code: "graph")
    }
    return graph
  }

  /// The filters and the background added to a graph.
  func applied(to graph: FilterGraph) throws(CommandFailure) -> FilterGraph {
    var graph = graph
    for argument in filters {
      do throws(ParameterError) {
        try graph.append(try FilterCatalog.filter(argument: argument))
      } catch {
        throw .usage("--filter \(argument): \(error)")
      }
    }
    do throws(GraphEditError) {
      try graph.checkCount()
    } catch {
      throw CommandFailure(.badData, "\(error)", code: "graph")
    }
    if let background {
      guard let color = Background(background) else {
        throw .usage("--background: '\(background)' is no colour; write #rrggbb")
      }
      graph.background = color
    }
    return graph
  }
}
