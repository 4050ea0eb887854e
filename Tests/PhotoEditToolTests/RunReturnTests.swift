// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Results of a run as edits", .runsPrograms)
struct RunReturnTests {
  private func executed(_ count: Int = 3) throws -> RunFixture {
    let run = try RunFixture(photos: count)
    try run.planned((0..<count).map { run.line($0) })
    try run.execute(0)
    return run
  }

  private func editedCount(_ library: ToolLibrary) throws -> Int {
    try library.lines("asset", "list").count { $0["hasAdjustments"] == true }
  }

  /// A library and a run of its assets.
  private func libraryRun() throws -> (library: ToolLibrary, run: RunFixture, assets: [String]) {
    let library = try ToolLibrary()
    let assets = try library.addPhotos(3)
    let run = try RunFixture(photos: 0, in: library.folder)
    let manifest = try library.run("asset", "list", "--manifest")
    try #require(manifest.exitCode == 0, "\(manifest.errors)")
    try run.planned(manifest.output.split(separator: "\n").map(String.init))
    try run.execute(0)
    return (library, run, assets)
  }

  @Test func `results become edits next to the originals, once`() throws {
    let run = try executed()
    let originals = try (0..<3).map {
      try FileBytes.digest(of: run.folder.path("photos/\($0).jpg"))
    }
    for round in 0..<2 {
      let result = try run.tool(["collect", "run", "--into", "photos", "--json"])
      #expect(result.exitCode == 0, "\(result.errors)")
      let outcomes = try result.jsonLines().compactMap { $0["outcome"]?.stringValue }
      #expect(outcomes == Array(repeating: round == 0 ? "created" : "unchanged", count: 3))
      #expect(
        try FileSystem.names(in: run.folder.path("photos"))
          == (0..<3).flatMap { ["\($0).edited.jpg", "\($0).jpg", "\($0).jpg.aae"] }.sorted())
    }
    for number in 0..<3 {
      let name = "photos/\(number).jpg"
      #expect(try FileBytes.digest(of: run.folder.path(name)) == originals[number])
      let shown = try #require(try run.tool(["show", name, "--json"]).jsonLines().first)
      #expect(shown["resumable"] == true)
    }
    // The edit continues as if it had been made here.
    let adjusted = try run.tool(["adjust", "photos/0.jpg", "--set", "sepia.amount=0.4", "--json"])
    #expect(adjusted.exitCode == 0, "\(adjusted.errors)")
    #expect(try adjusted.jsonLines().first?["resumed"] == true)
    let undone = try run.tool(["undo", "photos/0.jpg"])
    #expect(undone.exitCode == 0, "\(undone.errors)")
    let reverted = try run.tool(["revert", "photos/0.jpg"])
    #expect(reverted.exitCode == 0, "\(reverted.errors)")
    #expect(!FileSystem.itemExists(run.folder.path("photos/0.edited.jpg")))
  }

  @Test func `other originals and edits made in the meantime are left alone`() throws {
    let run = try executed()
    #expect(try run.tool(["apply", "photos/0.jpg", "--filter", "invert"]).exitCode == 0)
    let edit = try FileBytes.digest(of: run.folder.path("photos/0.edited.jpg"))
    try run.folder.write(try ImageFile().jpeg(77), to: "photos/1.jpg")
    let result = try run.tool(["collect", "run", "--into", "photos", "--json"])
    #expect(result.exitCode == 1)
    let codes = try result.jsonLines().compactMap { $0["error"]?["code"]?.stringValue }
    #expect(Set(codes) == ["edited", "changed"])
    #expect(try FileBytes.digest(of: run.folder.path("photos/0.edited.jpg")) == edit)
    #expect(!FileSystem.itemExists(run.folder.path("photos/1.jpg.aae")))
    let replaced = try run.tool(["collect", "run", "--into", "photos", "--replace", "--json"])
    #expect(
      try replaced.jsonLines().compactMap { $0["outcome"]?.stringValue }.sorted()
        == ["replaced", "unchanged"])
    #expect(try FileBytes.digest(of: run.folder.path("photos/0.edited.jpg")) != edit)
  }

  @Test(arguments: [
    "../victim/a.jpg", "sub/../../victim/a.jpg", "/victim/a.jpg", "sub/./a.jpg", "link/a.jpg",
    "sub/link/a.jpg", "sub/a.jpg", "inner/x.jpg",
  ])
  func `a result is not saved outside of the folder`(_ id: String) throws {
    let run = try RunFixture(photos: 1)
    let photo = try ImageFile().jpeg(1)
    for name in ["victim", "into", "into/sub", "into/sub/sub"] {
      try FileSystem.createFolder(run.folder.path(name))
    }
    try run.folder.write(photo, to: "victim/a.jpg")
    try run.folder.write(photo, to: "into/sub/sub/x.jpg")
    let victim = run.folder.path("victim")
    for name in ["into/link", "into/sub/link"] {
      #expect(symlink(victim, run.folder.path(name)) == 0)
    }
    #expect(symlink(victim + "/a.jpg", run.folder.path("into/sub/a.jpg")) == 0)
    #expect(symlink("sub/sub", run.folder.path("into/inner")) == 0)
    let path = run.folder.path("photos/0.jpg")
    let id = id.hasPrefix("/") ? run.folder.path(String(id.dropFirst())) : id
    try run.planned([#"{"id":"\#(id)","src":"file://\#(path)"}"#])
    try run.execute(0)
    let result = try run.tool(["collect", "run", "--into", "into", "--json"])
    #expect(result.exitCode == 1, "\(result.errors)")
    let codes = try result.jsonLines().compactMap { $0["error"]?["code"]?.stringValue }
    #expect(codes == ["outside"], "\(result.output)")
    #expect(try FileSystem.names(in: victim) == ["a.jpg"])
    #expect(try FileSystem.names(in: run.folder.path("into/sub/sub")) == ["x.jpg"])
    #expect(try FileSystem.names(in: run.folder.path("into/sub")) == ["a.jpg", "link", "sub"])
  }

  @Test func `a result is saved in subfolders of a folder that is a link`() throws {
    let run = try RunFixture(photos: 0)
    for name in ["photos/2024", "photos/2024/May"] {
      try FileSystem.createFolder(run.folder.path(name))
    }
    try run.folder.write(try ImageFile().jpeg(1), to: "photos/2024/May/a.jpg")
    #expect(symlink("photos", run.folder.path("linked")) == 0)
    try run.planned([#"{"id":"a","src":"2024/May/a.jpg"}"#])
    try run.execute(0)
    let result = try run.tool(["collect", "run", "--into", "linked", "--json"])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      try result.jsonLines().compactMap { $0["input"]?.stringValue } == ["linked/2024/May/a.jpg"])
    let folder = run.folder.path("photos/2024/May")
    #expect(try FileSystem.names(in: folder) == ["a.edited.jpg", "a.jpg", "a.jpg.aae"])
    let shown = try #require(
      try run.tool(["show", "photos/2024/May/a.jpg", "--json"]).jsonLines().first)
    #expect(shown["resumable"] == true)
    // Messages name the folder as the user did.
    try FileSystem.remove(folder + "/a.edited.jpg")
    try FileSystem.createFolder(folder + "/a.edited.jpg")
    let blocked = try run.tool(["collect", "run", "--into", "linked", "--replace", "--json"])
    #expect(!blocked.output.contains("/proc/") && !blocked.errors.contains("/proc/"))
  }

  @Test func `files of a run are not read through links`() throws {
    for name in ["results/0-0.1.jsonl", "shards/0-0.jsonl", "run.json", "results", "shards"] {
      let run = try executed(1)
      let moved = run.folder.path("moved")
      try FileSystem.rename(run.folder.path("run/" + name), to: moved)
      #expect(symlink(moved, run.folder.path("run/" + name)) == 0)
      let result = try run.tool(["collect", "run", "--json"])
      #expect(result.exitCode == 65, "\(name): \(result.errors)")
      #expect(result.errors.contains("symbolic link") || result.output.contains("symbolic link"))
    }
    for name in ["shards", "levels", "looks", "results"] {
      let run = try executed(1)
      try FileSystem.rename(run.folder.path("run/" + name), to: run.folder.path("moved"))
      #expect(symlink(run.folder.path("moved"), run.folder.path("run/" + name)) == 0)
      let before = try FileSystem.names(in: run.folder.path("moved"))
      #expect(try run.tool(["plan", "--resume", "--run", "run"]).exitCode == 65)
      #expect(try FileSystem.names(in: run.folder.path("moved")) == before)
    }
  }

  @Test func `results are not read through links`() throws {
    let run = try RunFixture(photos: 1)
    try run.planned([run.line(0, #","out":"named/a.jpg""#)])
    try run.execute(0)
    #expect(try run.collect("--check").exitCode == 0)
    try FileSystem.rename(run.folder.path("out/named"), to: run.folder.path("moved"))
    #expect(symlink(run.folder.path("moved"), run.folder.path("out/named")) == 0)
    #expect(try run.collect("--check").exitCode == 65)
  }

  @Test func `originals that a run names are added only if they are those that were rendered`()
    throws
  {
    let library = try ToolLibrary()
    let run = try RunFixture(photos: 1, in: library.folder)
    let path = run.folder.path("photos/0.jpg")
    try run.planned([#"{"id":"p0","src":"file://\#(path)"}"#])
    try run.execute(0)
    try run.folder.write(try ImageFile().jpeg(99), to: "photos/0.jpg")
    let other = try library.run("asset", "import", "--run", "run", "--add-originals", "--json")
    #expect(other.exitCode != 0)
    #expect(try library.lines("asset", "list").isEmpty)
  }

  @Test func `results become edits of the assets of a library, once`() throws {
    let (library, run, assets) = try libraryRun()
    let commits = { try library.json("library", "info")["commits"] }
    let imported = try library.lines("asset", "import", "--run", "run")
    #expect(Set(imported.compactMap { $0["asset"]?.stringValue }) == Set(assets))
    #expect(imported.allSatisfy { $0["outcome"] == "created" })
    let after = try commits()
    let again = try library.lines("asset", "import", "--run", "run")
    #expect(again.count == 3 && again.allSatisfy { $0["outcome"] == "unchanged" })
    #expect(try commits() == after)
    let shown = try library.json("show", assets[0])
    #expect(shown["resumable"] == true)
    let rendering = try library.files(assets[0])
    #expect(rendering.count == 3)
    #expect(try library.json("adjust", assets[0], "--set", "sepia.amount=0.4")["resumed"] == true)
    for command in ["undo", "redo", "undo", "revert"] {
      let result = try library.run(command, assets[0])
      #expect(result.exitCode == 0, "\(command): \(result.errors)")
    }
    try library.expectOrder()
    _ = run
  }

  @Test func `an edit made in the meantime is reported and replaced only on request`() throws {
    let (library, _, assets) = try libraryRun()
    _ = try library.json("apply", assets[1], "--filter", "invert")
    let result = try library.run("asset", "import", "--run", "run", "--json")
    #expect(result.exitCode == 1)
    let errors = try result.jsonLines().compactMap { $0["error"] }
    #expect(errors.count == 1 && errors[0]["exit"] == 75 && errors[0]["code"] == "edited")
    let planned = try library.run("asset", "list", "--manifest")
    #expect(planned.output.isEmpty && planned.errors.contains("3 edited photos"))
    let replaced = try library.lines("asset", "import", "--run", "run", "--replace")
    #expect(
      replaced.compactMap { $0["outcome"]?.stringValue }.sorted()
        == ["replaced", "unchanged", "unchanged"])
    try library.expectOrder()
  }

  @Test func `missing originals are imported on request`() throws {
    let run = try executed()
    let library = try ToolLibrary()
    let destination = ["--run", run.folder.path("run")]
    let refused = try library.run(["asset", "import", "--json"] + destination)
    #expect(refused.exitCode == 1)
    #expect(
      try refused.jsonLines().compactMap { $0["error"]?["code"]?.stringValue }
        == ["noOriginal", "noOriginal", "noOriginal"])
    let added = try library.run(["asset", "import", "--add-originals"] + destination)
    #expect(added.exitCode == 0, "\(added.errors)")
    #expect(try editedCount(library) == 3)
    try library.expectOrder()
  }

  @Test func `a rendering that is not what its record says is not imported`() throws {
    let (library, run, _) = try libraryRun()
    let results = try run.lines(of: "run/results/0-0.1.jsonl")
    let rendering = try #require(results[0]["rendering"]?.stringValue)
    let blob = run.folder.path("out/blobs/\(rendering.prefix(2))/\(rendering).jpg")
    let bytes = try FileBytes.reading(blob).array
    try FileSystem.remove(blob)
    try StagedFile.write(bytes.dropLast(9), to: blob)
    // A record that names a file of its own making, whose digest is right.
    let forged = Array("not an image".utf8)
    let digest = SHA256Digest(of: forged).hex
    let key = try #require(results[1]["key"]?.stringValue)
    let record = run.folder.path("out/records/\(key.prefix(2))/\(key).json")
    var fields = try #require(
      try JSONValue(parsing: FileBytes.reading(record).array).objectValue)
    fields["rendering"] = .string(digest)
    try FileSystem.remove(record)
    try StagedFile.write(try JSONValue.object(fields).canonicalBytes(), to: record)
    try FileManager.default.createDirectory(
      atPath: run.folder.path("out/blobs/\(digest.prefix(2))"), withIntermediateDirectories: true)
    try StagedFile.write(
      forged, to: run.folder.path("out/blobs/\(digest.prefix(2))/\(digest).jpg"))
    var line = try #require(results[1].objectValue)
    line["rendering"] = .string(digest)
    try FileSystem.remove(run.folder.path("run/results/0-0.1.jsonl"))
    try run.record([results[0], .object(line), results[2]], "0-0.1")
    let result = try library.run("asset", "import", "--run", "run", "--json")
    #expect(result.exitCode == 1, "\(result.errors)")
    #expect(try result.jsonLines().compactMap { $0["outcome"] } == ["created"])
    #expect(try editedCount(library) == 1)
    try library.expectOrder()
  }
}
