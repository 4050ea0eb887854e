// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
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
