// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import Testing

@Suite("Comparison with other programs")
struct RecordedOracleTests {
  @Test(arguments: RecordedCase.all)
  func `a filter matches the result of the other program`(_ recorded: RecordedCase) throws {
    for (name, result) in recorded.results {
      let own = try RenderedPlanes(RecordedCase.source(name), recorded.graph)
      let problem = recorded.problem(with: own, result)
      #expect(problem == nil, "\(recorded.testDescription) on \(name)")
    }
  }

  @Test(arguments: RecordedCase.all)
  func `a defect is detected`(_ recorded: RecordedCase) throws {
    let (name, result) = try #require(
      recorded.results.first { $0.image == recorded.image })
    let image = try RecordedCase.source(name)
    for defect in recorded.notices {
      let own = try defect.rendering(of: recorded, image)
      let problem = recorded.problem(with: own, result)
      #expect(problem != nil, "\(recorded.testDescription) does not detect '\(defect)' on \(name)")
    }
  }

  @Test func `every filter of the catalog has a recorded case`() {
    let recorded = Set(RecordedCase.all.map(\.filter))
    let missing = FilterCatalog.descriptions.map(\.name).filter { !recorded.contains($0) }
    #expect(missing.isEmpty, "run Tools/oracles/record; see Tools/oracles/table")
  }

  @Test func `every defect must be detected by some case`() {
    for defect in SeededDefect.allCases {
      #expect(RecordedCase.all.contains { $0.notices.contains(defect) }, "\(defect)")
    }
  }
}
