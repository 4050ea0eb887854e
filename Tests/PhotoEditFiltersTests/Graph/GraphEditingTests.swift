// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import Testing

@Suite("Editing a filter graph")
struct GraphEditingTests {
  private static func graph(_ nodes: String, output: String = "") throws -> FilterGraph {
    try FilterGraph(
      json: FilterGraphTests.document(
        nodes, output.isEmpty ? "" : #","output":{"node":"\#(output)"}"#))
  }

  private static let chain = ["a", "b", "c"]
    .map { #"{"id":"\#($0)","filter":"gamma","params":{"power":2}}"# }.joined(separator: ",")

  private static func chain(_ graph: FilterGraph) -> [String] { graph.needed.map(\.id) }

  @Test func `nodes follow one another unless they name their input`() throws {
    #expect(Self.chain(try Self.graph(Self.chain)) == ["a", "b", "c"])
    #expect(Self.chain(try Self.graph(Self.chain, output: "b")) == ["a", "b"])
    let branch = Self.chain + #",{"id":"d","filter":"invert","in":["a"]}"#
    #expect(Self.chain(try Self.graph(branch)) == ["a", "d"])
    #expect(Self.chain(FilterGraph()) == [])
  }

  @Test func `a filter is appended after the output node`() throws {
    var graph = try Self.graph(Self.chain, output: "b")
    try graph.append(Invert(amount: 1))
    #expect(Self.chain(graph) == ["a", "b", "n4"])
    try graph.append(Invert(amount: 1))
    #expect(Self.chain(graph) == ["a", "b", "n4", "n5"])
    let read = try FilterGraph(json: graph.canonicalBytes())
    #expect(Self.chain(read) == ["a", "b", "n4", "n5"] && read == graph)
  }

  @Test func `a new node gets a free name`() throws {
    var graph = try Self.graph(#"{"id":"n2","filter":"gamma"},{"id":"n3","filter":"gamma"}"#)
    try graph.append(Invert(amount: 1))
    #expect(graph.nodes.map(\.id) == ["n2", "n3", "n4"])
    graph = try Self.graph(#"{"id":"n2","filter":"gamma"}"#)
    try graph.append(Invert(amount: 1))
    #expect(graph.nodes.map(\.id) == ["n2", "n3"])
  }

  @Test func `a filter with a value out of range cannot be added`() {
    #expect(throws: ParameterError.self) { try FilterGraph([Gamma(power: .nan)]) }
    #expect(throws: ParameterError.self) { try FilterGraph([Gamma(power: 0)]) }
    #expect(throws: ParameterError.self) { try FilterGraph([ColorMatrix([1, 2])]) }
  }

  @Test func `removing a node removes only its effect`() throws {
    var graph = try Self.graph(Self.chain)
    try graph.remove(node: "b")
    #expect(Self.chain(graph) == ["a", "c"])

    // b is not used; d follows c, which follows a.
    let side =
      Self.chain.replacing(#"{"id":"c","#, with: #"{"id":"c","in":["a"],"#)
      + #",{"id":"d","filter":"invert"}"#
    graph = try Self.graph(side)
    #expect(Self.chain(graph) == ["a", "c", "d"])
    try graph.remove(node: "c")
    #expect(Self.chain(graph) == ["a", "d"])

    graph = try Self.graph(Self.chain, output: "b")
    try graph.remove(node: "b")
    #expect(Self.chain(graph) == ["a"])
  }

  @Test func `a node used by another one cannot be removed or moved after it`() throws {
    var graph = try Self.graph(Self.chain + #",{"id":"d","filter":"invert","in":["a"]}"#)
    #expect(throws: GraphEditError.nodeInUse("a", by: "d")) { try graph.remove(node: "a") }
    let before = graph
    #expect(throws: GraphEditError.nodeInUse("a", by: "d")) { try graph.move(node: "a", to: 3) }
    #expect(graph == before)
    #expect(throws: GraphEditError.invalidPosition(4, count: 4)) {
      try graph.move(node: "a", to: 4)
    }
  }

  @Test func `a node moves to the requested position`() throws {
    var graph = try Self.graph(Self.chain)
    try graph.move(node: "a", to: 2)
    #expect(Self.chain(graph) == ["b", "c", "a"])
    try graph.move(node: "a", to: 0)
    #expect(Self.chain(graph) == ["a", "b", "c"])
  }

  @Test func `a parameter is set by node or by filter and validated`() throws {
    var graph = try Self.graph(#"{"id":"a","filter":"gamma"},{"id":"b","filter":"invert"}"#)
    try graph.set(node: "gamma", parameter: "power", argument: "3")
    try graph.set(node: "b", parameter: "opacity", argument: "0.5")
    #expect(try graph.nodes[0].resolved().values["power"] == .number(3))
    #expect(graph.nodes[1].opacity == 0.5)
    #expect(throws: GraphEditError.self) {
      try graph.set(node: "a", parameter: "power", argument: "11")
    }
    for bad in ["1.5", "-0.1", "nan", "half"] {
      #expect(throws: GraphEditError.self) {
        try graph.set(node: "a", parameter: "opacity", argument: bad)
      }
    }
    #expect(throws: GraphEditError.unknownNode("z", known: ["a (gamma)", "b (invert)"])) {
      try graph.set(node: "z", parameter: "power", argument: "1")
    }
    let before = try Self.graph(Self.chain)
    var twice = before
    #expect(throws: GraphEditError.self) {
      try twice.set(node: "gamma", parameter: "power", argument: "1")
    }
    #expect(twice == before)
  }

  @Test func `disabling and enabling restores the identity of the edit`() throws {
    var graph = try Self.graph(Self.chain)
    let digest = graph.digest
    try graph.setEnabled(false, node: "b")
    #expect(graph.digest != digest && !graph.isEmpty)
    try graph.setEnabled(true, node: "b")
    #expect(graph.digest == digest)
    for id in ["a", "b", "c"] { try graph.setEnabled(false, node: id) }
    #expect(graph.isEmpty)
  }

  @Test(arguments: [("#FFffFF", "#ffffff"), ("#012345", "#012345")])
  func `a background is parsed in either case`(text: String, written: String) {
    #expect(Background(text)?.description == written)
  }

  @Test(arguments: ["", "#fff", "ffffff", "#gggggg", "#ffffff0", "#١٢٣٤٥٦", "#+12345"])
  func `an invalid background is rejected`(text: String) { #expect(Background(text) == nil) }
}
