// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("photoedit bake")
struct BakeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bake(_ words: String...) throws -> Tool.Result {
    try Tool.run(["bake"] + words, in: folder.path)
  }

  @Test func `the same edit gives the same file, and it is read`() throws {
    let first = try bake("--filter", "sepia", "--size", "5", "--title", "Sepia", "-o", "a.cube")
    #expect(first.exitCode == 0, "\(first.errors)")
    let second = try bake("--filter", "sepia", "--size", "5", "--title", "Sepia", "-o", "-")
    let bytes = try FileBytes.reading(folder.path + "/a.cube").array
    #expect(bytes == second.outputBytes)
    let file = try CubeFile(bytes)
    #expect(file.title == "Sepia" && file.cube?.size == 5)
  }

  @Test func `33 entries a side unless somebody says otherwise`() throws {
    let result = try bake("--filter", "invert", "-o", "a.cube", "--json")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try result.jsonLines()[0].prettyPrinted().contains("\"size\": 33"))
  }

  @Test func `nodes that a cube cannot hold are named, and nothing is written`() throws {
    let result = try bake(
      "--filter", "sepia", "--filter", "gaussianBlur:sigma=2", "--filter", "flip", "-o", "a.cube")
    #expect(result.exitCode == 65)
    #expect(result.errors.contains("node 'n2' (gaussianBlur): it looks at neighbours"))
    #expect(result.errors.contains("node 'n3' (flip): it moves pixels"))
    #expect(!result.errors.contains("sepia"))
    #expect(try FileSystem.entry(at: folder.path + "/a.cube") == nil)
  }

  @Test func `a file in the way stays unless it may be replaced`() throws {
    try folder.write(Array("mine".utf8), to: "a.cube")
    #expect(try bake("--filter", "sepia", "-o", "a.cube").exitCode == 73)
    #expect(try FileBytes.reading(folder.path + "/a.cube").array == Array("mine".utf8))
    #expect(try bake("--filter", "sepia", "-o", "a.cube", "--force").exitCode == 0)
  }

  @Test(arguments: [
    ["-o", "a.cube"], ["--filter", "sepia"], ["--filter", "sepia", "-o", "a.cube", "--size", "1"],
    ["--filter", "sepia", "-o", "a.cube", "--size", "130"],
    ["--filter", "sepia", "-o", "a.cube", "--title", "a\"b"],
  ])
  func `calls that make no sense are told`(_ words: [String]) throws {
    let result = try Tool.run(["bake"] + words, in: folder.path)
    #expect(result.exitCode == 64 && result.errors.contains("photoedit: error: "))
  }
}
