// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Policies, titles and backups on the command line", .runsPrograms)
struct LibraryRuleTests {
  private let library: ToolLibrary
  private let asset: String

  init() throws {
    library = try ToolLibrary()
    asset = try library.add(try TestImages.bytes("inputs/photo-64.jpg"), as: "a.jpg")
    _ = try library.json("album", "create", "Al")
  }

  @Test(arguments: ["{\"broken", "[]", "", "{\"schemaVersion\": 1, \"default\": \"some\"}"])
  func `every command reports an unreadable policy`(_ text: String) throws {
    try library.write(Array(text.utf8), to: library.name + "/policy.json")
    for words in [
      ["asset", "list"], ["asset", "show", asset], ["asset", "set", asset, "--title", "x"],
      ["asset", "export", asset, "-o", "."], ["asset", "import", "a.jpg"], ["album", "list"],
      ["album", "show", "Al"], ["folder", "list"], ["changes"], ["show", asset],
      ["apply", "--filter", "sepia", asset], ["thumbnail", asset, "-o", "t.jpg"],
    ] {
      let result = try library.run(words)
      #expect(result.exitCode == 77, "\(words): \(result.exitCode)")
      #expect(result.errors.contains("policy.json: "), "\(words): \(result.errors)")
    }
    for words in [
      ["library", "check"], ["library", "info"], ["library", "backup", "copy"],
      ["library", "repair"],
    ] {
      let result = try library.run(words)
      #expect(result.exitCode == 0, "\(words): \(result.errors)")
      #expect(result.errors.contains("warning: ") && result.errors.contains("policy.json: "))
    }
  }

  @Test(arguments: [["--title"], ["--caption"], []])
  func `a text longer than the list limit is rejected when it is set`(
    _ option: [String]
  ) throws {
    func set(_ text: String) throws -> Tool.Result {
      option.isEmpty
        ? try library.run("album", "rename", "Al", text)
        : try library.run(["asset", "set", asset] + option + [text])
    }
    let refused = try set(String(repeating: "é", count: 32_769))
    #expect(refused.exitCode == 65, "\(refused.errors)")
    #expect(refused.errors.contains("65538 bytes") && refused.errors.contains("65536"))
    #expect(try set(String(repeating: "é", count: 32_768)).exitCode == 0)
    for words in [["asset", "list"], ["asset", "show", asset], ["album", "list"]] {
      #expect(try library.run(words + ["--json"]).exitCode == 0, "\(words)")
    }
    try library.expectOrder()
  }

  @Test(.enabled(if: Allocations.areCounted, "a sanitizer writes more than the limits allow"))
  func `a failed backup is removed and can be repeated`() throws {
    // Data after the image, as in a motion photo.
    let large = try TestImages.bytes("inputs/photo-64.jpg") + [UInt8](repeating: 1, count: 2 << 20)
    _ = try library.add(large, as: "large.jpg")
    func backup(_ limit: String) throws -> Tool.Result {
      try Tool.runScript(
        "exec prlimit \(limit) photoedit library backup --no-hardlinks -L \(library.name) place/copy",
        in: library.folder.path)
    }
    try FileSystem.createFolder(library.folder.path("place"))
    for bytes in [0, 100_000, 1 << 20] {
      let failed = try backup("--fsize=\(bytes)")
      #expect(failed.exitCode == 74, "\(failed.errors)")
      #expect(try FileSystem.names(in: library.folder.path("place")) == [])
    }
    // An existing folder is kept, including files added to it by others in the meantime.
    try FileSystem.createFolder(library.folder.path("place/copy"))
    #expect(try backup("--fsize=100000").exitCode == 74)
    #expect(try FileSystem.names(in: library.folder.path("place/copy")) == [])
    #expect(try backup("--fsize=100000000").exitCode == 0)
    try library.other("place/copy").expectOrder()
    #expect(try library.other("place/copy").list().count == 2)
    let again = try backup("--fsize=100000000")
    #expect(again.exitCode == 73, "\(again.errors)")
    try library.other("place/copy").expectOrder()
  }
}
