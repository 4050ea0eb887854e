// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Testing

@testable import PhotoEditFilters

@Suite("Stacking graphs and their attachments")
struct GraphStackingTests {
  private func graph(_ nodes: String, output: String? = nil) throws -> FilterGraph {
    let result = output.map { ",\"output\":{\"node\":\"\($0)\"}" } ?? ""
    let text = "{\"format\":\"org.photoedit.filter-graph\",\"version\":\"1.0\",\"nodes\":[\(nodes)]"
    return try FilterGraph(json: Array((text + result + "}").utf8))
  }

  private static func node(_ id: String, _ filter: String, _ more: String = "") -> String {
    "{\"id\":\"\(id)\",\"filter\":\"\(filter)\",\"v\":1,\"params\":{}\(more)}"
  }

  @Test func `conflicting names are replaced and references follow`() throws {
    var first = try graph(Self.node("n1", "invert") + "," + Self.node("a", "sepia"))
    let second = try graph(
      Self.node("a", "invert") + "," + Self.node("n1", "sepia", ",\"in\":[\"a\"]"))
    try first.append(second)
    #expect(Set(first.nodes.map(\.id)).count == 4)
    #expect(first.nodes[3].inputs == [first.nodes[2].id])
    #expect(first.blockingReasons.isEmpty)
  }

  @Test func `a preset continues from the output, not from the last node`() throws {
    var first = try graph(
      Self.node("a", "invert") + "," + Self.node("b", "sepia"), output: "a")
    try first.append(try graph(Self.node("c", "invert")))
    #expect(first.nodes[2].inputs == ["a"] && first.outputNode == "c")
    var plain = try graph(Self.node("a", "invert"))
    try plain.append(
      try graph(Self.node("x", "sepia") + "," + Self.node("y", "invert"), output: "x"))
    #expect(plain.outputNode == "x" && plain.nodes[1].inputs == nil)
  }

  @Test func `node options are copied`() throws {
    var first = FilterGraph()
    let preset = try graph(
      Self.node("a", "sepia", ",\"opacity\":0.5,\"enabled\":false,\"note\":\"mine\""))
    try first.append(preset)
    #expect(first.nodes[0].opacity == 0.5 && !first.nodes[0].isEnabled)
    #expect(first.nodes[0].unknown == ["note": .string("mine")])
  }

  @Test func `an unsupported graph is rejected and nothing changes`() throws {
    var first = try graph(Self.node("a", "invert"))
    let before = first
    let other = try graph(Self.node("b", "glow"))
    #expect(throws: GraphEditError.self) { try first.append(other) }
    let many = try FilterGraph(Array(repeating: Invert(amount: 1), count: 512))
    #expect(throws: GraphEditError.tooManyNodes(513)) { try first.append(many) }
    #expect(first == before)
  }

  @Test func `the same file is stored once, and name conflicts give new names`() throws {
    let (a, b) = (GraphAttachment([1], mediaType: "x"), GraphAttachment([2], mediaType: "x"))
    var graph = FilterGraph()
    #expect(try graph.addAsset(a, named: "my look") == "my-look")
    #expect(try graph.addAsset(a, named: "other") == "my-look")
    #expect(try graph.addAsset(b, named: "my look") == "my-look-2")
    #expect(try graph.addAsset(GraphAttachment([3], mediaType: "x"), named: "") == "asset")
    for number in 0..<61 {
      _ = try graph.addAsset(GraphAttachment([9, UInt8(number)], mediaType: "x"), named: "n")
    }
    #expect(throws: GraphEditError.tooManyAssets(65)) {
      try graph.addAsset(GraphAttachment([4], mediaType: "x"), named: "n")
    }
  }

  @Test func `attachments of two presets with the same name stay separate`() throws {
    var first = try FilterGraph([LUT3D(asset: "look")])
    first.assets["look"] = GraphAttachment([1], mediaType: "x")
    var second = try FilterGraph([LUT3D(asset: "look")])
    second.assets["look"] = GraphAttachment([2], mediaType: "x")
    try first.append(second)
    #expect(first.assets.count == 2)
    let names = first.nodes.compactMap { $0.content.parameters["asset"] }
    #expect(names == [.string("look"), .string("look-2")])
    #expect(first.assets["look-2"]?.digest == SHA256Digest(of: [2]))
  }

  @Test func `unused attachments are removed unless a node is unsupported`() throws {
    var graph = try FilterGraph([LUT3D(asset: "a")])
    graph.assets = [
      "a": GraphAttachment([1], mediaType: "x"), "b": GraphAttachment([2], mediaType: "x"),
    ]
    var external = graph
    graph.removeUnusedAssets()
    #expect(graph.assets.keys.sorted() == ["a"])
    external.nodes.append(FilterNode(id: "z", content: NodeContent("glow", 1, [:], of: nil)))
    external.removeUnusedAssets()
    #expect(external.assets.count == 2)
  }

  @Test func `files up to 48 KiB are in the graph, larger ones referenced by digest`() throws {
    let small = GraphAttachment([UInt8](repeating: 1, count: 48 << 10), mediaType: "x")
    let large = GraphAttachment([UInt8](repeating: 1, count: (48 << 10) + 1), mediaType: "x")
    #expect(small.data != nil && large.data == nil)
    var graph = FilterGraph()
    graph.assets = ["s": small, "l": large]
    #expect(graph.externalAssets == [large.digest: large])
    #expect(try FilterGraph(json: graph.canonicalBytes()) == graph)
  }
}
