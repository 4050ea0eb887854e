// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditTestSupport
import Testing

@Suite("Duplicates on the command line", .runsPrograms)
struct DuplicateCommandTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  @Test func `duplicates are listed, merged with confirmation, and restored`() throws {
    // The same pixels with different comments.
    let assets = try library.addPhotos(2)
    let other = try library.add(try TestImages.bytes("inputs/chart-checker.png"), as: "other.png")
    _ = try library.json("album", "create", "Lake", assets[1])
    _ = try library.json("asset", "set", assets[0], "--keywords", "boat", "--favorite", "yes")
    #expect(try library.lines("asset", "duplicates", "--by", "digest").isEmpty)
    let found = try library.json("asset", "duplicates")
    #expect(found["keep"]?.stringValue == assets[1] && found["merged"]?.boolValue == false)
    #expect(found["duplicates"]?.arrayValue?.map(\.stringValue) == [assets[0]])
    #expect(found["by"]?.stringValue == "pixels")
    let text = try library.run("asset", "duplicates")
    #expect(text.errors == "photoedit: 1 group, 1 duplicate\n")
    try library.expectRefusal(64, "--yes", "asset", "duplicates", "--merge")
    let before = try library.lines("changes").count
    let merged = try library.json("asset", "duplicates", "--merge", "--yes")
    #expect(merged["merged"]?.boolValue == true)
    #expect(try library.lines("changes").count == before + 1)
    #expect(Set(try library.list()) == [assets[1], other])
    let kept = try library.json("asset", "show", assets[1])
    #expect(kept["keywords"]?.arrayValue?.map(\.stringValue) == ["boat"])
    #expect(kept["favorite"]?.boolValue == true || kept["isFavorite"]?.boolValue == true)
    #expect(try library.lines("asset", "duplicates").isEmpty)
    #expect(try library.run("asset", "restore", assets[0]).exitCode == 0)
    #expect(try library.list().count == 3)
    try library.expectOrder()
  }
}
