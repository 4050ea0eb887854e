// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import Testing

@Suite("Filters with a new definition")
struct RedefinedFilterTests {
  private static func node(_ filter: String, _ parameters: String) throws -> FilterGraph {
    try FilterGraph(
      json: FilterGraphTests.document(
        #"{"filter":"\#(filter)","id":"a","params":{\#(parameters)},"v":1}"#))
  }

  @Test(arguments: [
    ("exposure", #""black":0.01,"ev":1.25"#, #""black":0.01,"ev":1.25,"rolloff":0"#),
    (
      "shadowsHighlights", #""epsilon":0.01,"highlights":-0.5,"radius":0.015,"shadows":0.2"#,
      #""epsilon":0.01,"highlights":-0.5,"radius":0.015,"shadows":0.2"#
    ),
    (
      "clarity", #""amount":-0.3,"epsilon":0.01,"radius":0.015"#,
      #""amount":-0.6,"epsilon":0.01,"radius":0.015"#
    ),
    (
      "clahe", #""clipLimit":2,"tilesX":8,"tilesY":8"#,
      #""amount":0.5,"clipLimit":2,"tilesX":8,"tilesY":8"#
    ),
    ("vibrance", #""amount":-0.7"#, #""amount":-0.7"#),
    (
      "whiteBalance",
      #""targetTemperature":6500,"targetTint":0,"temperature":5000,"tint":3"#,
      #""targetTemperature":6500,"targetTint":0,"temperature":5000,"tint":3"#
    ),
    (
      "denoiseNLM", #""h":0.1,"patch":5,"search":11,"sigma":0.02"#,
      #""amount":0.6,"chroma":1.5,"h":0.1,"kernel":"gaussian","patch":5,"search":11,"sigma":0.02"#
    ),
    (
      "denoiseWavelet", #""levels":0,"sigma":0,"strength":1.5"#,
      #""levels":0,"sigma":0,"strength":1.5"#
    ),
    ("look.noir", #""amount":0.5"#, #""amount":0.5"#),
    ("look.chrome", #""amount":0.5"#, #""amount":0.5"#),
    (
      "vignette",
      #""amount":-0.5,"angle":36,"center":[0.5,0.5],"feather":0.5,"light":"encoded","model":"cos4","#
        + #""radius":0.5,"roundness":1"#,
      #""amount":-0.5,"angle":36,"center":[0.5,0.5],"feather":0.5,"light":"encoded","model":"cos4","#
        + #""radius":0.5,"roundness":1"#
    ),
  ])
  func `a stored edit keeps its version until it is upgraded`(
    filter: String, parameters: String, upgraded: String
  ) throws {
    var graph = try Self.node(filter, parameters)
    let stored = graph.canonicalBytes()
    graph.writeDefaults()
    #expect(graph.canonicalBytes() == stored && graph.blockingReasons.isEmpty)
    #expect(try graph.upgrade(node: "a"))
    let newest = String(decoding: graph.canonicalBytes(), as: UTF8.self)
    let version = ["clarity", "shadowsHighlights", "whiteBalance"].contains(filter) ? 3 : 2
    #expect(newest.contains(#""params":{\#(upgraded)},"v":\#(version)"#))
    #expect(try !graph.upgrade(node: "a"))
  }

  @Test func `the parameters of a later version are refused in an earlier one`() throws {
    let graph = try Self.node("exposure", #""ev":1,"rolloff":0.2"#)
    #expect("\(graph.blockingReasons[0])".contains("unknown parameter 'rolloff'"))
  }

  @Test(arguments: [
    ("", 0.5, 0), (":shadows=0.3", 0.3, 0), (":highlights=-0.4", 0, -0.4),
    (":highlights=-0.4,shadows=0.2", 0.2, -0.4), (":radius=0.02", 0.5, 0),
  ])
  func `an amount of shadows or highlights given alone leaves the other one neutral`(
    arguments: String, shadows: Double, highlights: Double
  ) throws {
    let filter = try #require(
      try FilterCatalog.filter(argument: "shadowsHighlights" + arguments) as? ShadowsHighlights)
    #expect(filter.shadows == shadows && filter.highlights == highlights)
  }

  @Test func `the command line compresses highlights, a graph clips them`() throws {
    #expect(
      try FilterCatalog.filter(argument: "exposure:ev=1") as? Exposure
        == Exposure(ev: 1, rolloff: 0.35))
    #expect(Exposure(ev: 1).rolloff == 0)
    #expect(throws: ParameterError.self) { try FilterCatalog.filter(argument: "exposure") }
  }
}
