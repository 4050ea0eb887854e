// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Testing

@testable import PhotoEditFilters

@Suite("Automatic nodes")
struct AutomaticNodeTests {
  private static func adjustment(_ filters: [any Filter]) -> AutomaticAdjustment {
    var adjustment = AutomaticAdjustment()
    adjustment.filters = filters
    return adjustment
  }

  private static func ids(_ graph: FilterGraph) -> [String] {
    graph.nodes.map { "\($0.id) \($0.filter)" + ($0.isAutomatic ? " auto" : "") }
  }

  @Test func `an adjustment replaces the nodes of an earlier one at their position`() throws {
    var graph = try FilterGraph([Crop(x: 0, y: 0, width: 0.5, height: 1)])
    try graph.apply(Self.adjustment([WhiteBalance(temperature: 5000), Exposure(ev: 0.3)]))
    try graph.append(Sepia())
    #expect(Self.ids(graph) == ["n1 crop", "n2 whiteBalance auto", "n3 exposure auto", "n4 sepia"])
    #expect(graph.beforeAutomaticNodes.nodes.map(\.filter) == ["crop"])
    let stored = try FilterGraph(json: graph.canonicalBytes())
    #expect(stored == graph && stored.nodes[1].isAutomatic && !stored.nodes[3].isAutomatic)
    // A changed value is still one of the adjustment.
    try graph.set(node: "exposure", parameter: "ev", argument: "0.4")
    try graph.apply(Self.adjustment([Vibrance(0.1)]))
    #expect(graph.nodes.map(\.filter) == ["crop", "vibrance", "sepia"])
    #expect(graph.nodes.map(\.isAutomatic) == [false, true, false])
    try graph.apply(Self.adjustment([]))
    #expect(graph.nodes.map(\.filter) == ["crop", "sepia"])
    #expect(graph.beforeAutomaticNodes == graph)
  }

  @Test func `an adjustment that cannot be replaced leaves the graph unchanged`() throws {
    var graph = FilterGraph()
    try graph.apply(Self.adjustment([Exposure(ev: 0.3)]))
    try graph.append(Sepia(), inputs: ["n1"])
    let before = graph
    #expect(throws: GraphEditError.nodeInUse("n1", by: "n2")) {
      try graph.apply(Self.adjustment([]))
    }
    #expect(graph == before)
  }

  @Test func `an illuminant has the temperature and the tint that it was created from`() {
    for temperature in stride(from: 2000.0, through: 24000, by: 1100) {
      for tint in [-120.0, -9.77, 0, 33, 120] {
        let found = Illuminant(temperature: temperature, tint: tint).temperatureAndTint
        #expect(abs(1e6 / found.temperature - 1e6 / temperature) < 1e-6)
        #expect(abs(found.tint - tint) < 1e-6)
      }
    }
    // The values of colour-science for D65.
    let white = SceneLight.daylight.temperatureAndTint
    #expect(abs(white.temperature - 6503.7) < 1 && abs(white.tint - 9.77) < 0.01)
  }

  @Test func `weights fall with the distance from the center and cover every position`() {
    let weights = ColorCells.weights(along: 101)
    #expect(weights.count == 101 && weights[50] == 255 && weights[0] == weights[100])
    #expect(abs(Double(weights[0]) - 255 * 0.3678) < 2)
    #expect(ColorCells.weights(along: 1) == [255])
  }
}
