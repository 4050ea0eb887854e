// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("photoedit thumbnail", .runsPrograms)
struct ThumbnailTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(["thumbnail"] + arguments, in: folder.path)
  }

  private func put(_ input: String, as name: String) throws {
    try folder.write(try TestImages.bytes("inputs/" + input), to: name)
  }

  private func size(_ name: String) throws -> PixelSize {
    try ImageDecoders.open(FileBytes.reading(folder.path(name))).header.size
  }

  @Test func `a thumbnail is written next to its photo or, by its name, into a folder`() throws {
    try put("photo-1024.jpg", as: "a.jpg")
    let adjacent = try run("a.jpg", "--size", "100", "--json")
    #expect(adjacent.exitCode == 0, "\(adjacent.errors)")
    #expect(try size("a.thumb.jpg") == PixelSize(width: 100, height: 75))
    let line = try #require(try adjacent.jsonLines().first)
    #expect(line["output"]?.stringValue == "a.thumb.jpg")
    #expect(line["width"]?.integerValue == 100)
    #expect(line["height"]?.integerValue == 75)
    #expect(line["degraded"]?.boolValue == false)
    try FileSystem.createFolder(folder.path("out"))
    #expect(try run("a.jpg", "--size", "64x64", "--fill", "-o", "out").exitCode == 0)
    #expect(try size("out/a.jpg") == PixelSize(width: 64, height: 64))
    #expect(try FileSystem.names(in: folder.path("out")) == ["a.jpg"])
  }

  @Test func `a PNG is written for desktops, over the file that they prepare`() throws {
    try put("photo-1024.jpg", as: "a.jpg")
    #expect(try run("a.jpg", "--size", "100", "--format", "png").exitCode == 0)
    let png = try ImageDecoders.open(FileBytes.reading(folder.path("a.thumb.png")))
    #expect(png.header.format == .png)
    #expect(png.header.size == PixelSize(width: 100, height: 75))
    try folder.write([], to: "prepared.png")
    let desktop = ["--force", "--size", "32", "--format", "png", "-o", "prepared.png", "a.jpg"]
    #expect(try Tool.run(["thumbnail"] + desktop, in: folder.path).exitCode == 0)
    #expect(try size("prepared.png") == PixelSize(width: 32, height: 24))
    #expect(try run("a.jpg", "--format", "png", "-o", "wrong.jpg").exitCode == 64)
    try folder.write(Array("no image".utf8), to: "b.jpg")
    #expect(try run("b.jpg", "--format", "png", "-o", "b.png").exitCode == 65)
    #expect(try !FileSystem.names(in: folder.path).contains("b.png"))
  }

  @Test func `one bad file among many fails alone, at its position`() throws {
    try put("photo-64.jpg", as: "a.jpg")
    try folder.write(Array("no picture".utf8), to: "b.jpg")
    try put("png-rgb-8.png", as: "c.png")
    let result = try run("a.jpg", "b.jpg", "missing.jpg", "c.png", "--size", "8", "--json")
    #expect(result.exitCode == 1)
    let lines = try result.jsonLines()
    #expect(lines.map { $0["input"]?.stringValue } == ["a.jpg", "b.jpg", "missing.jpg", "c.png"])
    #expect(lines.map { $0["error"] != nil } == [false, true, true, false])
    #expect(try FileSystem.names(in: folder.path).count { $0.hasSuffix(".thumb.jpg") } == 2)
  }

  @Test func `neither an earlier thumbnail nor a photo is overwritten`() throws {
    try put("photo-64.jpg", as: "a.jpg")
    try put("png-rgb-8.png", as: "a.png")
    try put("photo-64.jpg", as: "a.thumb.jpg")
    let earlier = try FileBytes.digest(of: folder.path("a.thumb.jpg"))
    let refused = try run("a.jpg", "--size", "8")
    #expect(refused.exitCode == 73)
    #expect(try FileBytes.digest(of: folder.path("a.thumb.jpg")) == earlier)
    let isInput = try run("a.jpg", "a.thumb.jpg", "--size", "8", "--force", "--json")
    let code = try isInput.jsonLines().first?["error"]?["code"]?.stringValue
    #expect(code == "sharedOutput")
    #expect(try FileBytes.digest(of: folder.path("a.thumb.jpg")) == earlier)
    try FileSystem.createFolder(folder.path("out"))
    let shared = try run("a.jpg", "a.png", "--size", "8", "-o", "out/", "--json")
    #expect(shared.exitCode == 1)
    let second = try shared.jsonLines().last?["error"]?["code"]?.stringValue
    #expect(second == "sharedOutput")
    #expect(try run("a.jpg", "--size", "8", "--force").exitCode == 0)
    #expect(try size("a.thumb.jpg") == PixelSize(width: 8, height: 6))
  }

  @Test func `thumbnail works as a pipe`() throws {
    let result = try Tool.run(
      ["thumbnail", "-", "--size", "16"], in: folder.path,
      input: try TestImages.bytes("inputs/photo-64.jpg"))
    #expect(result.exitCode == 0, "\(result.errors)")
    let header = try ImageDecoders.open(FileBytes(result.outputBytes)).header
    #expect(header.size == PixelSize(width: 16, height: 12))
  }

  @Test func `a thumbnail of an asset shows its current version`() throws {
    let library = try ToolLibrary()
    let asset = try library.add(try TestImages.bytes("inputs/photo-64.jpg"), as: "IMG 1.jpg")
    let filtered = try library.run("apply", asset, "--filter", "rotate90:turns=1")
    #expect(filtered.exitCode == 0, "\(filtered.errors)")
    try FileSystem.createFolder(library.folder.path("out"))
    let line = try library.json("thumbnail", asset, "--size", "32", "-o", "out")
    #expect(line["output"]?.stringValue == "out/IMG 1.jpg")
    #expect(line["width"]?.integerValue == 24)
    #expect(line["height"]?.integerValue == 32)
    try library.expectRefusal(64, "-o DIR", "thumbnail", asset)
  }

  @Test(arguments: ["0", "x", "10x", "65501", "1x2x3", "-4"])
  func `an invalid size is a usage error`(text: String) throws {
    try put("photo-64.jpg", as: "a.jpg")
    #expect(try run("a.jpg", "--size=" + text).exitCode == 64)
  }
}
