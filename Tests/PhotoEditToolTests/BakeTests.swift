// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("photoedit bake", .runsPrograms)
struct BakeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bake(_ words: String...) throws -> Tool.Result {
    try Tool.run(["bake"] + words, in: folder.path)
  }

  @Test func `baking the same edit twice gives identical, readable cube files`() throws {
    let first = try bake("--filter", "sepia", "--size", "5", "--title", "Sepia", "-o", "a.cube")
    #expect(first.exitCode == 0, "\(first.errors)")
    let second = try bake("--filter", "sepia", "--size", "5", "--title", "Sepia", "-o", "-")
    let bytes = try FileBytes.reading(folder.path + "/a.cube").array
    #expect(bytes == second.outputBytes)
    let file = try CubeFile(bytes)
    #expect(file.title == "Sepia" && file.cube?.size == 5)
  }

  @Test func `the default cube size is 33 entries per side`() throws {
    let result = try bake("--filter", "invert", "-o", "a.cube", "--json")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try result.jsonLines()[0].prettyPrinted().contains("\"size\": 33"))
  }

  @Test func `nodes that a LUT cannot represent are listed, and nothing is written`() throws {
    let result = try bake(
      "--filter", "sepia", "--filter", "gaussianBlur:sigma=2", "--filter", "flip", "-o", "a.cube")
    #expect(result.exitCode == 65)
    #expect(result.errors.contains("node 'n2' (gaussianBlur): it reads neighboring pixels"))
    #expect(result.errors.contains("node 'n3' (flip): it moves pixels"))
    #expect(!result.errors.contains("sepia"))
    #expect(try FileSystem.entry(at: folder.path + "/a.cube") == nil)
  }

  @Test func `an existing file is replaced only with --force`() throws {
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
  func `invalid invocations are reported`(_ words: [String]) throws {
    let result = try Tool.run(["bake"] + words, in: folder.path)
    #expect(result.exitCode == 64 && result.errors.contains("photoedit: error: "))
  }
}
