// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Editing commands on assets, and export", .runsPrograms)
struct LibraryEditingTests {
  private let library: ToolLibrary
  private let asset: String
  private let original: [UInt8]

  init() throws {
    library = try ToolLibrary()
    original = try TestImages.bytes("photo-64.jpg")
    asset = try library.add(original, as: "photo.jpg")
  }

  /// Attributes of the original's file that an edit must keep; a new hard link changes ctime.
  private func originalFacts() throws -> [Int] {
    let path = try #require(try library.files(asset)[1])
    #expect(try FileBytes.digest(of: path) == SHA256Digest(of: original))
    var status = stat()
    try #require(stat(path, &status) == 0)
    return [
      Int(status.st_ino), Int(status.st_size), Int(status.st_mode), status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
  }

  private func filters() throws -> [String?] {
    let graph = try library.json("show", asset)["graph"]
    return (graph?["nodes"]?.arrayValue ?? []).map { $0["filter"]?.stringValue }
  }

  // MARK: Editing

  @Test func `every editing command works on an asset and leaves the original unchanged`() throws {
    let before = try originalFacts()
    let first = try library.json("apply", "--filter", "sepia", asset)
    #expect(first["input"]?.stringValue == asset && first["sidecar"]?.isNull == true)
    #expect(first["base"]?.stringValue == "original" && first["resumed"]?.boolValue == false)
    let second = try library.json("apply", "--filter", "exposure:ev=0.5", asset)
    #expect(second["resumed"]?.boolValue == true)
    let third = try library.json("adjust", asset, "--set", "exposure.ev=0.25", "--disable", "n1")
    #expect(third["base"]?.stringValue == "original" && third["resumed"]?.boolValue == true)

    let show = try library.json("show", asset)
    #expect(show["edited"]?.boolValue == true && show["resumable"]?.boolValue == true)
    #expect(show["undoable"]?.integerValue == 3 && show["redoable"]?.integerValue == 0)
    let versions = show["versions"]?.arrayValue ?? []
    #expect(versions.map { $0["name"]?.stringValue } == ["original", "current"])
    #expect(versions.allSatisfy { $0["asRecorded"]?.boolValue == true })
    #expect(try filters() == ["sepia", "exposure"])
    let states = try library.json("history", asset)["states"]?.arrayValue ?? []
    #expect(states.map { $0["state"]?.stringValue } == ["undo", "undo", "undo", "current"])
    #expect(states.last?["summary"]?.stringValue == "(sepia), exposure")

    #expect(try library.json("undo", asset)["edited"]?.boolValue == true)
    #expect(try library.json("undo", asset)["undoable"]?.integerValue == 1)
    #expect(try filters() == ["sepia"])
    #expect(try library.json("redo", asset)["redoable"]?.integerValue == 1)
    #expect(try filters() == ["sepia", "exposure"])
    let reverted = try library.json("revert", asset)
    #expect(reverted["edited"]?.boolValue == false && reverted["changed"]?.boolValue == true)
    #expect(try library.json("asset", "show", asset)["hasAdjustments"]?.boolValue == false)
    #expect(try library.json("undo", asset)["edited"]?.boolValue == true)
    #expect(try filters() == ["sepia", "exposure"])
    #expect(try originalFacts() == before)
    try library.expectOrder()
  }

  @Test func `several assets are edited at once, and a failure does not stop the others`() throws {
    let more = try library.addPhotos(3)
    let result = try library.run(
      ["apply", "--filter", "invert", "--json", "-j", "2"] + [more[0], "ffffffff"] + more[1...])
    #expect(result.exitCode == 1)
    let lines = try result.jsonLines()
    #expect(
      lines.map { $0["input"]?.stringValue } == [more[0], "ffffffff", more[1], more[2]])
    #expect(lines[1]["error"]?["exit"]?.integerValue == 66)
    #expect(try library.json("library", "info")["edited"]?.integerValue == 3)
    try library.expectOrder()
  }

  @Test func `a library video is edited without re-encoding, adjusted and reverted`() throws {
    let bytes = MovieFile().bytes
    let movie = try library.add(bytes, as: "a.mov")
    let made = try library.json("apply", "--filter", "trim:start=0.2,end=0.8", movie)
    #expect(made["method"] == "rewritten" && made["sidecar"] == .null && made["resumed"] == false)
    func duration() throws -> Double? {
      try library.json("asset", "show", movie)["duration"]?.numberValue
    }
    #expect(try duration() == 0.6)
    let rotated = try library.json("apply", "--filter", "rotate90", movie)
    #expect(rotated["resumed"] == true && rotated["base"] == "original")
    let changed = try library.json("adjust", movie, "--set", "trim.start=0.5")
    #expect(changed["resumed"] == true)
    #expect(try duration() == 0.3)
    #expect(try library.json("show", movie)["graph"]?["nodes"]?.arrayValue?.count == 2)
    _ = try library.json("undo", movie)
    #expect(try duration() == 0.6)
    _ = try library.json("revert", movie)
    #expect(try duration() == 1)
    let path = try #require(try library.files(movie)[2])
    #expect(try FileBytes.digest(of: path) == SHA256Digest(of: bytes))
    try library.expectOrder()
  }

  @Test func `a dry run leaves the asset unchanged`() throws {
    _ = try library.json("apply", "--filter", "sepia", asset)
    let (before, stored) = (try library.json("history", asset), try library.storedFiles())
    for command in [
      ["apply", "-n", "--filter", "invert"], ["adjust", "-n", "--disable", "n1"], ["revert", "-n"],
      ["undo", "-n"],
    ] {
      let result = try library.run([command[0], asset] + command.dropFirst())
      #expect(result.exitCode == 0, "\(command): \(result.errors)")
    }
    #expect(try library.json("history", asset) == before)
    #expect(try library.storedFiles() == stored)
  }

  @Test func `invalid operations on assets are rejected and change nothing`() throws {
    try library.expectRefusal(
      64, "asset export", "apply", "--filter", "sepia", "-o", "x.jpg", asset)
    try library.expectRefusal(
      64, "--no-sidecar", "apply", "--filter", "sepia", "--no-sidecar", asset)
    try library.expectRefusal(64, "nothing to do", "apply", asset)
    try library.expectRefusal(64, "did you mean 'sepia'", "apply", "--filter", "sepi", asset)
    try library.expectRefusal(65, "not edited", "adjust", asset, "--disable", "n1")
    try library.expectRefusal(65, "nothing to undo", "undo", asset)
    try library.expectRefusal(66, "no such asset", "apply", "--filter", "sepia", "photo.jpg")
    let movie = try library.add(MovieFile().bytes, as: "a.mov")
    try library.expectRefusal(65, "the video is damaged", "apply", "--filter", "sepia", movie)
    try library.expectRefusal(64, "nothing to do", "apply", movie)
    #expect(try library.json("library", "info")["edited"]?.integerValue == 0)
  }

  @Test func `with only the variable set, an existing file is a file, anything else an asset`()
    throws
  {
    let variables = ["PHOTOEDIT_LIBRARY": library.folder.path("library")]
    for input in ["photo.jpg", asset] {
      let result = try Tool.run(
        ["apply", "--filter", "sepia", input], in: library.folder.path, environment: variables)
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    #expect(
      try Set(FileSystem.names(in: library.folder.path)) == [
        "library", "photo.jpg", "photo.edited.jpg", "photo.jpg.aae",
      ])
    #expect(try library.json("library", "info")["edited"]?.integerValue == 1)
    let none = try Tool.run(
      ["show", "none.jpg"], in: library.folder.path, environment: variables)
    #expect(none.exitCode == 66)
  }

  // MARK: Export

  private func export(_ version: String) throws -> [String: SHA256Digest] {
    try library.write([], to: "\(version)/.keep")
    let report = try library.json("asset", "export", asset, "--variant", version, "-o", version)
    #expect(report.keys == ["schemaVersion", "asset", "version", "files"])
    #expect(report["asset"]?.stringValue == asset && report["version"]?.stringValue == version)
    var files: [String: SHA256Digest] = [:]
    for file in report["files"]?.arrayValue ?? [] {
      #expect(file.keys == ["path", "type", "bytes", "digest"])
      let path = try #require(file["path"]?.stringValue)
      let digest = try FileBytes.digest(of: path)
      #expect(file["digest"]?.stringValue == digest.description)
      files[String(path.dropFirst(library.folder.path.count + 1))] = digest
    }
    return files
  }

  @Test func `the original is exported byte for byte, the current version with edits`() throws {
    #expect(try export("current") == ["current/photo.jpg": SHA256Digest(of: original)])
    _ = try library.json("apply", "--filter", "sepia", asset)
    #expect(try export("original") == ["original/photo.jpg": SHA256Digest(of: original)])
    let current = try FileBytes.digest(of: try #require(try library.files(asset)[5]))
    try FileSystem.remove(library.folder.path("current/photo.jpg"))
    #expect(try export("current") == ["current/photo.jpg": current])
    #expect(current != SHA256Digest(of: original))
  }

  @Test func `exported files can be imported again, and the edit continues`() throws {
    _ = try library.json("apply", "--filter", "sepia", asset)
    _ = try library.json("apply", "--filter", "exposure:ev=0.5", asset)
    let files = try export("all")
    #expect(
      Set(files.keys) == [
        "all/photo.jpg", "all/photo.edited.jpg", "all/photo.jpg.aae", "all/photo.jpg.xmp",
      ])
    let second = try library.second()
    let imported = try second.lines("asset", "import", "all")
    #expect(imported.last?["assets"]?.integerValue == 1)
    let copy = try #require(try second.list().first)
    #expect(copy != asset)
    let show = try second.json("show", copy)
    #expect(show["resumable"]?.boolValue == true)
    #expect(show["graph"] == (try library.json("show", asset))["graph"])
    let adjusted = try second.json("adjust", copy, "--set", "exposure.ev=0.25")
    #expect(adjusted["base"]?.stringValue == "original")
    // The same change to this photo gives the same image.
    let here = try library.json("adjust", asset, "--set", "exposure.ev=0.25")
    #expect(adjusted["graph"] == here["graph"] && adjusted["bytes"] == here["bytes"])
    #expect(try second.json("revert", copy)["edited"]?.boolValue == false)
    #expect(
      try FileBytes.digest(of: try #require(try second.files(copy)[1]))
        == SHA256Digest(of: original))
    try second.expectOrder()
  }

  @Test func `an export overwrites nothing and requires an existing folder`() throws {
    try library.expectRefusal(73, "--force", "asset", "export", asset, "-o", ".")
    #expect(try library.run("asset", "export", asset, "-o", ".", "--force").exitCode == 0)
    try library.expectRefusal(73, "none", "asset", "export", asset, "-o", "none")
    try library.expectRefusal(73, "photo.jpg", "asset", "export", asset, "-o", "photo.jpg")
    #expect(try library.run("asset", "export", asset).exitCode == 64)
    #expect(try library.run("asset", "export", "-o", ".").exitCode == 64)
    #expect(
      try library.run("asset", "export", asset, "-o", ".", "--variant", "best").exitCode == 64)
    // Duplicate names are numbered; an unknown asset does not stop the others.
    let twin = try library.add(try ImageFile().jpeg(1), as: "twin/photo.jpg")
    try library.write([], to: "out/.keep")
    let result = try library.run("asset", "export", asset, "ffffffff", twin, "-o", "out")
    #expect(result.exitCode == 1)
    let names = result.output.split(separator: "\n").map { FileSystem.lastName(of: String($0)) }
    #expect(names == ["photo.jpg", "photo (2).jpg"])
  }
}
