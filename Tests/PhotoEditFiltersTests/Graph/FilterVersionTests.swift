// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditFilters

@Suite("Filter versions")
struct FilterVersionTests {
  /// A filter in three versions; the first one cannot be upgraded to the second.
  private struct First: Filter {
    static let schema: FilterSchema<Self> = FilterVersionTests.sample(1)
    var amount = 0.5
    init() {}
    func lowered(in context: LoweringContext) -> [FilterOperation] { [] }
  }

  private struct Second: Filter {
    static let schema: FilterSchema<Self> = FilterVersionTests.sample(2)
    static var previous: (any Filter.Type)? { First.self }
    var amount = 0.5
    init() {}
    func upgraded() -> (any Filter)? {
      var third = Third()
      third.amount = amount * 2
      return third
    }
    func lowered(in context: LoweringContext) -> [FilterOperation] { [] }
  }

  private struct Third: Filter {
    static let schema: FilterSchema<Self> = FilterVersionTests.sample(3)
    static var previous: (any Filter.Type)? { Second.self }
    var amount = 0.5
    init() {}
    func lowered(in context: LoweringContext) -> [FilterOperation] { [] }
  }

  static func sample<F: Filter>(_ version: Int) -> FilterSchema<F> {
    FilterSchema<F>(
      "sample", version: version, "A sample.", equivalents: "none", formula: "x", source: "none",
      dependency: .curve, tolerance: "E1", parameters: [])
  }

  @Test func `an old edit is rendered by the version that created it`() {
    #expect(Third.version(1) == First.self)
    #expect(Third.version(2) == Second.self)
    #expect(Third.version(3) == Third.self)
    #expect(Third.version(0) == nil && Third.version(4) == nil)
  }

  @Test func `upgrading to a newer version is explicit and converts the parameters`() {
    var second = Second()
    second.amount = 0.2
    #expect((second.upgradedToNewest() as? Third)?.amount == 0.4)
    #expect(First().upgradedToNewest() == nil && Third().upgradedToNewest() == nil)
  }

  @Test func `every filter of the catalog supports all of its versions`() {
    for type in FilterCatalog.all {
      let newest = type.description.version
      for version in 1...newest { #expect(type.version(version) != nil, "\(type)") }
    }
  }

  @Test func `upgrading the newest version changes nothing`() throws {
    var graph = try FilterGraph([Gamma(power: 2)])
    let before = graph
    #expect(try !graph.upgrade(node: "gamma"))
    #expect(graph == before)
  }
}
