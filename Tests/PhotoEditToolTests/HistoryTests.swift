// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("History of an edit", .runsPrograms)
struct HistoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "photo.jpg")
    try expectSuccess("apply", "--filter", "exposure:ev=0.2", "photo.jpg")
    try expectSuccess("adjust", "--set", "exposure.ev=0.3", "photo.jpg")
    try expectSuccess("apply", "--filter", "vignette:amount=0.35", "photo.jpg")
  }

  private func expectSuccess(_ arguments: String...) throws {
    let result = try Tool.run(arguments, in: folder.path)
    #expect(result.exitCode == 0, "\(arguments): \(result.errors)")
  }

  /// The lines of the history without their dates.
  private func lines(_ environment: [String: String] = [:]) throws -> [String] {
    let result = try Tool.run(["history", "photo.jpg"], in: folder.path, environment: environment)
    #expect(result.exitCode == 0, "\(result.errors)")
    return result.output.split(separator: "\n")
      .map { String($0).replacing(#/\d{4}-\d\d-\d\d \d\d:\d\d  /#, with: "") }
  }

  private func states() throws -> [JSONValue] {
    let result = try Tool.run(["history", "photo.jpg", "--json"], in: folder.path)
    return try result.jsonLines().first?["states"]?.arrayValue ?? []
  }

  @Test func `each state has a number and the changed values`() throws {
    #expect(
      try lines() == [
        "  0  original", "  1  + exposure ev=0.2 rolloff=0.35", "  2  exposure.ev 0.2 → 0.3",
        "* 3  + vignette amount=0.35",
      ])
  }

  @Test func `a repeated change to a state says that it is reached`() throws {
    for (command, state) in [("undo", "1"), ("redo", "2")] {
      try expectSuccess(command, "--to", state, "photo.jpg")
      let again = try Tool.run([command, "--to", state, "photo.jpg"], in: folder.path)
      #expect(again.exitCode == 0 && again.errors.contains("is in this state already"))
    }
  }

  @Test func `removed metadata stays removed when more is removed`() throws {
    func removed(_ arguments: String...) throws -> [String?] {
      let all = ["adjust", "photo.jpg", "--set", "vignette.amount=0.3", "--json"] + arguments
      let lines = try Tool.run(all, in: folder.path).jsonLines()
      return lines.first?["stripped"]?.arrayValue?.map { $0["kind"]?.stringValue } ?? []
    }
    var file = ImageFile()
    file.exif = [.text(0x9003, "2024:05:01 12:00:00")]
    file.gps = [
      .text(1, "N"), .fractions(2, [(48, 1), (8, 1), (0, 1)]), .text(3, "E"),
      .fractions(4, [(11, 1), (30, 1), (0, 1)]),
    ]
    try expectSuccess("revert", "photo.jpg")
    try folder.write(try file.jpeg(), to: "photo.jpg")
    try expectSuccess("apply", "--filter", "vignette:amount=0.35", "photo.jpg")
    #expect(try removed("--strip", "location") == ["location"])
    #expect(Set(try removed("--strip", "dates")) == ["location", "dates"])
    #expect(try removed("--strip", "none") == [])
  }

  @Test func `dates are local`() throws {
    let east = try Tool.run(
      ["history", "photo.jpg"], in: folder.path, environment: ["TZ": "UTC-5"])
    let west = try Tool.run(
      ["history", "photo.jpg"], in: folder.path, environment: ["TZ": "UTC+5"])
    #expect(east.output != west.output)
    #expect(east.output.count == west.output.count)
  }

  @Test func `scripts get every change with its values`() throws {
    let states = try states()
    #expect(states.map { $0["number"]?.integerValue } == [0, 1, 2, 3])
    #expect(states[0]["edited"]?.boolValue == false)
    let change = try #require(states[2]["changes"]?.arrayValue?.first)
    #expect(change["kind"]?.stringValue == "set")
    #expect(change["node"]?.stringValue == "n1" && change["filter"]?.stringValue == "exposure")
    #expect(change["parameter"]?.stringValue == "ev")
    #expect(change["from"]?.numberValue == 0.2 && change["to"]?.numberValue == 0.3)
    let added = try #require(states[3]["changes"]?.arrayValue?.first)
    #expect(added["kind"]?.stringValue == "added")
    #expect(added["to"]?["amount"]?.numberValue == 0.35)
    #expect(states.last?["state"]?.stringValue == "current")
  }

  @Test func `undo and redo go to a state by its number`() throws {
    let last = try FileBytes.digest(of: folder.path("photo.edited.jpg"))
    try expectSuccess("undo", "--to", "1", "photo.jpg")
    #expect(try lines().contains("* 1  + exposure ev=0.2 rolloff=0.35"))
    try expectSuccess("redo", "--to", "3", "photo.jpg")
    #expect(try lines().contains("* 3  + vignette amount=0.35"))
    #expect(try FileBytes.digest(of: folder.path("photo.edited.jpg")) == last)
    try expectSuccess("undo", "--to", "0", "photo.jpg")
    #expect(try FileSystem.names(in: folder.path).contains("photo.edited.jpg") == false)
    // The number of the current state changes nothing.
    try expectSuccess("undo", "--to=0", "photo.jpg")
    #expect(try lines()[0] == "* 0  original")
  }

  @Test(arguments: [(["undo", "--to", "4"], "0–3"), (["redo", "--to", "2"], "3–3")])
  func `a number in the other direction or of no state is refused`(
    arguments: [String], allowed: String
  ) throws {
    let before = try lines()
    let result = try Tool.run(arguments + ["photo.jpg"], in: folder.path)
    #expect(result.exitCode == 65)
    #expect(result.errors.contains("allowed: \(allowed)"), "\(result.errors)")
    #expect(try lines() == before)
  }

  @Test func `an edit on another base has no differences from the one below it`() throws {
    let other = ["--format-identifier", "com.example.other"]
    let result = try Tool.run(
      ["apply", "--filter", "invert", "photo.jpg"] + other, in: folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try lines().last?.hasPrefix("* 4  + invert") == true)
  }
}
