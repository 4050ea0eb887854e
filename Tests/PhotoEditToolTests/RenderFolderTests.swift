// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Renderings in a folder", .runsPrograms)
struct RenderFolderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileSystem.createFolder(folder.path("out"))
    for (index, name) in ["a.jpg", "b.c.jpg"].enumerated() {
      try folder.write(try ImageFile().jpeg(index + 1), to: name)
    }
  }

  private func render(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(["render", "--filter", "sepia", "--json"] + arguments, in: folder.path)
  }

  @Test(arguments: ["out", "out/"])
  func `a rendering in a folder is named after its image`(_ output: String) throws {
    for name in ["a.jpg", "b.c.jpg"] {
      let result = try render("-o", output, name)
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    #expect(
      try FileSystem.names(in: folder.path("out")) == ["a.edited.jpg", "b.c.edited.jpg"])
    let again = try render("-o", output, "a.jpg")
    #expect(again.exitCode == 73, "\(again.errors)")
    #expect(try render("-o", output, "--force", "a.jpg").exitCode == 0)
    #expect(try FileSystem.names(in: folder.path("out")).count == 2)
  }

  @Test func `a rendering of standard input has a fixed name`() throws {
    let result = try Tool.run(
      ["render", "--filter", "sepia", "-", "-o", "out/"], in: folder.path,
      input: try ImageFile().jpeg(1))
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try FileSystem.names(in: folder.path("out")) == ["rendering.jpg"])
  }

  @Test func `render and apply report the same look for all photos`() throws {
    var looks: Set<JSONValue> = []
    var graphs: Set<JSONValue> = []
    for name in ["a.jpg", "b.c.jpg"] {
      let rendered = try #require(try render("-o", "out/", name).jsonLines().first)
      let applied = try #require(
        try Tool.run(["apply", "--filter", "sepia", "--json", name], in: folder.path)
          .jsonLines().first)
      for report in [rendered, applied] { looks.insert(try #require(report["look"])) }
      // Without a saved edit, the graph has no source, so it is the look.
      #expect(rendered["graph"] == rendered["look"])
      graphs.insert(try #require(applied["graph"]))
    }
    #expect(looks.count == 1 && graphs.count == 2)
    let other = try Tool.run(
      ["render", "--filter", "sepia:amount=0.5", "--json", "-o", "c.jpg", "a.jpg"],
      in: folder.path)
    #expect(looks.isDisjoint(with: [try #require(try other.jsonLines().first?["look"])]))
  }
}
