// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditTestSupport
import Testing

@Suite("Differences between graphs", .seeded)
struct FilterGraphChangeTests {
  private static func chain() throws -> FilterGraph {
    try FilterGraph([Exposure(ev: 0.2), Grayscale(.luma601), Sepia()])
  }

  private static func texts(_ after: FilterGraph, from before: FilterGraph) -> [String] {
    after.changes(from: before).map(\.description)
  }

  @Test func `equal graphs have no differences`() throws {
    let graph = try Self.chain()
    #expect(graph.changes(from: graph).isEmpty)
    #expect(FilterGraph().changes(from: FilterGraph()).isEmpty)
  }

  @Test func `a changed parameter has its node and both values`() throws {
    let before = try Self.chain()
    var after = before
    try after.set(node: "exposure", parameter: "ev", argument: "0.3")
    let change = try #require(after.changes(from: before).first)
    #expect(after.changes(from: before).count == 1)
    #expect(change.kind == .set && change.node == "n1" && change.filter == "exposure")
    #expect(change.parameter == "ev")
    #expect(change.from == .number(0.2) && change.to == .number(0.3))
    #expect("\(change)" == "exposure.ev 0.2 → 0.3")
  }

  @Test func `added and removed nodes have their parameters`() throws {
    let before = try Self.chain()
    var after = before
    try after.remove(node: "sepia")
    try after.append(Exposure(ev: -1), id: "dark")
    let changes = after.changes(from: before)
    #expect(changes.map(\.kind) == [.removed, .added])
    #expect(changes[0].node == "n3" && changes[0].values["amount"] == .number(Sepia().amount))
    #expect(changes[1].values["ev"] == .number(-1))
    // The identifiers distinguish two nodes with the same filter.
    #expect(changes.map(\.description) == ["- sepia", "+ exposure (dark) ev=-1"])
  }

  @Test func `moves name only the nodes that changed their order`() throws {
    let before = try Self.chain()
    var after = before
    try after.move(node: "sepia", to: 0)
    #expect(Self.texts(after, from: before) == ["sepia moved from 2 to 0"])
  }

  @Test func `options of nodes and of the graph are compared`() throws {
    let before = try Self.chain()
    var after = before
    try after.setEnabled(false, node: "sepia")
    try after.set(node: "exposure", parameter: "opacity", argument: "0.5")
    after.background = try #require(Background("#102030"))
    #expect(
      Self.texts(after, from: before)
        == ["exposure.opacity 1 → 0.5", "sepia disabled", "background #ffffff → #102030"])
    #expect(Self.texts(before, from: after).contains("sepia enabled"))
  }

  @Test func `a node with the same identifier and another filter is another node`() throws {
    let before = try FilterGraph([Sepia()])
    let after = try FilterGraph([Exposure(ev: 1)])
    #expect(Self.texts(after, from: before) == ["- sepia", "+ exposure ev=1"])
  }

  @Test func `applying the differences of random graphs gives their lists of nodes`() throws {
    var numbers = SeededNumbers()
    for _ in 0..<200 {
      let names = (0..<6).map { "a\($0)" }
      func graph() throws -> FilterGraph {
        var graph = FilterGraph()
        for name in names.shuffled(using: &numbers).prefix(Int.random(in: 0...6, using: &numbers)) {
          try graph.append(Exposure(ev: Double(Int.random(in: 0...2, using: &numbers))), id: name)
        }
        return graph
      }
      let (before, after) = (try graph(), try graph())
      let changes = after.changes(from: before)
      let removed = Set(changes.filter { $0.kind == .removed }.compactMap(\.node))
      let added = Set(changes.filter { $0.kind == .added }.compactMap(\.node))
      let moved = Set(changes.filter { $0.kind == .moved }.compactMap(\.node))
      // What was neither removed, added nor moved has the same order in both.
      let old = before.nodes.map(\.id).filter { !removed.contains($0) && !moved.contains($0) }
      let new = after.nodes.map(\.id).filter { !added.contains($0) && !moved.contains($0) }
      #expect(old == new)
      #expect(
        Set(before.nodes.map(\.id)).subtracting(removed).union(added) == Set(after.nodes.map(\.id)))
    }
  }
}
