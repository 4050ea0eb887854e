// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Library commands", .runsPrograms)
struct LibraryCommandTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  private func damage(_ path: String) throws {
    var bytes = try FileBytes.reading(path).array
    bytes[bytes.count / 2] ^= 1
    try FileSystem.remove(path)
    try library.folder.write(bytes, to: String(path.dropFirst(library.folder.path.count + 1)))
  }

  private func removeDatabase() throws {
    for name in try FileSystem.names(in: library.folder.path("library"))
    where name.hasPrefix("library.db") {
      try FileSystem.remove(library.folder.path("library/" + name))
    }
  }

  private func kinds(_ report: JSONValue?) -> [String] {
    (report?["findings"]?.arrayValue ?? []).compactMap { $0["kind"]?.stringValue }
  }

  @Test func `create writes an empty library and rejects a folder that is not empty`() throws {
    let made = try Tool.run(["library", "create", "new", "--json"], in: library.folder.path)
    #expect(made.exitCode == 0)
    let report = try #require(try made.jsonLines().first)
    #expect(report.keys == ["schemaVersion", "library", "identifier"])
    #expect(report["library"]?.stringValue == "new")
    #expect(
      report["identifier"] == (try library.other("new").json("library", "info"))["identifier"])
    try library.write([1], to: "full/notes.txt")
    for name in ["new", "full", "full/notes.txt"] {
      let again = try Tool.run(["library", "create", name], in: library.folder.path)
      #expect(again.exitCode == 73, "\(name): \(again.errors)")
    }
    #expect(try FileSystem.names(in: library.folder.path("full")) == ["notes.txt"])
    let nowhere = try Tool.run(["library", "create", "no/where"], in: library.folder.path)
    #expect(nowhere.exitCode == 73)
    #expect(try Tool.run(["library", "create"], in: library.folder.path).exitCode == 64)
  }

  @Test func `info counts the contents of a library`() throws {
    let assets = try library.addPhotos(3)
    _ = try library.add(MovieFile().bytes, as: "a.mov")
    _ = try library.json("album", "create", "A", assets[0])
    _ = try library.json("folder", "create", "F")
    _ = try library.json("asset", "delete", "--yes", assets[2])
    _ = try library.json("apply", "--filter", "sepia", assets[0])
    let info = try library.json("library", "info")
    #expect(
      info.keys == [
        "schemaVersion", "library", "identifier", "assets", "images", "videos", "edited",
        "trashed", "albums", "folders", "bytes", "commits", "access",
        "timeZone",
      ])
    let counts = ["assets", "images", "videos", "edited", "trashed", "albums", "folders"]
    #expect(counts.map { info[$0]?.integerValue } == [3, 2, 1, 1, 1, 1, 1])
    #expect(info["access"]?.stringValue == "authorized")
    let text = try library.run("library", "info").output
    #expect(text.contains("3: 2 images, 1 videos, 1 edited"))
  }

  @Test(arguments: [
    ["library", "info"], ["library", "check"], ["library", "repair"],
    ["library", "backup", "copy"],
    ["asset", "list"], ["asset", "show", "3F25"], ["asset", "import", "a.jpg"], ["album", "list"],
    ["folder", "list"], ["asset", "delete", "--yes", "3F25"],
    ["apply", "--filter", "sepia", "3F25"],
  ])
  func `every command reports a missing library`(arguments: [String]) throws {
    try library.folder.write(try ImageFile().jpeg(), to: "a.jpg")
    let result = try Tool.run(arguments + ["--library", "none"], in: library.folder.path)
    #expect(result.exitCode == 66, "\(result.errors)")
    #expect(result.errors.contains("none: ") && result.errors.contains("library create"))
    if arguments[0] != "apply" {
      let unnamed = try Tool.run(arguments, in: library.folder.path)
      #expect(unnamed.exitCode == 64)
      #expect(unnamed.errors.contains("no library specified"))
    }
    #expect(try FileSystem.names(in: library.folder.path) == ["a.jpg", "library"])
  }

  @Test func `the variable names the library, and the option takes precedence`() throws {
    let asset = try library.addPhotos(1)[0]
    let second = try library.second()
    func count(_ variable: String, _ option: [String] = []) throws -> Int? {
      try Tool.run(
        ["asset", "list", "--json"] + option, in: library.folder.path,
        environment: ["PHOTOEDIT_LIBRARY": library.folder.path(variable)]
      ).jsonLines().count
    }
    #expect(try count("library") == 1)
    #expect(try count("second") == 0)
    #expect(try count("second", ["-L", "library"]) == 1)
    try second.expectRefusal(66, "no such asset", "asset", "show", asset)
  }

  // MARK: Check and repair

  @Test func `a check finds nothing after a large import and every kind of change`() throws {
    let assets = try library.addPhotos(40)
    try library.expectOrder()
    let album = try #require(
      try library.json("album", "create", "A", assets[0], assets[1])["identifier"]?.stringValue)
    try library.expectOrder()
    _ = try library.json("folder", "create", "F")
    _ = try library.json("folder", "add", "F", album)
    try library.expectOrder()
    _ = try library.lines("asset", "set", "--favorite", "yes", assets[0], assets[2])
    try library.expectOrder()
    _ = try library.lines("apply", "--filter", "sepia", assets[0], assets[1])
    try library.expectOrder()
    _ = try library.json("undo", assets[0])
    try library.expectOrder()
    _ = try library.json("asset", "delete", "--yes", assets[1])
    _ = try library.json("asset", "purge", "--yes", "--all")
    try library.expectOrder()
  }

  @Test func `check reports losses and modified files with exit code 1`() throws {
    let assets = try library.addPhotos(2)
    try damage(try #require(try library.files(assets[0])[1]))
    // The time of the file is later than its commit, so that it is read also without --deep.
    #expect(
      kinds(try library.run("library", "check", "--json").jsonLines().first) == ["changedFile"])
    let deep = try library.run("library", "check", "--deep", "--json")
    #expect(deep.exitCode == 1)
    let report = try deep.jsonLines().first
    #expect(report?.keys.isSuperset(of: ["isSound", "assets", "files", "actions"]) == true)
    #expect(kinds(report) == ["changedFile"])
    let finding = report?["findings"]?.arrayValue?.first
    #expect(finding?.keys == ["kind", "file", "identifier", "detail", "isError"])
    #expect(finding?["identifier"]?.stringValue == assets[0])
    try FileSystem.remove(try #require(try library.files(assets[1])[1]))
    let found = try library.run("library", "check")
    #expect(found.exitCode == 1)
    #expect(found.output.contains("error: missingFile assets/"))
    #expect(found.errors.contains(": 2 errors\n"))
  }

  @Test func `a library without its database suggests repair, which restores everything`() throws {
    let assets = try library.addPhotos(3)
    _ = try library.json("album", "create", "Lisbon", assets[2], assets[0])
    _ = try library.json("apply", "--filter", "sepia", assets[0])
    let before = try library.lines("asset", "show", assets[0], assets[1], assets[2])
    try removeDatabase()
    for arguments in [["library", "info"], ["library", "check"], ["asset", "list"]] {
      let lost = try library.run(arguments)
      #expect(lost.exitCode == 66)
      #expect(lost.errors.contains("library repair"), "\(lost.errors)")
    }
    let report = try library.json("library", "repair")
    #expect(report["isSound"]?.boolValue == true && report["assets"]?.integerValue == 3)
    #expect(try library.lines("asset", "show", assets[0], assets[1], assets[2]) == before)
    let members = try library.lines("album", "show", "Lisbon")
    #expect(members.map { $0["identifier"]?.stringValue } == [assets[2], assets[0]])
    #expect(try library.json("undo", assets[0])["edited"]?.boolValue == false)
    try library.expectOrder()
  }

  @Test func `repair cannot restore an original, and reports so with exit code 1`() throws {
    let asset = try library.addPhotos(1)[0]
    try FileSystem.remove(try #require(try library.files(asset)[1]))
    let result = try library.run("library", "repair", "--json")
    #expect(result.exitCode == 1)
    #expect(kinds(try result.jsonLines().first) == ["missingFile"])
  }

  // MARK: Backup

  @Test(arguments: [[], ["--no-hardlinks", "--deep"]])
  func `a backup shows the same contents and is unaffected by later changes`(_ options: [String])
    throws
  {
    let assets = try library.addPhotos(2)
    _ = try library.json("apply", "--filter", "sepia", assets[0])
    let result = try library.run(["library", "backup", "copy", "--json"] + options)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try result.jsonLines().first?["isSound"]?.boolValue == true)
    let copy = library.other("copy")
    let states = try copy.json("history", assets[0])
    _ = try library.json("revert", assets[0])
    _ = try library.json("asset", "delete", "--yes", assets[1])
    #expect(try copy.list() == assets)
    #expect(try copy.json("history", assets[0]) == states)
    #expect(try copy.json("show", assets[0])["resumable"]?.boolValue == true)
    try copy.expectOrder()
    try library.expectRefusal(73, "new or empty folder", "library", "backup", "copy")
    try library.expectRefusal(73, "create it first", "library", "backup", "no/where")
  }

  @Test func `a range without an upper bound is shown by its lower bound`() throws {
    let folder = try TemporaryFolder()
    let help = try Tool.run(["help", "asset", "list"], in: folder.path).output
      .split { $0.isWhitespace }.joined(separator: " ")
    #expect(help.contains("Range: 0 or more (default: 0)."))
    #expect(!help.contains("9223372036854775807"))
    let refused = try Tool.run(["asset", "list", "--limit=-1"], in: folder.path)
    #expect(refused.exitCode == 64)
    #expect(refused.errors.contains("(allowed: 0 or more)"), "\(refused.errors)")
  }
}
