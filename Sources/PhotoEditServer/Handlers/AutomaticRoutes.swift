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
        fields: AutomaticFields.all,
        returns: .json([
          "graph": .graph, "unchanged": .list(of: ["kind": .text, "reason": .text]),
        ]), fails: .missing, .invalidGraph, .busy
      ) { request throws(Problem) in
        let edit = try self.edits[request["session"]]
        let fields = try request.fields
        let (graph, adjustment) =
          fields.correctsLens
          ? try edit.adjusted(fields.graph, [.lens]) : try edit.adjusted(fields.graph)
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

private struct AutomaticFields: Sendable {
  var graph = FilterGraph()
  var correctsLens = false

  static let all = RouteFields(
    Self(), .member("graph", \.graph, .graph, isRequired: true),
    .member("lens", \.correctsLens, .flag, "Correct the lens, and nothing else."))
}

extension HeldEdit {
  /// Measures a graph's result and returns the graph with the filters that improve it.
  func adjusted(
    _ graph: FilterGraph, _ kinds: Set<AutomaticAdjustment.Kind> = [.whiteBalance, .light, .color]
  ) throws(Problem) -> (graph: FilterGraph, adjustment: AutomaticAdjustment) {
    let image = try image()
    var options = options(of: editing)
    options.isOnlyMeasured = true
    let adjustment = try memory.holding(image.size, fitting: image.size) {
      () throws(RenderError) in
      try Renderer.automaticAdjustment(
        of: image, after: graph.beforeAutomaticNodes, kinds: kinds, options: options)
    }
    var graph = graph
    try translating({ Problem($0 as GraphEditError) }, graph.apply(adjustment))
    return (graph, adjustment)
  }
}
