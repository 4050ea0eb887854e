// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Grade files on the command line", .runsPrograms)
struct GradeFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/jpeg-581x387.jpg"), to: "a.jpg")
    try folder.write(try TestImages.bytes("inputs/jpeg-444.jpg"), to: "b.jpg")
  }

  @discardableResult
  private func run(_ words: String..., expecting exitCode: Int32 = 0) throws -> Tool.Result {
    let result = try Tool.run(words, in: folder.path)
    #expect(result.exitCode == exitCode, "\(words): \(result.errors)")
    return result
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try FileBytes.reading(folder.path + "/" + name).array
  }

  private func exists(_ name: String) throws -> Bool {
    try FileSystem.entry(at: folder.path + "/" + name) != nil
  }

  /// Two cubes: one too large to be stored inside a filter graph, and one that fits.
  private func bake() throws {
    try run("bake", "--filter", "sepia", "--size", "33", "-o", "large.cube")
    try run("bake", "--filter", "invert", "--size", "2", "-o", "small.cube")
  }

  @Test func `a baked cube gives the same result as its filters`() throws {
    try run(
      "bake", "--filter", "sepia", "--filter", "exposure:ev=-0.5", "--size", "65", "-o", "l.cube")
    try run(
      "render", "a.jpg", "--filter", "sepia", "--filter", "exposure:ev=-0.5", "--raster", "1.png")
    try run("render", "a.jpg", "--filter", "lut3d:file=l.cube", "--raster", "2.png")
    try run("compare", "1.png", "2.png", "--tolerance", "T1")
    try run("compare", "a.jpg", "2.png", "--tolerance", "T1", expecting: 1)
  }

  @Test func `an edit remains adjustable after its files are deleted`() throws {
    try bake()
    try run(
      "apply", "a.jpg", "--filter", "lut3d:file=large.cube", "--filter", "lut3d:file=small.cube")
    let first = try bytes("a.edited.jpg")
    for name in ["large.cube", "small.cube"] { try FileSystem.remove(folder.path + "/" + name) }
    #expect(try run("show", "a.jpg").output.contains("resumable  yes"))
    try run("adjust", "a.jpg", "--set", "n1.interpolation=trilinear")
    try run("apply", "a.jpg", "--filter", "exposure:ev=0.3")
    #expect(try bytes("a.edited.jpg") != first)
    try run("undo", "a.jpg")
    try run("undo", "a.jpg")
    #expect(try bytes("a.edited.jpg") == first)
    try run("redo", "a.jpg")
    #expect(try run("show", "a.jpg").output.contains("interpolation=trilinear"))
  }

  @Test func `an attachment is kept only while a stored state needs it`() throws {
    try bake()
    try run("apply", "a.jpg", "--filter", "lut3d:file=large.cube")
    let digest = SHA256Digest(of: try bytes("large.cube")).description
    #expect(String(decoding: try bytes("a.jpg.aae"), as: UTF8.self).contains(digest))
    try run("adjust", "a.jpg", "--remove", "lut3d")
    // The journal still needs the attachment.
    #expect(String(decoding: try bytes("a.jpg.aae"), as: UTF8.self).contains(digest))
    for step in 1...20 {
      try run("apply", "a.jpg", "--replace", "--filter", "brightness:amount=0.0\(step)")
    }
    #expect(!String(decoding: try bytes("a.jpg.aae"), as: UTF8.self).contains(digest))
  }

  @Test func `an edit with a missing file cannot be resumed; the error names it`() throws {
    try bake()
    try run("apply", "a.jpg", "--filter", "lut3d:file=large.cube")
    let digest = SHA256Digest(of: try bytes("large.cube")).description
    let sidecar = String(decoding: try bytes("a.jpg.aae"), as: UTF8.self)
    let other = "sha256:" + String(repeating: "0", count: 64)
    let broken = sidecar.replacing("<key>\(digest)</key>", with: "<key>\(other)</key>")
    #expect(broken != sidecar)
    try folder.write(Array(broken.utf8), to: "a.jpg.aae")
    let shown = try run("show", "a.jpg").output
    #expect(
      shown.contains("no, because node 'n1': attachment 'large': file is missing (\(digest))"))
    try run("adjust", "a.jpg", "--set", "n1.interpolation=trilinear", expecting: 65)
  }

  @Test func `a preset carries its files inline or next to it`() throws {
    try bake()
    try run(
      "apply", "a.jpg", "--filter", "lut3d:file=large.cube", "--filter", "lut3d:file=small.cube")
    try FileSystem.createFolder(folder.path + "/looks")
    let written = try run("preset", "a.jpg", "-o", "looks/look.json", "--json")
    let graph = try FilterGraph(json: try bytes("looks/look.json"))
    #expect(graph.source == nil && graph.assets["small"]?.data != nil)
    let digest = SHA256Digest(of: try bytes("large.cube"))
    let companion = "looks/\(digest.hex.prefix(16)).cube"
    #expect(try bytes(companion) == bytes("large.cube"))
    #expect(written.output.contains(companion))
    let again = try run("preset", "a.jpg", "-o", "looks/other.json", "--json")
    #expect(again.output.contains(companion))

    // Applied to another photo, the preset gives the same result as the filters.
    try run("apply", "b.jpg", "--preset", "looks/look.json")
    let preset = try bytes("b.edited.jpg")
    try run(
      "apply", "b.jpg", "--replace", "--filter", "lut3d:file=large.cube", "--filter",
      "lut3d:file=small.cube")
    try run("render", "b.jpg", "--graph", "looks/look.json", "--raster", "1.png")
    try run("render", "b.jpg", "--preset", "looks/look.json", "--raster", "2.png")
    #expect(try bytes("1.png") == bytes("2.png") && !preset.isEmpty)

    // Without the companion file, the error must name it.
    try FileSystem.rename(folder.path + "/" + companion, to: folder.path + "/else.cube")
    let refused = try run(
      "render", "b.jpg", "--preset", "looks/look.json", "-o", "x.jpg", expecting: 65)
    #expect(refused.errors.contains("attachment 'large': file is missing (\(digest))"))
    #expect(refused.errors.contains("--attachment FILE"))
    #expect(try !exists("x.jpg"))
    try run(
      "render", "b.jpg", "--preset", "looks/look.json", "--attachment", "else.cube", "--raster",
      "3.png")
    #expect(try bytes("1.png") == bytes("3.png"))
  }

  @Test func `presets are stacked in order, before the filters`() throws {
    try run("apply", "a.jpg", "--filter", "brightness:amount=0.3")
    try run("preset", "a.jpg", "-o", "1.json")
    try run("apply", "a.jpg", "--replace", "--filter", "contrast:amount=2")
    try run("preset", "a.jpg", "-o", "2.json")
    try run(
      "apply", "b.jpg", "--filter", "sepia", "--preset", "2.json", "--preset", "1.json")
    let shown = try run("show", "b.jpg").output
    let order = ["contrast", "brightness", "sepia"].compactMap { shown.firstRange(of: $0) }
    #expect(order.count == 3 && order[0].lowerBound < order[1].lowerBound)
    #expect(order[1].lowerBound < order[2].lowerBound)
    try run(
      "render", "b.jpg", "--filter", "contrast:amount=2", "--filter", "brightness:amount=0.3",
      "--raster", "1.png")
    try run("render", "b.jpg", "--preset", "2.json", "--preset", "1.json", "--raster", "2.png")
    #expect(try bytes("1.png") == bytes("2.png"))
  }

  @Test func `a color decision list becomes asccdl values`() throws {
    let text = """
      <ColorCorrectionCollection><ColorCorrection id="a"><SOPNode><Slope>1.2 1 0.9</Slope>
      <Offset>0 0.1 0</Offset><Power>1 1 1.5</Power></SOPNode></ColorCorrection>
      <ColorCorrection id="b"/></ColorCorrectionCollection>
      """
    try folder.write(Array(text.utf8), to: "g.ccc")
    try run("render", "a.jpg", "--filter", "asccdl:file=g.ccc,correction=a", "--raster", "1.png")
    try run(
      "render", "a.jpg", "--filter", "asccdl:slope=1.2:1:0.9,offset=0:0.1:0,power=1:1:1.5",
      "--raster", "2.png")
    #expect(try bytes("1.png") == bytes("2.png"))
    let refused = try run(
      "render", "a.jpg", "--filter", "asccdl:file=g.ccc", "-o", "x.jpg", expecting: 65)
    #expect(refused.errors.contains("select one with correction=ID (found: 'a', 'b')"))
  }

  @Test func `a Hald CLUT of either bit depth is a cube`() throws {
    try folder.write(try TestImages.bytes("inputs/hald-8.png"), to: "hald.png")
    try run("render", "hald.png", "--filter", "invert", "--raster", "inverted.png")
    try run("render", "a.jpg", "--filter", "invert", "--raster", "1.png")
    try run("render", "a.jpg", "--filter", "haldClut:file=inverted.png", "--raster", "2.png")
    try run("compare", "1.png", "2.png", "--tolerance", "T1")
    let refused = try run(
      "render", "a.jpg", "--filter", "haldClut:file=1.png", "-o", "x.jpg", expecting: 65)
    #expect(refused.errors.contains("581 × 387 pixels is not a Hald CLUT"))
  }

  @Test func `unusable files are reported before anything is written`() throws {
    try bake()
    try folder.write(
      Array("LUT_3D_SIZE 2\n0 0\n0 0 0\n1 1 1\n0 0 0\n1 1 1\n0 0 0\n1 1 1\n0 0 0\n".utf8),
      to: "bad.cube")
    let cases = [
      (
        "lut3d:file=bad.cube",
        "'bad.cube': cannot be read: line 2: found '0 0' (allowed: three numbers"
      ),
      ("lut1d:file=small.cube", "file contains a 3D table"),
      ("lut3d:file=none.cube", "none.cube"),
      ("sepia:file=small.cube", "sepia: unknown parameter 'file'"),
      ("lut3d", "no file given; use file=PATH"),
    ]
    for (argument, message) in cases {
      let result = try Tool.run(["apply", "a.jpg", "--filter", argument], in: folder.path)
      #expect(result.exitCode != 0 && result.errors.contains(message), "\(result.errors)")
    }
    #expect(try !exists("a.edited.jpg") && !exists("a.jpg.aae"))
  }

  @Test func `file names may contain commas`() throws {
    try run("bake", "--filter", "invert", "--size", "2", "-o", "a,b, c.cube")
    try run(
      "apply", "a.jpg", "--filter", "lut3d:file=a,b, c.cube,interpolation=trilinear")
    #expect(try run("show", "a.jpg").output.contains("asset=a-b--c interpolation=trilinear"))
  }
}
