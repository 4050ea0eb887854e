// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Export to folders on the command line", .runsPrograms)
struct LibraryExportTests {
  private let library: ToolLibrary

  init() throws {
    library = try ToolLibrary()
    try FileManager.default.createDirectory(
      atPath: library.folder.path("out"), withIntermediateDirectories: false)
  }

  @Test func `an export by template is repeated with --update and cleaned up`() throws {
    for index in 1...3 { try library.write(try ImageFile().jpeg(index), to: "in/\(index).jpg") }
    _ = try library.lines("asset", "import", "in")
    let arguments = [
      "asset", "export", "-o", "out", "--template", "{title,none}/{name}", "--update",
    ]
    let first = try library.run(arguments + ["--all"])
    #expect(first.exitCode == 0 && first.errors.contains("3 assets: 3 written"))
    let names = first.output.split(separator: "\n").map { $0.split(separator: "/").suffix(3) }
    #expect(
      names.map { $0.joined(separator: "/") }.sorted() == (1...3).map { "out/none/\($0).jpg" })
    let second = try library.run(arguments + ["--all", "--json"])
    let outcomes = try second.jsonLines().map { $0["outcome"]?.stringValue }
    #expect(outcomes == ["unchanged", "unchanged", "unchanged"])
    let asset = try #require(try library.list().first)
    let third = try library.run(arguments + [asset, "--delete-extra"])
    #expect(third.errors.contains("1 asset: 1 unchanged; 2 files removed"), "\(third.errors)")
    try library.write([1], to: "out/none/1.jpg")
    let fourth = try library.run(arguments + ["--all"])
    #expect(fourth.exitCode == 1 && fourth.errors.contains("changed since its export"))
  }

  @Test func `copies for the web have their shape and the properties of their asset`() throws {
    try library.write(try TestImages.bytes("inputs/photo-landscape.jpg"), to: "in/1.jpg")
    try library.write(try TestImages.bytes("png-rgb-8.png"), to: "in/2.png")
    _ = try library.lines("asset", "import", "in")
    for (index, asset) in try library.list().enumerated() {
      _ = try library.lines("asset", "set", asset, "--title", "Title \(index)")
    }
    let export = ["asset", "export", "--all", "-o", "out", "--fit", "20", "--update"]
    let first = try library.run(export)
    #expect(first.exitCode == 0 && first.errors.contains("2 assets: 2 written"), "\(first.errors)")
    var files: [FileBytes] = []
    for name in ["1.jpg", "2.jpg"] {
      let file = try FileBytes.reading(library.folder.path("out/" + name), maximumBytes: 1 << 20)
      #expect(try ImageDecoders.decode(file).size.longEdge == 20)
      #expect(file.buffer.contains(Array("Title ".utf8)))
      files.append(file)
    }
    #expect(try library.run(export).errors.contains("2 unchanged"))
    // Another shape is another export.
    let other = try library.run(export.dropLast() + ["--keep", "copyright", "-f"])
    #expect(other.exitCode == 0, "\(other.errors)")
    let bare = try FileBytes.reading(library.folder.path("out/1.jpg"), maximumBytes: 1 << 20)
    #expect(!bare.buffer.contains(Array("Title ".utf8)))
  }

  @Test func `a copy that stays too large is reported, and originals are never copies`() throws {
    try library.write(try TestImages.bytes("inputs/photo-landscape.jpg"), to: "in/1.jpg")
    _ = try library.lines("asset", "import", "in")
    let asset = try #require(try library.list().first)
    let large = try library.run("asset", "export", asset, "-o", "out", "--max-bytes", "100")
    #expect(large.exitCode != 0 && large.errors.contains("at quality 20"), "\(large.errors)")
    let original = try library.run(
      "asset", "export", asset, "-o", "out", "--fit", "20", "--variant", "original")
    #expect(original.exitCode == 64 && original.errors.contains("--fit"), "\(original.errors)")
    #expect(try FileSystem.names(in: library.folder.path("out")).isEmpty)
  }

  @Test(arguments: [
    ["--all", "--template", "{titel}"], ["--all", "--album", "Lake"], [],
    ["--where", "favorite =="],
  ])
  func `an invalid selection or template is refused before anything is written`(
    _ arguments: [String]
  ) throws {
    let result = try library.run(["asset", "export", "-o", "out"] + arguments)
    #expect(result.exitCode == 64, "\(result.errors)")
    #expect(try FileSystem.names(in: library.folder.path("out")).isEmpty)
  }
}
