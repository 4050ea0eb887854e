// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditRendering
import Testing

@Suite("Re-encoding notices")
struct CodingNoticeTests {
  @Test(
    arguments: [
      ("jpeg-progressive.jpg", "progressive"), ("jpeg-arithmetic.jpg", "arithmetic"),
      ("jpeg-444.jpg", nil), ("png-rgb-8.png", nil),
    ] as [(String, String?)],
    [["rotate90"], ["sepia"]])
  func `a change of the coding is a notice and not a loss on either render path`(
    entry: (file: String, word: String?), chain: [String]
  ) throws {
    let rendering = try Renderer.render(
      Charts.source(named: entry.file), FilterGraph(chain.map(Definition.make)))
    let reported = rendering.notices.filter { $0.contains("sequential") }
    #expect(reported.count == (entry.word == nil ? 0 : 1), "\(rendering.notices)")
    #expect(reported.allSatisfy { $0.contains(entry.word ?? "") })
    #expect(rendering.losses.isEmpty, "\(rendering.losses)")
  }
}
