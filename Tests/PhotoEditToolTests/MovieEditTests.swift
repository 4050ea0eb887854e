// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Video edits without re-encoding", .runsPrograms)
struct MovieEditTests {
  private let folder: TemporaryFolder
  private let original: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    // A second of 30 frames; each is a key frame.
    var file = MovieFile()
    file.tags = [("com.apple.quicktime.make", "Maker")]
    original = file.bytes
    try folder.write(original, to: "clip.mov")
  }

  private func run(_ arguments: String...) throws -> JSONValue {
    let result = try Tool.run(arguments + ["--json"], in: folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
    return try #require(try result.jsonLines().first)
  }

  private func stream() throws -> JSONValue {
    try #require(try run("inspect", "clip.edited.mov")["streams"]?.arrayValue?.first)
  }

  @Test func `a stored edit is resumed from the original, changed, undone and reverted`() throws {
    let first = try run("apply", "--filter", "trim:start=0.2,end=0.8", "clip.mov")
    #expect(first["method"] == "rewritten")
    #expect(first["kept"]?["start"]?.numberValue == 0.2)
    #expect(first["kept"]?["end"]?.numberValue == 0.8)
    #expect(first["base"] == "original" && first["resumed"] == false)
    #expect(try stream()["packets"] == 18)
    let second = try run("apply", "--filter", "rotate90", "clip.mov")
    #expect(second["resumed"] == true && second["base"] == "original")
    #expect(try stream()["packets"] == 18)
    #expect(try stream()["rotation"] == 90)
    _ = try run("adjust", "clip.mov", "--set", "trim.start=0.5", "--disable", "rotate90")
    #expect(try stream()["packets"] == 9)
    #expect(try stream()["rotation"] == 0)
    let shown = try run("show", "clip.mov")
    #expect(shown["resumable"] == true)
    #expect(shown["graph"]?["nodes"]?.arrayValue?.count == 2)
    _ = try run("undo", "clip.mov")
    #expect(try stream()["rotation"] == 90)
    _ = try run("revert", "clip.mov")
    #expect(!FileSystem.itemExists(folder.path("clip.edited.mov")))
    #expect(try FileBytes.reading(folder.path("clip.mov")).array == original)
  }

  @Test(arguments: ["out.mov", "out.jpg"])
  func `a file that is neither image nor video is named as such`(output: String) throws {
    try folder.write(Array("only text\n".utf8), to: "note.mov")
    for command in [["apply", "--no-sidecar", "-o", output], ["adjust", "-o", output]] {
      let result = try Tool.run(
        command + (command[0] == "apply" ? ["--filter", "invert"] : ["--set", "invert.amount=1"])
          + ["note.mov"], in: folder.path)
      #expect(result.exitCode == 65)
      let message =
        "note.mov: neither a supported image nor a supported video (found text; images: "
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }

  @Test func `a video of another format has its name, after its bytes or its own name`() throws {
    try folder.write([0, 0, 1, 0xBA] + [UInt8](repeating: 0, count: 2000), to: "note.mov")
    try folder.write([1, 2, 0, 3], to: "note.MTS")
    for (file, format) in [("note.mov", "an MPEG video"), ("note.MTS", "an AVCHD video")] {
      let result = try Tool.run(["apply", "--filter", "invert", file], in: folder.path)
      #expect(result.exitCode == 65)
      #expect(result.errors.contains("found \(format)"), "\(result.errors)")
    }
  }

  @Test func `date and location are set, and the media is unchanged`() throws {
    let report = try run(
      "apply", "--no-sidecar", "--filter", "creationDate:date=2024:5:31,time=12:34:56",
      "--filter", "location:latitude=48.5,longitude=2.25", "clip.mov")
    #expect(report["method"] == "retagged")
    #expect(report["sidecar"] == .null)
    let object = try run("inspect", "clip.edited.mov")
    #expect(
      object["tags"]?["com.apple.quicktime.creationdate"] == "2024-05-31T12:34:56+0000")
    #expect(
      object["tags"]?["com.apple.quicktime.location.ISO6709"] == "+48.5000+002.2500/")
    #expect(object["tags"]?["com.apple.quicktime.make"] == "Maker")
    #expect(object["creationDate"]?.numberValue == 1_717_158_896)
  }

  @Test(arguments: [
    (["apply", "--filter", "trim:start=2", "clip.mov"], 65, "the video, which lasts 1.0 s"),
    (["apply", "--filter", "mute", "photo.jpg"], 65, "only videos are supported"),
    (["adjust", "clip.mov", "--remove", "trim"], 65, "not edited"),
    (["apply", "--filter", "trim", "clip.mov"], 64, "specify a parameter"),
  ])
  func `unsupported operations are reported, and nothing is written`(
    arguments: [String], exit: Int, message: String
  ) throws {
    try folder.write(TestImages.bytes("photo-64.jpg"), to: "photo.jpg")
    let before = try FileSystem.names(in: folder.path).sorted()
    let result = try Tool.run(arguments, in: folder.path)
    #expect(Int(result.exitCode) == exit)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(try FileSystem.names(in: folder.path).sorted() == before)
  }

  @Test func `an edit of a changed original is not continued`() throws {
    _ = try run("apply", "--filter", "trim:start=0.5", "clip.mov")
    var file = MovieFile()
    file.frames = 20
    try FileSystem.remove(folder.path("clip.mov"))
    try folder.write(file.bytes, to: "clip.mov")
    let result = try Tool.run(["apply", "--filter", "rotate90", "clip.mov"], in: folder.path)
    #expect(result.exitCode == 65)
    #expect(result.errors.contains("--replace"))
    _ = try run("apply", "--replace", "--filter", "rotate90", "clip.mov")
    #expect(try stream()["packets"] == 20)
  }
}
