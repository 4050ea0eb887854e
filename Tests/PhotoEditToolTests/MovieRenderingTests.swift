// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite(
  "photoedit apply on videos", .runsPrograms,
  .enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
struct MovieRenderingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeClip(
    _ name: String, size: String = "64x48", attaching: Bool = false
  ) throws {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let words =
      "-v error -f lavfi -i testsrc=size=\(size):rate=25:duration=0.4 -f lavfi "
      + "-i sine=frequency=440:duration=0.4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac"
    var all = words.split(separator: " ").map(String.init)
    if attaching {
      try folder.write([UInt8](0...255), to: "font.ttf")
      all += ["-attach", "\(folder.path)/font.ttf", "-metadata:s:t", "mimetype=font/ttf"]
    }
    try #require(
      Program.run(ffmpeg, all + ["\(folder.path)/\(name)"], output: "\(folder.path)/log") == 0)
  }

  private func apply(_ arguments: String...) throws -> (JSONValue, Tool.Result) {
    try run(arguments)
  }

  private func applyAll(_ arguments: [String]) throws -> ([String: JSONValue], Tool.Result) {
    let (report, result) = try run(arguments)
    return (try #require(report.objectValue), result)
  }

  private func run(_ arguments: [String]) throws -> (JSONValue, Tool.Result) {
    let result = try Tool.run(
      ["apply", "--json", "--video-preset", "ultrafast"] + arguments, in: folder.path)
    return (try #require(try result.jsonLines().first), result)
  }

  private func digest(_ name: String) throws -> String {
    try FileBytes.reading("\(folder.path)/\(name)").digest().description
  }

  @Test(arguments: ["h264", "hevc"])
  func `a video is rendered to the same bytes whatever memory held before`(codec: String) throws {
    try makeClip("clip.mov", size: "320x240")
    // The C library fills new memory with the complement of this number.
    let digests = try ["0", "1", "77", "200", "254"].map { number in
      let result = try Tool.run(
        [
          "apply", "--update", "--filter", "sepia", "--video-codec", codec,
          "-o", "\(number).mov", "clip.mov",
        ],
        in: folder.path, environment: ["MALLOC_PERTURB_": number])
      #expect(result.exitCode == 0, "\(result.errors)")
      return try digest("\(number).mov")
    }
    #expect(Set(digests).count == 1)
  }

  @Test(arguments: ["clip.mov", "clip.mp4", "clip.mkv"])
  func `filters apply to every frame, and the edit is resumed and reverted`(name: String) throws {
    try makeClip(name)
    let original = try digest(name)
    let (first, result) = try apply("--filter", "grayscale", name)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(first["path"] == "rendered" && first["frames"]?["count"] == 10)
    #expect(first["resumed"] == false && first["base"] == "original")
    #expect(first["frames"]?["codec"] == "h264" && first["frames"]?["width"] == 64)
    #expect(try first["digest"]?.stringValue == digest("clip.edited.mov"))
    let (second, _) = try apply("--filter", "crop:w=0.5", "--video-codec", "hevc", name)
    #expect(second["resumed"] == true && second["base"] == "original")
    #expect(second["frames"]?["width"] == 32 && second["frames"]?["codec"] == "hevc")
    #expect(second["frames"]?["upright"] == true)
    #expect(second["graph"] != first["graph"])
    let undone = try Tool.run(["undo", name], in: folder.path)
    #expect(undone.exitCode == 0, "\(undone.errors)")
    #expect(try first["digest"]?.stringValue == digest("clip.edited.mov"))
    #expect(try Tool.run(["revert", name], in: folder.path).exitCode == 0)
    #expect(try digest(name) == original)
  }

  @Test(arguments: [[], ["rotate90"], ["mute"], ["sepia"]], ["clip.mp4", "clip.mkv"])
  func `a dry run gives the report of the run and leaves no files`(
    filters: [String], name: String
  ) throws {
    try makeClip(name)
    let words = filters.flatMap { ["--filter", $0] } + [name]
    for destination in [[], ["--no-sidecar"]] {
      let before = try FileSystem.names(in: folder.path).sorted()
      let (plan, result) = try applyAll(["--dry-run"] + destination + words)
      #expect(result.exitCode == 0 && result.errors.contains("dry run"), "\(result.errors)")
      #expect(try FileSystem.names(in: folder.path).sorted() == before)
      let (made, _) = try applyAll(destination + ["--force"] + words)
      #expect(Set(plan.keys) == Set(made.keys))
      for key in plan.keys where key != "milliseconds" { #expect(plan[key] == made[key], "\(key)") }
      for name in ["clip.edited.mov", "\(name).aae"] {
        try? FileSystem.remove("\(folder.path)/\(name)")
      }
    }
  }

  @Test(arguments: [[], ["rotate90"], ["sepia"], ["mute", "sepia"]])
  func `losses are reported, and rejected with --strict`(filters: [String]) throws {
    try makeClip("clip.mkv", attaching: true)
    let words = filters.flatMap { ["--filter", $0] } + ["clip.mkv"]
    let before = try FileSystem.names(in: folder.path).sorted()
    for destination in [[], ["--no-sidecar"], ["--dry-run"]] {
      let (refusal, result) = try applyAll(["--strict"] + destination + words)
      #expect(result.exitCode == 65)
      let error = try #require(refusal["error"])
      #expect(error["code"] == "losses")
      #expect(error["message"]?.stringValue?.contains("a cover image or attachment") == true)
      #expect(try FileSystem.names(in: folder.path).sorted() == before)
    }
    let (report, result) = try applyAll(words)
    #expect(result.exitCode == 0)
    #expect(report["losses"]?.arrayValue?.isEmpty == false)
    #expect(result.errors.contains("a cover image or attachment"))
  }

  @Test(arguments: [
    ("clip.mov", [], "copied"), ("clip.mp4", [], "boxes"), ("clip.mkv", [], "libavformat"),
    ("clip.mp4", ["--remux", "libavformat"], "libavformat"),
    ("clip.mp4", ["--filter", "sepia"], "boxes"),
    ("clip.mp4", ["--filter", "sepia", "--remux", "libavformat"], "libavformat"),
    ("clip.mkv", ["--filter", "mute", "--filter", "sepia"], "libavformat"),
  ])
  func `the report names the engine`(name: String, words: [String], engine: String) throws {
    try makeClip(name)
    let (report, result) = try applyAll(["--no-sidecar"] + words + [name])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(report["engine"]?.stringValue == engine)
    #expect(report["width"] == 64 && report["height"] == 48)
    let reported = try Tool.run(
      ["apply", "--no-sidecar", "--force", "--video-preset", "ultrafast"] + words + [name],
      in: folder.path)
    #expect(reported.errors.contains(engine == "copied" ? "bytes, copied)" : "by \(engine))"))
  }

  @Test func `without a sidecar only the video is written`() throws {
    try makeClip("clip.mov")
    let (report, result) = try apply(
      "--no-sidecar", "-o", "out.mov", "--filter", "sepia", "clip.mov")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(report["sidecar"] == .null && report["output"] == "out.mov")
    let names = try FileSystem.names(in: folder.path).filter { $0 != "log" }
    #expect(names.sorted() == ["clip.mov", "out.mov"])
  }

  @Test func `an unsupported video is rejected and leaves no files`() throws {
    try makeClip("clip.mov")
    let (refusal, result) = try apply(
      "--filter", "crop:unit=pixels,x=60,y=0,w=20,h=20", "clip.mov")
    #expect(result.exitCode == 65)
    #expect(refusal["error"]?["message"]?.stringValue?.contains("clip.mov") == true)
    let (_, piped) = try apply("--filter", "sepia", "-o", "-", "clip.mov")
    #expect(piped.exitCode == 65)
    let names = try FileSystem.names(in: folder.path).filter { $0 != "log" }
    #expect(names == ["clip.mov"])
  }
}
