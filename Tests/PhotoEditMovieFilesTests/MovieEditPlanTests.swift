// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditMovieFiles
import Testing

@Suite("Filter graphs of videos")
struct MovieEditPlanTests {
  @Test func `edits without re-encoding keep their order`() throws {
    let graph = try FilterGraph([
      Trim(start: 1, end: 3), Rotate90(turns: 1), Flip(.vertical), Volume(0.5), Mute(),
      CreationDate(date: [2024, 5, 31], time: [12, 34, 56], utcOffset: 120),
      Location(latitude: 48.5, longitude: 2.25), RemoveLocation(),
    ])
    let plan = try MovieEditPlan(graph)
    #expect(plan.frames == nil && plan.firstFrameNode == nil)
    let coordinate = try #require(MovieLocation(latitude: 48.5, longitude: 2.25))
    #expect(
      plan.edits == [
        .trim(start: 1, end: 3), .rotate90(turns: 1), .flip(.vertical), .volume(0.5), .mute,
        .creationDate(MovieDate(seconds: 1_717_151_696, utcOffset: 7200)), .location(coordinate),
        .location(nil),
      ])
  }

  @Test func `pixel filters require rendering, which includes rotations`() throws {
    let graph = try FilterGraph([
      Trim(start: 1), Rotate90(turns: 1), Volume(1), Sepia(), Mute(),
    ])
    let plan = try MovieEditPlan(graph)
    #expect(plan.firstFrameNode == "node 'n4' (sepia)")
    #expect(plan.edits == [.trim(start: 1), .volume(1), .mute])
    #expect(plan.frames?.nodes.map(\.filter) == ["rotate90", "sepia"])
  }

  @Test func `a disabled node requires nothing`() throws {
    var graph = try FilterGraph([Sepia(), Mute()])
    try graph.setEnabled(false, node: "sepia")
    #expect(try MovieEditPlan(graph).edits == [.mute])
    #expect(try MovieEditPlan(FilterGraph()).edits.isEmpty)
  }

  @Test func `a video cannot be muted partially`() throws {
    var graph = FilterGraph()
    try graph.append(Mute(), opacity: 0.5)
    #expect(throws: UnsupportedNode.self) { try MovieEditPlan(graph) }
  }

  @Test func `video edits are found by name, stored, and rejected outside their ranges`() throws {
    for type in FilterCatalog.movieOperations {
      #expect(try FilterCatalog.filter(named: type.description.name) == type)
      #expect(FilterCatalog.group(of: type) == FilterCatalog.movieGroupName)
      #expect(!FilterCatalog.all.contains { $0 == type })
    }
    let graph = try FilterGraph([
      try FilterCatalog.filter(argument: "trim:start=1,end=3"),
      try FilterCatalog.filter(argument: "volume"),
      try FilterCatalog.filter(argument: "creationDate:date=2024:2:29,time=1:2:3"),
      try FilterCatalog.filter(argument: "location:latitude=-1.5,longitude=3,altitude=10"),
    ])
    #expect(try FilterGraph(json: graph.canonicalBytes()) == graph)
    for wrong in [
      "trim", "trim:start=3,end=1", "trim:start=-1", "volume:1.5", "creationDate",
      "location:latitude=91",
      "creationDate:date=2023:2:29", "creationDate:date=1903:1:1", "creationDate:time=24:0:0",
    ] {
      #expect(throws: ParameterError.self, "\(wrong)") {
        try FilterCatalog.filter(argument: wrong)
      }
    }
  }
}
