// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Automatic adjustment by command", .runsPrograms)
struct AutomaticCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a.jpg", "b.jpg"] {
      try folder.write(try TestImages.bytes("inputs/photo-landscape.jpg"), to: name)
    }
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "c.jpg")
  }

  private func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(arguments, in: folder.path)
  }

  /// The nodes of a stored edit.
  private func nodes(_ photo: String) throws -> [JSONValue] {
    let shown = try #require(try run("show", "--json", photo).jsonLines().first)
    return try #require(shown["graph"]?["nodes"]?.arrayValue)
  }

  private func filters(_ photo: String) throws -> [String?] {
    try nodes(photo).map { $0["filter"]?.stringValue }
  }

  private func areAutomatic(_ nodes: some Sequence<JSONValue>) -> Bool {
    nodes.allSatisfy { $0["ext"]?["auto"] == .number(1) }
  }

  @Test func `several photos are each measured, and the report says what was set`() throws {
    let result = try run("apply", "--auto", "a.jpg", "b.jpg", "c.jpg", "--json")
    #expect(result.exitCode == 0, "\(result.errors)")
    let lines = try result.jsonLines()
    #expect(lines.count == 3)
    for (line, photo) in zip(lines, ["a.jpg", "b.jpg", "c.jpg"]) {
      let set = try #require(line["auto"]?["nodes"]?.arrayValue)
      #expect(try set.map { $0["filter"]?.stringValue } == filters(photo))
      #expect(try areAutomatic(nodes(photo)) && line["auto"]?["unchanged"]?.arrayValue != nil)
    }
    let text = try run("apply", "--auto", "a.jpg")
    #expect(text.errors.contains("a.jpg: auto: ") || text.output.contains("a.jpg: auto: "))
  }

  @Test func `a second call replaces the nodes of the first one`() throws {
    #expect(try run("apply", "--auto", "--filter", "vignette", "a.jpg").exitCode == 0)
    let first = try nodes("a.jpg")
    #expect(first.last?["filter"] == "vignette" && areAutomatic(first.dropLast()))
    #expect(try run("apply", "--auto", "a.jpg").exitCode == 0)
    let second = try nodes("a.jpg")
    #expect(
      second.map { [$0["filter"], $0["params"]] } == first.map { [$0["filter"], $0["params"]] })
    let repeated = ["apply", "--update", "--auto", "--filter", "vignette", "a.jpg", "--json"]
    #expect(try Tool.run(repeated, in: folder.path).exitCode == 0)
    let update = try run("apply", "--update", "--auto", "--filter", "vignette", "a.jpg", "--json")
    #expect(try update.jsonLines().first?["outcome"]?.stringValue == "unchanged")
  }

  @Test func `a lens is corrected first, and the report says why another is not`() throws {
    var file = ImageFile()
    file.main = [.text(0x010F, "Canon"), .text(0x0110, "Canon EOS 5D Mark III")]
    file.exif = [
      .fractions(0x829D, [(4, 1)]), .fractions(0x920A, [(24, 1)]),
      .text(0xA434, "EF24-105mm f/4L IS USM"),
    ]
    try folder.write(try file.jpeg(1), to: "lens.jpg")
    #expect(try run("apply", "--filter", "sepia", "--auto=lens,light", "lens.jpg").exitCode == 0)
    let before = try nodes("lens.jpg")
    #expect(before[0]["filter"] == "lens" && before[0]["ext"]?["auto"] == nil)
    let profile = before[0]["params"]?["profile"]?.stringValue
    #expect(profile == "Canon EF 24-105mm f/4L IS USM")
    let again = try run("apply", "--auto=lens,light", "lens.jpg", "--json")
    let after = try nodes("lens.jpg")
    #expect(
      after.map { [$0["filter"], $0["params"]] } == before.map { [$0["filter"], $0["params"]] })
    #expect(again.output.contains("already corrected"))
    // What was measured before stays when only the lens is asked for.
    #expect(try run("apply", "--auto=lens", "lens.jpg").exitCode == 0)
    #expect(try nodes("lens.jpg") == after)
    let other = try run("apply", "--auto=lens", "a.jpg")
    #expect(other.exitCode == 0 && other.errors.contains("lens: "), "\(other.errors)")
  }

  @Test func `the kinds are limited by a value after an equals sign only`() throws {
    #expect(try run("apply", "--auto=color", "a.jpg").exitCode == 0)
    #expect(try filters("a.jpg").allSatisfy { $0 == "vibrance" })
    let unknown = try run("apply", "--auto=colour", "a.jpg")
    #expect(unknown.exitCode == 64 && unknown.errors.contains("did you mean 'color'"))
    // What follows the option is an input.
    #expect(try run("apply", "--auto", "light").exitCode == 66)
  }

  @Test func `a picked point is stored as temperature and tint`() throws {
    let result = try run("apply", "--filter", "whiteBalance:pick=0.5:0.5:0.1", "a.jpg")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try filters("a.jpg") == ["whiteBalance"])
    #expect(try nodes("a.jpg")[0]["params"]?["pick"] == nil)
    for (argument, code) in [
      ("whiteBalance:pick=0.5", 64), ("whiteBalance:pick=0.5:2", 64),
      ("whiteBalance:pick=0.5:0.5:9", 64), ("whiteBalance:pick=0.5:0.5,tint=3", 64),
      ("sepia:pick=0.5:0.5", 64),
    ] {
      #expect(try run("render", "--filter", argument, "a.jpg", "-o", "x.jpg").exitCode == code)
    }
    #expect(
      try run("bake", "--filter", "whiteBalance:pick=0.5:0.5", "-o", "x.cube").exitCode == 64)
  }

  @Test func `a match needs a readable reference and excludes automatic adjustment`() throws {
    let matched = try run("apply", "--match", "c.jpg", "a.jpg", "--json")
    #expect(matched.exitCode == 0, "\(matched.errors)")
    #expect(try areAutomatic(nodes("a.jpg")))
    #expect(try run("apply", "--match", "none.jpg", "a.jpg").exitCode == 66)
    #expect(try run("apply", "--auto", "--match", "c.jpg", "a.jpg").exitCode == 64)
  }

  @Test func `a series that flickers is evened out, and its trend stays`() throws {
    // Brighter by a twentieth of a stop from photo to photo, and every other one by a third.
    var names: [String] = []
    for index in 0..<12 {
      let name = "frame\(index + 10).jpg"
      let ev = Double(index) * 0.05 + (index % 2 == 0 ? 0 : 0.33)
      let result = try run(
        "render", "--filter", "exposure:ev=\(ev),rolloff=0", "a.jpg", "-o", name)
      #expect(result.exitCode == 0, "\(result.errors)")
      names.append(name)
    }
    let result = try Tool.run(["apply", "--deflicker"] + names, in: folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
    let stops = try names.map { name in
      try areAutomatic(nodes(name))
        ? nodes(name).first?["params"]?["ev"]?.numberValue ?? 0 : .nan
    }
    for (index, stop) in stops.enumerated() {
      // Half of the flicker each, in opposite directions; the trend is not touched.
      #expect(abs(stop - (index % 2 == 0 ? 0.165 : -0.165)) < 0.06, "\(index): \(stops)")
    }
    #expect(try run("apply", "--deflicker", "a.jpg").exitCode == 64)
    #expect(try run("apply", "--deflicker", "--auto", "a.jpg", "b.jpg").exitCode == 64)
    // A photo that cannot be read fails alone.
    try folder.write([0xFF, 0xD8], to: "bad.jpg")
    #expect(try run("apply", "--deflicker", "a.jpg", "bad.jpg", "b.jpg").exitCode == 1)
  }
}
