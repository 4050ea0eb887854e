// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Decodes rewritten videos with the `ffmpeg` program; otherwise reported as skipped.
@Suite(
  "FFmpeg plays rewritten videos",
  .enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
struct PlayingTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let video = "-f lavfi -i testsrc=size=96x64:rate=25:duration=2"
  private static let audio = "-f lavfi -i sine=frequency=440:duration=2"
  private static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 2 -g 12"

  private func make(_ arguments: String, _ name: String) throws -> String {
    let path = folder.file(name)
    let words = arguments.split(separator: " ").map(String.init)
    try run(["-v", "error"] + words + [path], "log")
    return path
  }

  private func run(_ arguments: [String], _ output: String) throws {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    try #require(Program.run(ffmpeg, arguments, output: folder.file(output)) == 0)
  }

  /// The digest of every displayed frame.
  private func images(_ path: String) throws -> [String] {
    try run(["-v", "error", "-i", path, "-map", "0:v", "-f", "framehash", "-"], "pictures")
    return String(decoding: try bytes(folder.file("pictures")), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last.map(String.init) }
  }

  /// Seconds before the first frame is shown.
  private func beginning(of path: String) throws -> Double {
    let output = try probe(["-select_streams", "v:0", "-show_entries", "stream=start_time"], path)
    return try #require(Double(output.split { !"0123456789.".contains($0) }.last ?? ""))
  }

  private func probe(_ arguments: [String], _ path: String) throws -> String {
    let probe = try #require(Program.find("ffprobe"))
    let all = ["-v", "error"] + arguments + ["-of", "default=nw=1", path]
    try #require(Program.run(probe, all, output: folder.file("probe")) == 0)
    return String(decoding: try bytes(folder.file("probe")), as: UTF8.self)
  }

  static let sources = [
    ("a.mov", "\(video) \(audio) \(h264) -c:a aac"),
    ("b.mov", "\(video) \(audio) \(h264) -c:a pcm_s16le -timecode 01:00:00:00"),
    ("c.mp4", "\(video) \(audio) \(h264) -c:a aac -movflags +faststart"),
    ("d.mov", "\(video) \(h264) -movflags frag_keyframe+empty_moov"),
    ("e.mkv", "\(video) \(audio) \(h264) -c:a aac"),
    ("f.mov", "\(video) \(audio) -c:v mjpeg -pix_fmt yuvj420p -c:a alac"),
  ]

  @Test(arguments: sources)
  func `a trimmed video shows the frames of the source from its key frame on`(
    name: String, arguments: String
  ) throws {
    let source = try make(arguments, name)
    let staged = folder.file("out.mov")
    let report = try MovieRewriter.run(
      from: source, to: staged, edits: [.trim(start: 1.1, end: 1.5)])
    let kept = try #require(report.kept)
    let lead = try beginning(of: source)
    let first = Int(((kept.lowerBound - lead) * 25).rounded())
    // Key frames are 12 frames apart; every frame of MJPEG is one.
    #expect(first == (name == "f.mov" ? 27 : 24))
    #expect(abs(kept.upperBound - 1.5) < 0.001)
    let all = try images(source)
    let last = Int(((kept.upperBound - lead) * 25).rounded(.up))
    #expect(try images(staged) == Array(all[first..<last]))
  }

  @Test func `audio stays in sync with the video`() throws {
    // A beep with a detectable start: silence, then a tone from 1.2 s on.
    let source = try make(
      "\(Self.video) -f lavfi -i aevalsrc=if(gte(t\\,1.2)\\,sin(2000*t)\\,0):d=2 "
        + "\(Self.h264) -c:a aac", "in.mov")
    let staged = folder.file("out.mov")
    let report = try MovieRewriter.run(from: source, to: staged, edits: [.trim(start: 1)])
    let kept = try #require(report.kept)
    try run(
      ["-v", "error", "-i", staged, "-ac", "1", "-ar", "48000", "-f", "s16le", "-"], "samples")
    let samples = try bytes(folder.file("samples"))
    let begin = stride(from: 0, to: samples.count - 1, by: 2).first {
      abs(Int(Int16(bitPattern: UInt16(samples[$0]) | UInt16(samples[$0 + 1]) << 8))) > 3000
    }
    let seconds = Double(try #require(begin)) / 2 / 48_000
    #expect(abs(kept.lowerBound + seconds - 1.2) < 0.02)
  }

  @Test func `a timecode shows the frame it begins with`() throws {
    let source = try make("\(Self.video) \(Self.h264) -timecode 01:00:00:00", "in.mov")
    let staged = folder.file("out.mov")
    let report = try MovieRewriter.run(from: source, to: staged, edits: [.trim(start: 1.1)])
    #expect(report.kept?.lowerBound == 0.96)
    #expect(
      try probe(["-show_entries", "stream_tags=timecode"], staged).contains("01:00:00:24"))
  }

  @Test(arguments: 0...3)
  func `rotated and mirrored frames are shown as expected`(turns: Int) throws {
    let source = try make(
      "-f lavfi -i testsrc=size=96x64:rate=5:duration=1 -c:v mjpeg -pix_fmt yuvj444p -q:v 2",
      "in.mov")
    let staged = folder.file("out.mov")
    _ = try MovieRewriter.run(
      from: source, to: staged, edits: [.flip(.vertical), .rotate90(turns: turns)])
    let filter = (["vflip"] + Array(repeating: "transpose=clock", count: turns))
      .joined(separator: ",")
    try run(
      ["-v", "error", "-noautorotate", "-i", source, "-vf", filter, "-f", "rawvideo", "-"], "want")
    try run(["-v", "error", "-i", staged, "-f", "rawvideo", "-"], "have")
    #expect(try bytes(folder.file("have")) == bytes(folder.file("want")))
  }
}
