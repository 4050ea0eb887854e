// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditRendering
import PhotoEditTestSupport
import Testing

@Suite("Filters of other packages")
struct OwnFilterTests {
  private let folder: PhotoFolder
  private let catalog: FilterCatalog

  init() throws {
    folder = try PhotoFolder("photo-64.jpg")
    catalog = try FilterCatalog(adding: [Glow.self])
  }

  private func glow(_ amount: Double) -> Glow {
    var glow = Glow()
    glow.amount = amount
    return glow
  }

  private func editor(_ catalog: FilterCatalog) -> PhotoEditor {
    var editor = PhotoEditor(folder.store)
    editor.catalog = catalog
    return editor
  }

  @Test func `an added filter is rendered, stored and continued`() async throws {
    let first = try await editor(catalog).apply([glow(0.5)])
    let dark = try Renderer.pixels(
      of: ImageSource(FileBytes(folder.original)), as: UInt8.self)
    let light = try Renderer.pixels(
      of: ImageSource(FileBytes(folder.bytes("photo.edited.jpg"))), as: UInt8.self)
    let gain = zip(light.samples, dark.samples).map { Int($0) - Int($1) }
    #expect(gain.reduce(0, +) > 10 * gain.count)
    #expect(first.graph.nodes.map(\.filter) == ["com.example.glow"])
    let stored = try #require(first.state.record).adjustment
    #expect(stored.formatIdentifier == FilterGraph.formatIdentifier)

    let second = try await editor(catalog).apply([Exposure(ev: 0.5)])
    #expect(second.kind == .resumed && second.blockingReasons.isEmpty)
    #expect(second.graph.nodes.map(\.filter) == ["com.example.glow", "exposure"])
    let resumed = try second.graph.nodes[0].resolved()
    #expect(resumed as? Glow == glow(0.5))
  }

  @Test func `without the filter in its catalog, an editor names it and keeps its data`()
    async throws
  {
    let applied = try await editor(catalog).apply([glow(0.5)])
    let data = try #require(applied.state.record).adjustment
    #expect(
      PhotoEditor.blockingReasons(of: data) == ["node 'n1': unknown filter 'com.example.glow'"])
    #expect(PhotoEditor.blockingReasons(of: data, catalog: catalog) == [])
    let graph = try FilterGraph(json: Array(data.data))
    #expect(graph.canonicalBytes() == Array(data.data))
    #expect(try FilterGraph(json: Array(data.data), catalog: catalog) == graph)

    // The edit begins from the rendering, like that over any other editor.
    let over = try await editor(.builtIn).apply([Sepia(amount: 0.5)])
    #expect(over.blockingReasons.first?.contains("'com.example.glow'") == true)
    #expect(over.version == .current)
    #expect(over.graph.nodes.map(\.filter) == ["sepia"])
  }

  /// It could be stored, but not continued by the same editor.
  @Test func `an editor refuses a filter that is not in its catalog`() async throws {
    let before = try folder.inventory()
    let error = await #expect(throws: EditingError.self) {
      try await editor(.builtIn).apply([glow(0.5)])
    }
    #expect(error?.code == .changeNotSupported)
    #expect(error?.message.contains("does not contain the filter 'com.example.glow'") == true)
    let session = try editor(.builtIn).begin()
    #expect(throws: EditingError.self) { try session.dryRun(FilterGraph([glow(0.1)])) }
    #expect(try folder.inventory() == before)
  }

  /// The store cannot make the rendering again, because it has no catalog.
  @Test(arguments: [1, 2]) func `undo and redo restore the bytes of a rendering`(
    count: Int
  ) async throws {
    var digests = [folder.digest.hex]
    for step in 1...count {
      try await editor(catalog).apply([glow(0.3 * Double(step))])
      digests.append(try folder.digest("photo.edited.jpg").hex)
    }
    try await editor(catalog).apply([Invert(amount: 1)])
    let last = try folder.digest("photo.edited.jpg").hex
    for step in (1...count).reversed() {
      let state = try await folder.store.undo()
      #expect(state.isEdited)
      #expect(try folder.digest("photo.edited.jpg").hex == digests[step])
    }
    #expect(try await !folder.store.undo().isEdited)
    for step in 1...count {
      _ = try await folder.store.redo()
      #expect(try folder.digest("photo.edited.jpg").hex == digests[step])
    }
    _ = try await folder.store.redo()
    #expect(try folder.digest("photo.edited.jpg").hex == last)
    // The graph is still that of the added filter.
    let record = try #require(try folder.store.state().record)
    #expect(PhotoEditor.blockingReasons(of: record, catalog: catalog) == [])
    #expect(try folder.litter() == [])
  }

  @Test func `an earlier version is rendered by its own type and upgraded on request`() throws {
    let json =
      #"{"format":"org.photoedit.filter-graph","version":"1.0","nodes":[{"filter":"com.example.glow","#
      + #""id":"a","v":1,"params":{"amount":0.5}}],"requires":["com.example.glow@1"]}"#
    var graph = try FilterGraph(json: Array(json.utf8), catalog: catalog)
    #expect(graph.blockingReasons.isEmpty)
    #expect(try graph.nodes[0].resolved() is FirstGlow)
    #expect(try graph.upgrade(node: "a"))
    #expect(try graph.nodes[0].resolved() as? Glow == glow(0.5))
    #expect(graph.nodes[0].version == 2)
    // A version of the future is not understood.
    let newer = json.replacing(#""v":1"#, with: #""v":3"#)
    let reasons = try FilterGraph(json: Array(newer.utf8), catalog: catalog).blockingReasons
    #expect(reasons.map(\.description).contains { $0.contains("version 3 is not supported") })
    #expect(
      try FilterGraph(json: Array(json.utf8)).blockingReasons.map(\.description)
        .contains { $0.contains("'com.example.glow'") })
  }

  @Test func `a filter of the catalog is found by name and in arguments`() throws {
    #expect(try catalog.filter(named: "com.example.glow") == Glow.self)
    #expect(try catalog.filter(named: "Sepia") == Sepia.self)
    let filter = try catalog.filter(argument: "com.example.glow:amount=0.25,mode=cold")
    var expected = glow(0.25)
    expected.mode = .cold
    #expect(filter as? Glow == expected)
    #expect(throws: ParameterError.self) {
      try catalog.filter(argument: "com.example.glow:amount=2")
    }
    #expect(throws: ParameterError.self) {
      try FilterCatalog.builtIn.filter(named: "com.example.glow")
    }
    #expect(catalog.addedFilters.map { $0.description.name } == ["com.example.glow"])
    #expect(FilterCatalog.builtIn.addedFilters.isEmpty)
    #expect(catalog.contains(Glow.self) && catalog.contains(FirstGlow.self))
    #expect(catalog.contains(Sepia.self) && !FilterCatalog.builtIn.contains(Glow.self))
    #expect(!catalog.contains(Misnamed<BuiltInName>.Filter.self))
  }

  @Test(
    arguments: [
      ([Misnamed<BuiltInName>.Filter.self], "three parts"),
      ([Misnamed<ShortName>.Filter.self], "three parts"),
      ([Misnamed<EmptyPart>.Filter.self], "three parts"),
      ([Misnamed<OddCharacter>.Filter.self], "three parts"),
      ([Misnamed<MovieName>.Filter.self], "operations on videos"),
      ([Glow.self, FirstGlow.self], "two added filters"),
    ] as [([any Filter.Type], String)])
  func `a name that is taken or could become that of a filter is refused`(
    filters: [any Filter.Type], reason: String
  ) {
    let error = #expect(throws: ParameterError.self) { try FilterCatalog(adding: filters) }
    #expect(error?.description.contains(reason) == true)
  }

  /// A type with the name of a filter of this package would be read as another one.
  @Test func `a type with the name of another filter is not stored`() async throws {
    let error = await #expect(throws: EditingError.self) {
      try await editor(catalog).apply([Misnamed<BuiltInName>.Filter()])
    }
    #expect(error?.message.contains("'sepia'") == true)
  }
}
