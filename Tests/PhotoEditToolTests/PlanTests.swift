// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("photoedit render --plan", .runsPrograms)
struct PlanTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-landscape.jpg"), to: "photo.jpg")
  }

  private func plan(_ words: String...) throws -> Tool.Result {
    try Tool.run(["render", "photo.jpg", "--plan", "--threads", "2"] + words, in: folder.path)
  }

  @Test func `the plan lists the steps reproducibly and writes nothing`() throws {
    let result = try plan("--filter", "sepia", "--filter", "unsharpMask:amount=1")
    #expect(result.exitCode == 0 && result.errors.isEmpty)
    for word in [
      "float: the graph changes more than the geometry", "matrix", "halo of 8", "threads ",
    ] {
      #expect(result.output.contains(word), "\(result.output)")
    }
    #expect(
      try plan("--filter", "sepia", "--filter", "unsharpMask:amount=1").output == result.output)
    #expect(try FileSystem.names(in: folder.path) == ["photo.jpg"])
  }

  @Test(arguments: [
    ("grayscale", "coefficients", "coefficients", 0), ("gamma:power=2", "pixels", "tables", 1),
    ("gaussianBlur:sigma=1", "pixels", "float", 2),
  ])
  func `the JSON uses the same terms as the report of a rendering`(
    filter: String, path: String, method: String, passes: Int
  ) throws {
    let result = try plan("--filter", filter, "--json")
    let plan = try #require(try result.jsonLines().first)
    #expect(plan["path"]?.stringValue == path)
    #expect(plan["method"]?.stringValue == method)
    #expect(plan["passes"]?.arrayValue?.count == passes)
    #expect(plan["decoding"]?["parallel"] == .bool(method != "coefficients"))
    let rendered = try Tool.run(
      ["render", "photo.jpg", "--filter", filter, "-o", "out.jpg", "--json"], in: folder.path)
    let report = try #require(try rendered.jsonLines().first)
    #expect(report["path"]?.stringValue == path)
    #expect(report["method"]?.stringValue == method)
  }

  @Test func `an output path is rejected`() throws {
    for words in [["-o", "out.jpg"], ["--raster", "out.pfm"]] {
      let result = try Tool.run(["render", "photo.jpg", "--plan"] + words, in: folder.path)
      #expect(result.exitCode == 64)
      #expect(result.errors.contains("--plan does not write files"))
    }
    #expect(try FileSystem.names(in: folder.path) == ["photo.jpg"])
  }

  @Test func `a missing or damaged input fails as in a rendering`() throws {
    try folder.write([0xFF, 0xD8, 0xFF], to: "photo.jpg")
    #expect(try plan().exitCode == 65)
    #expect(try Tool.run(["render", "none.jpg", "--plan"], in: folder.path).exitCode == 66)
  }

  @Test(arguments: ["render", "apply"])
  func `-vv says where the time went, after the fact`(command: String) throws {
    func errors(_ options: String...) throws -> String {
      let words = [command, "photo.jpg", "--filter", "sepia", "--force", "-o", "out.jpg"]
      let result = try Tool.run(words + options, in: folder.path)
      try #require(result.exitCode == 0, "\(result.errors)")
      return result.errors
    }
    let lines = try errors("-vv", "--threads", "2").split(separator: "\n").map(String.init)
    let pixels = try #require(lines.first { $0.contains("photo.jpg: pixels took ") })
    #expect(pixels.contains("ms on 2 threads: Huffman codes "))
    #expect(pixels.contains(" encoding ") && pixels.contains(", waiting "))
    #expect(lines.contains { $0.hasSuffix(" ms from opening to saving") })
    #expect(try !errors("-v").contains(" took "))
  }
}
