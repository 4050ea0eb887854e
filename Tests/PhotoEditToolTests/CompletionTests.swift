// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditSQLite
import PhotoEditTestSupport
import Testing

@Suite("Completion of values", .runsPrograms)
struct CompletionTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  /// The output for the last of the words, line by line.
  private func lines(_ words: String..., environment: [String: String] = [:]) throws -> [String] {
    let result = try Tool.run(
      ["__complete", "--"] + words, in: library.folder.path, environment: environment)
    #expect(result.exitCode == 0 && result.errors.isEmpty, "\(words): \(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  private func candidates(
    _ words: String..., environment: [String: String] = [:]
  ) throws -> [String] {
    let result = try Tool.run(
      ["__complete", "--"] + words, in: library.folder.path, environment: environment)
    return result.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func `filters, their parameters and their values are completed`() throws {
    #expect(try candidates("apply", "--filter", "exp") == ["exposure"])
    let keys = try candidates("apply", "--filter", "exposure:")
    #expect(keys.contains("exposure:ev=") && keys.contains("exposure:opacity="))
    let rest = try candidates("apply", "--filter=exposure:ev=1,")
    #expect(rest.contains("--filter=exposure:ev=1,black="))
    #expect(!rest.contains("--filter=exposure:ev=1,ev="))
    #expect(
      try candidates("apply", "--filter", "grayscale:mode=luma")
        == ["grayscale:mode=luma601", "grayscale:mode=luma709"])
    #expect(
      try candidates("render", "--filter", "sepia:blend=mult") == ["sepia:blend=multiply"])
    #expect(try lines("apply", "--filter", "lut3d:file=lo") == ["files\twhole\tlut3d:file="])
    #expect(try candidates("filters", "vig") == ["vignette"])
  }

  @Test func `paths are left to the shell`() throws {
    #expect(try lines("show", "p") == ["files\twhole\t"])
    #expect(try lines("apply", "--preset", "") == ["files\twhole\t"])
    #expect(try lines("asset", "list", "--library=") == ["folders\twhole\t--library="])
  }

  @Test func `the filters of the photo's edit are completed for adjust`() throws {
    try library.folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "a.jpg")
    let apply = ["apply", "--filter", "exposure:ev=0.3", "--filter", "sepia", "a.jpg"]
    #expect(try Tool.run(apply, in: library.folder.path).exitCode == 0)
    #expect(try candidates("adjust", "a.jpg", "--remove", "") == ["exposure", "sepia"])
    #expect(
      try lines("adjust", "a.jpg", "--set", "exposure.e")
        == ["words\tpartial\t", "exposure.ev=\tnow 0.3"])
    #expect(try candidates("adjust", "missing.jpg", "--set", "").isEmpty)
  }

  @Test func `albums and folders are completed by their titles`() throws {
    for title in ["Lisbon", "Lisbon 2019", "Porto"] {
      #expect(try library.run("album", "create", title).exitCode == 0)
    }
    #expect(try library.run("folder", "create", "Travel").exitCode == 0)
    #expect(
      try candidates("album", "show", "--library", library.name, "Lis")
        == ["Lisbon", "Lisbon 2019"])
    let environment = ["PHOTOEDIT_LIBRARY": library.folder.path(library.name)]
    #expect(try candidates("album", "show", "P", environment: environment) == ["Porto"])
    #expect(try candidates("folder", "list", "", environment: environment) == ["Travel"])
    #expect(
      try candidates("folder", "add", "Travel", "", environment: environment)
        == ["Lisbon", "Lisbon 2019", "Porto", "Travel"])
    #expect(try candidates("album", "show", "P", environment: ["PHOTOEDIT_LIBRARY": "no"]) == [])
  }

  @Test func `assets are completed by unique prefixes with their names`() throws {
    let assets = try library.addPhotos(3)
    let listed = try lines("asset", "show", "-L", library.name, "")
    #expect(listed.count == 4)
    for asset in assets {
      #expect(listed.contains { $0.hasPrefix(asset.prefix(8) + "\t") && $0.hasSuffix(".jpg") })
    }
    let first = String(assets[0].prefix(7)).lowercased()
    #expect(
      try candidates("show", "--library", library.name, first) == [
        first + assets[0].prefix(8).suffix(1)
      ])
    #expect(try library.run("asset", "delete", "--yes", assets[0]).exitCode == 0)
    #expect(try candidates("asset", "show", "-L", library.name, "").count == 2)
    #expect(
      try candidates("asset", "restore", "-L", library.name, "") == [String(assets[0].prefix(8))])
  }

  @Test func `names are completed while another process writes, and nothing is written`() throws {
    #expect(try library.run("album", "create", "Lisbon").exitCode == 0)
    let path = library.folder.path(library.name) + "/library.db"
    let writer = try Connection(path, .readWrite)
    try writer.execute("BEGIN IMMEDIATE; UPDATE collection SET title = 'Porto'")
    #expect(try candidates("album", "show", "-L", library.name, "") == ["Lisbon"])
    try writer.execute("ROLLBACK; PRAGMA user_version = 1")
    #expect(try candidates("album", "show", "-L", library.name, "").isEmpty)
    #expect(try writer.first("PRAGMA user_version") { $0.int(0) } == 1, "nothing was migrated")
  }
}
