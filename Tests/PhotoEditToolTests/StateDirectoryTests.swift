// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Edits in a state directory", .runsPrograms)
struct StateDirectoryTests {
  private let folder: TemporaryFolder
  private let state: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    state = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "photo.jpg")
  }

  private func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(arguments + ["--state-dir", state.path("edits")], in: folder.path)
  }

  private func show(_ photo: String) throws -> [String] {
    let shown = try run("show", photo)
    #expect(shown.exitCode == 0, "\(shown.errors)")
    return shown.output.split(separator: "\n").map(String.init)
  }

  @Test func `the photo's folder is unchanged by every command`() throws {
    #expect(try run("apply", "--filter", "sepia", "photo.jpg").exitCode == 0)
    #expect(try run("adjust", "photo.jpg", "--set", "sepia.amount=0.5").exitCode == 0)
    #expect(try run("undo", "photo.jpg").exitCode == 0)
    #expect(try run("redo", "photo.jpg").exitCode == 0)
    let lines = try show("photo.jpg")
    #expect(lines.contains { $0.contains("amount=0.5") })
    #expect(lines.contains { $0.contains(state.path("edits")) && $0.contains("edited.jpg") })
    #expect(try run("revert", "photo.jpg").exitCode == 0)
    #expect(try FileSystem.names(in: folder.path) == ["photo.jpg"])
    let edits = try FileSystem.names(in: state.path("edits"))
    #expect(edits.count == 1)
    let files = try FileSystem.names(in: state.path("edits/\(try #require(edits.first))"))
    #expect(files == ["edit.aae"])
  }

  @Test func `a renamed photo is recognized, and an unedited one is not`() throws {
    #expect(try run("apply", "--filter", "sepia", "photo.jpg").exitCode == 0)
    let bytes = try FileBytes.reading(folder.path("photo.jpg")).array
    try folder.write(bytes[..<2] + [0xFF, 0xFE, 0, 3, 65] + bytes[2...], to: "renamed.jpg")
    #expect(try show("renamed.jpg").contains { $0.contains("sepia") })
    #expect(try run("adjust", "renamed.jpg", "--set", "sepia.amount=0.5").exitCode == 0)
    try folder.write(try TestImages.bytes("inputs/jpeg-gray.jpg"), to: "other.jpg")
    #expect(try show("other.jpg").contains { $0.contains("edit") && $0.contains("none") })
  }

  @Test func `an edit next to the photo takes precedence`() throws {
    #expect(
      try Tool.run(["apply", "--filter", "invert", "photo.jpg"], in: folder.path).exitCode == 0)
    #expect(try show("photo.jpg").contains { $0.contains("invert") })
    #expect(try run("apply", "--filter", "sepia", "photo.jpg").exitCode == 0)
    #expect(!FileSystem.itemExists(state.path("edits")))
  }
}
