// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Edits that are derived from the pixels of a photo.
  var automaticRoutes: [Route] {
    [
      Route(
        "POST", "/api/editing/{session}/auto",
        "Measure a graph's result and return the graph with the filters that improve it.",
        discussion: "The filters are those of `apply --auto`, with plain numbers; a second "
          + "measurement replaces those of the first.",
        fields: .graph,
        returns: .json([
          "graph": .graph, "unchanged": .list(of: ["kind": .text, "reason": .text]),
        ]), fails: .missing, .invalidGraph, .busy
      ) { request throws(Problem) in
        let edit = try self.edits[request["session"]]
        let (graph, adjustment) = try edit.adjusted(request.fields)
        return .json([
          "graph": graph.json,
          "unchanged": .array(
            adjustment.unchanged.map {
              ["kind": .string($0.kind.rawValue), "reason": .string($0.reason)]
            }),
        ])
      }
    ]
  }
}

extension HeldEdit {
  /// Measures a graph's result and returns the graph with the filters that improve it.
  func adjusted(
    _ graph: FilterGraph
  ) throws(Problem) -> (graph: FilterGraph, adjustment: AutomaticAdjustment) {
    let image = try image()
    let adjustment = try memory.holding(image.size, fitting: image.size) {
      () throws(RenderError) in
      try Renderer.automaticAdjustment(
        of: image, after: graph.beforeAutomaticNodes, options: options(of: editing))
    }
    var graph = graph
    try translating({ Problem($0 as GraphEditError) }, graph.apply(adjustment))
    return (graph, adjustment)
  }
}
