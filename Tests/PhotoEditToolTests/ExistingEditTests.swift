// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Repeated batches", .runsPrograms)
struct ExistingEditTests {
  private let folder: TemporaryFolder
  private let words = ["--filter", "exposure:ev=0.5", "--filter", "sepia"]

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a.jpg", "b.jpg"] {
      try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: name)
    }
    try folder.write(MovieFile().bytes, to: "clip.mov")
  }

  private func run(_ arguments: [String], exitCode: Int32 = 0) throws -> Tool.Result {
    let result = try Tool.run(arguments, in: folder.path)
    #expect(result.exitCode == exitCode, "\(arguments): \(result.errors)")
    return result
  }

  private func outcomes(_ arguments: [String]) throws -> [String?] {
    try run(["apply", "--json"] + arguments).jsonLines().map { $0["outcome"]?.stringValue }
  }

  private func filters(_ photo: String) throws -> [String?] {
    let shown = try #require(try run(["show", "--json", photo]).jsonLines().first)
    return shown["graph"]?["nodes"]?.arrayValue?.map { $0["filter"]?.stringValue } ?? []
  }

  /// Every file with its digest, inode number and modification time.
  private func files() throws -> [String: [String]] {
    var facts: [String: [String]] = [:]
    for name in try FileSystem.names(in: folder.path)
    where try FileSystem.entry(at: folder.path(name)) == .file {
      var status = stat()
      try #require(stat(folder.path(name), &status) == 0)
      facts[name] = [
        try FileBytes.digest(of: folder.path(name)).hex, "\(status.st_ino)",
        "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)",
      ]
    }
    return facts
  }

  @Test func `an update replaces the edit with the given one; repeating it does nothing`() throws {
    #expect(try outcomes(["--update"] + words + ["a.jpg"]) == ["created"])
    let before = try files()
    #expect(try outcomes(["--update"] + words + ["a.jpg", "b.jpg"]) == ["unchanged", "created"])
    for (name, facts) in before { #expect(try files()[name] == facts, "\(name) was touched") }
    #expect(try outcomes(["--update", "--filter", "sepia", "a.jpg"]) == ["updated"])
    #expect(try filters("a.jpg") == ["sepia"])
    #expect(try filters("b.jpg") == ["exposure", "sepia"])
    #expect(try run(["undo", "a.jpg"]).exitCode == 0)
    #expect(try filters("a.jpg") == ["exposure", "sepia"])
  }

  @Test func `repeating an interrupted batch gives the result of an uninterrupted one`() throws {
    _ = try outcomes(["--update"] + words + ["a.jpg"])
    _ = try outcomes(["--update"] + words + ["a.jpg", "b.jpg"])
    #expect(
      try FileBytes.digest(of: folder.path("a.edited.jpg"))
        == FileBytes.digest(of: folder.path("b.edited.jpg")))
    #expect(try outcomes(["--update"] + words + ["a.jpg", "b.jpg"]) == ["unchanged", "unchanged"])
  }

  @Test func `an update renders again if the rendering is missing, moved or of another quality`()
    throws
  {
    let update = ["--update"] + words + ["a.jpg"]
    _ = try outcomes(update)
    try FileSystem.remove(folder.path("a.edited.jpg"))
    #expect(try outcomes(update) == ["updated"])
    #expect(FileSystem.itemExists(folder.path("a.edited.jpg")))
    #expect(try outcomes(update + ["--quality", "50"]) == ["updated"])
    #expect(try outcomes(update + ["--quality", "50"]) == ["unchanged"])
    #expect(try outcomes(update) == ["unchanged"], "the quality of the stored edit is kept")
    #expect(try outcomes(update + ["-o", "c.jpg"]) == ["updated"])
    #expect(FileSystem.itemExists(folder.path("c.jpg")))
  }

  @Test func `the same filters again are appended with a warning, different ones without`() throws {
    #expect(try run(["apply"] + words + ["a.jpg"]).errors.contains("again") == false)
    let again = try run(["apply"] + words + ["a.jpg"])
    #expect(again.errors.contains("warning: a.jpg: the edit already ended with the same filters"))
    #expect(again.errors.contains("appended again (2 added, 4 in total)"))
    let other = try run(["apply", "--filter", "sepia:amount=0.5", "a.jpg"])
    #expect(!other.errors.contains("warning"))
    #expect(try filters("a.jpg").count == 5)
    #expect(try outcomes(words + ["b.jpg"]) == ["created"])
    #expect(try outcomes(["--filter", "sepia", "b.jpg"]) == ["repeated"])
    #expect(try outcomes(["--filter", "exposure:ev=0.5", "b.jpg"]) == ["appended"])
    #expect(try outcomes(["--replace", "--filter", "sepia", "b.jpg"]) == ["replaced"])
  }

  @Test func `edited photos and existing output paths are skipped`() throws {
    _ = try outcomes(["--filter", "sepia", "a.jpg"])
    let before = try files()
    let skip = ["--skip-existing", "--filter", "invert"]
    #expect(try outcomes(skip + ["a.jpg", "b.jpg"]) == ["skipped", "created"])
    for (name, facts) in before { #expect(try files()[name] == facts, "\(name) was touched") }
    #expect(try run(["apply"] + skip + ["a.jpg"]).errors.contains("a.jpg: skipped; already edited"))
    try folder.write([1], to: "kept.jpg")
    let line = try run(["apply", "--json"] + skip + ["--no-sidecar", "-o", "kept.jpg", "b.jpg"])
      .jsonLines()
    #expect(line.first?["skipped"] == true && line.first?["output"] == "kept.jpg")
    #expect(try FileBytes.reading(folder.path("kept.jpg")).array == [1])
    _ = try run(["apply"] + skip + ["none.jpg"], exitCode: 66)
  }

  @Test func `videos are updated and skipped by the same rules`() throws {
    let words = ["--filter", "trim:start=0.2,end=0.8", "clip.mov"]
    #expect(try outcomes(["--update"] + words) == ["created"])
    let before = try files()
    #expect(try outcomes(["--update"] + words) == ["unchanged"])
    #expect(try outcomes(["--skip-existing", "--filter", "mute", "clip.mov"]) == ["skipped"])
    #expect(try files() == before)
    #expect(try outcomes(["--update", "--filter", "mute", "clip.mov"]) == ["updated"])
    #expect(try filters("clip.mov") == ["mute"])
    #expect(try outcomes(["--filter", "rotate90", "clip.mov"]) == ["appended"])
    #expect(
      try run(["apply", "--filter", "rotate90", "clip.mov"]).errors.contains("again (1 added, 3"))
  }

  @Test func `library assets are updated and skipped by the same rules`() throws {
    let library = try ToolLibrary()
    let asset = try library.add(try TestImages.bytes("inputs/photo-64.jpg"), as: "photo.jpg")
    func outcome(_ arguments: String...) throws -> String? {
      let result = try library.run(["apply", "--json"] + arguments + [asset])
      #expect(result.exitCode == 0, "\(result.errors)")
      return try result.jsonLines().first?["outcome"]?.stringValue
    }
    #expect(try outcome("--update", "--filter", "sepia") == "created")
    let commits = try library.lines("changes").count
    #expect(try outcome("--update", "--filter", "sepia") == "unchanged")
    #expect(try outcome("--skip-existing", "--filter", "invert") == "skipped")
    #expect(try library.lines("changes").count == commits)
    #expect(try outcome("--filter", "sepia") == "repeated")
    #expect(try outcome("--update", "--filter", "invert") == "updated")
    let shown = try library.json("show", asset)
    #expect(shown["graph"]?["nodes"]?.arrayValue?.map { $0["filter"]?.stringValue } == ["invert"])
  }

  @Test func `the modes exclude each other, and an update requires a recorded edit`() throws {
    for words in [
      ["--update", "--replace"], ["--update", "--skip-existing"], ["--replace", "--skip-existing"],
      ["--update", "--no-sidecar"],
    ] {
      _ = try run(["apply", "--filter", "sepia", "a.jpg"] + words, exitCode: 64)
    }
    #expect(try FileSystem.names(in: folder.path) == ["a.jpg", "b.jpg", "clip.mov"])
  }
}
