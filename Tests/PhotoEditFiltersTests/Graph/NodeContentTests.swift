// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditFilters

@Suite("Filters of nodes")
struct NodeContentTests {
  private static func node(_ text: String) throws -> FilterNode {
    try #require(FilterGraph(json: FilterGraphTests.document(text)).nodes.first)
  }

  @Test func `a node that is read and written holds its filter and no JSON`() throws {
    let types = FilterCatalog.all + FilterCatalog.movieOperations
    #expect(types.count > 80)
    for type in types {
      let filter = type.init()
      let written = NodeContent(filter)
      let read = NodeContent(
        written.name, written.version, written.parameters,
        of: FilterCatalog.type(named: written.name))
      #expect(read == written && read.unwritten == nil, "\(written.name)")
      #expect(written.parameters == filter.values.mapValues(\.json), "\(written.name)")
    }
  }

  @Test(arguments: [
    // Fewer parameters than are written.
    #"{"filter":"exposure","id":"a","params":{"ev":0.5},"v":1}"#,
    // More digits than are written.
    #"{"filter":"gamma","id":"a","params":{"power":2.00000000001},"v":1}"#,
    #"{"filter":"gamma","id":"a","params":{"power":99},"v":1}"#,
    #"{"filter":"gamma","id":"a","params":{"power":{"x":[1]}},"v":1}"#,
    #"{"filter":"gamma","id":"a","params":{"power":2},"v":7}"#,
    #"{"filter":"glow","id":"a","params":{"a":1,"b":null},"v":3}"#,
  ])
  func `parameters that would be written differently are kept`(text: String) throws {
    let node = try Self.node(text)
    #expect(node.content.unwritten != nil)
    #expect(String(decoding: try node.json.canonicalBytes(), as: UTF8.self) == text)
  }

  @Test func `a kept parameter takes part in rendering with all its digits`() throws {
    let node = try Self.node(#"{"filter":"gamma","params":{"power":2.00000000001}}"#)
    #expect(try node.resolved() as? Gamma == Gamma(power: 2.00000000001))
    #expect(try node.content.withDefaults.filter.get() as? Gamma == Gamma(power: 2))
    #expect(node.content != NodeContent(Gamma(power: 2)))
  }

  @Test func `an appended filter is the one that the stored graph contains`() throws {
    let graph = try FilterGraph([Brightness(0.1 + 0.2)])
    #expect(try graph.nodes[0].resolved() as? Brightness == Brightness(0.3))
  }
}
