// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Compares with the `ffmpeg` program if installed; otherwise reported as skipped.
@Suite(
  "FFmpeg reads the same packets",
  .enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
struct FFmpegTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A video created by ffmpeg: its purpose, arguments and name.
  struct Fixture: Sendable, CustomTestStringConvertible {
    var name: String
    var arguments: String
    var testDescription: String { "\(name): \(arguments)" }
  }

  static let video = "-f lavfi -i testsrc=size=96x64:rate=25:duration=1"
  static let audio = "-f lavfi -i sine=frequency=440:duration=1"
  static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"

  static let fixtures = [
    Fixture(name: "a.mp4", arguments: "\(video) \(audio) \(h264) -bf 2 -g 12 -c:a aac"),
    Fixture(name: "b.mp4", arguments: "\(video) \(audio) \(h264) -timecode 01:00:00:00 -c:a alac"),
    Fixture(name: "c.mp4", arguments: "\(video) \(audio) -c:v mpeg4 -bf 2 -c:a libmp3lame"),
    Fixture(
      name: "d.mp4", arguments: "\(video) \(audio) \(h264) -c:a ac3 -metadata:s:a language=nld"),
    Fixture(name: "e.mp4", arguments: "\(video) \(h264) -bf 2 -movflags frag_keyframe+empty_moov"),
    Fixture(name: "f.mp4", arguments: "\(video) \(h264) -vf setsar=4/3 -aspect 2:1"),
    Fixture(name: "g.mp4", arguments: "\(video) -itsoffset 0.4 \(audio) \(h264) -c:a aac"),
    Fixture(
      name: "h.mp4", arguments: "\(video) -c:v mjpeg -pix_fmt yuvj420p -metadata title=Hello"),
    Fixture(name: "i.3gp", arguments: "\(video) \(audio) -c:v h263 -s 128x96 -c:a aac"),
    Fixture(name: "j.m4a", arguments: "\(audio) -c:a aac"),
    Fixture(
      name: "k.mp4",
      arguments: "\(video) \(h264) -movflags use_metadata_tags "
        + "-metadata com.apple.quicktime.content.identifier=ABC -metadata make=Maker"),
    Fixture(name: "l.mkv", arguments: "\(video) \(audio) \(h264) -bf 2 -c:a pcm_s16le"),
    // The number of reordered frames follows only from the stream.
    Fixture(name: "v.mkv", arguments: "\(video) -c:v libx264 -pix_fmt yuv420p -bf 3"),
    Fixture(
      name: "m.avi", arguments: "\(video) \(audio) -c:v mjpeg -pix_fmt yuvj420p -c:a pcm_s16le"),
    Fixture(name: "o.mp4", arguments: "\(video) -c:v png"),
    Fixture(name: "p.mp4", arguments: "\(video) \(audio) -c:v mpeg2video -c:a mp2"),
    Fixture(name: "q.mkv", arguments: "\(video) \(audio) -c:v qtrle -c:a mp2"),
    Fixture(
      name: "r.mp4", arguments: "\(video) \(audio) -c:v mpeg1video -c:a dca -strict -2 -ac 2"),
    Fixture(
      name: "s.mp4", arguments: "\(video) \(h264) -movflags +faststart -metadata:s:v rotate=90"),
    Fixture(name: "t.m4v", arguments: "\(video) \(audio) \(h264) -c:a ac3 -metadata title=Hello"),
    Fixture(
      name: "u.mp4",
      arguments: "\(video) \(h264) -color_primaries bt2020 -color_trc smpte2084 "
        + "-colorspace bt2020nc"),
    Fixture(name: "n.mov", arguments: "\(video) \(audio) \(h264) -bf 2 -c:a aac"),
  ]

  @Test(arguments: fixtures)
  func `packets, times and tags of real encoders are preserved`(fixture: Fixture) throws {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let source = folder.file(fixture.name)
    let words = fixture.arguments.split(separator: " ").map(String.init)
    try #require(
      Program.run(ffmpeg, ["-v", "error"] + words + [source], output: folder.file("log")) == 0)
    let staged = folder.file("out.mov")
    let report = try PassthroughExport.run(from: source, to: staged)
    #expect(report.losses.isEmpty)
    #expect(report.method == (fixture.name == "n.mov" ? .copied : .remuxed))
    // The timestamps of both files as FFmpeg presents them, edit lists applied.
    let hashes = try streamHashes(source)
    #expect(!hashes.isEmpty)
    #expect(try streamHashes(staged) == hashes)
    for (stream, hash) in zip(report.streams, try streamHashes(source, ignoringEdits: true)) {
      if let digest = stream.digest { #expect(hash.hasSuffix("=\(digest.hex)")) }
    }
  }

  /// The major version of ffmpeg: "ffmpeg version 5.1.9-0+deb12u1 Copyright …".
  private static func version(of ffmpeg: String, in folder: ScratchFolder) throws -> Int {
    let output = folder.file("version")
    try #require(Program.run(ffmpeg, ["-version"], output: output) == 0)
    let words = String(decoding: try bytes(output), as: UTF8.self).split(separator: " ")
    return try #require(words.dropFirst(2).first?.split(separator: ".").first.flatMap { Int($0) })
  }

  /// "0,v,SHA256=…" for every stream.
  private func streamHashes(_ path: String, ignoringEdits: Bool = false) throws -> [String] {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let isBoxed = !path.hasSuffix("mkv") && !path.hasSuffix("avi")
    let options = ignoringEdits && isBoxed ? ["-ignore_editlist", "1"] : []
    let output = folder.file("hashes")
    let arguments =
      ["-v", "error"] + options
      + ["-i", path, "-map", "0:v?", "-map", "0:a?", "-map", "0:d?", "-c", "copy"]
      + ["-f", "streamhash", "-hash", "sha256", "-"]
    try #require(Program.run(ffmpeg, arguments, output: output) == 0)
    return String(decoding: try bytes(output), as: UTF8.self).split(separator: "\n").map(
      String.init)
  }

  @Test(arguments: [
    "\(video) \(audio) \(h264) -bf 0 -c:a aac -movflags frag_keyframe+empty_moov",
    "\(video) \(audio) \(h264) -bf 2 -c:a aac -movflags dash+frag_keyframe -frag_duration 300000",
    "\(video) \(h264) -bf 2 -movflags frag_keyframe+empty_moov+default_base_moof+delay_moov",
    "\(audio) -c:a eac3 -movflags frag_keyframe -frag_duration 300000",
    "\(video) \(h264) -bf 0 -g 12 -movflags frag_every_frame+empty_moov",
  ])
  func `fragments have the packets and durations of a copy by ffmpeg`(arguments: String) throws {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let source = folder.file("in.mp4")
    let copy = folder.file("copy.mov")
    let words = arguments.split(separator: " ").map(String.init)
    for words in [words + [source], ["-i", source, "-map", "0", "-c", "copy", copy]] {
      try #require(Program.run(ffmpeg, ["-v", "error"] + words, output: folder.file("log")) == 0)
    }
    let report = try PassthroughExport.run(from: source, to: folder.file("out.mov"))
    #expect(report.engine == .boxes && report.losses.isEmpty)
    let expected = try PassthroughExport.inspect(copy).streams
    let found = try PassthroughExport.inspect(folder.file("out.mov")).streams
    #expect(found.map(\.packets) == expected.map(\.packets))
    for (found, expected) in zip(found, expected) {
      // Since version 7, ffmpeg ends audio before the silence that fills the last packet: in the copy
      // of AAC, and in the source of E-AC-3 but not in its copy.
      let silence =
        try found.kind == .audio && Self.version(of: ffmpeg, in: folder) >= 7
        ? found.duration / Double(max(1, found.packets ?? 1)) : 0
      #expect(abs(found.duration - expected.duration) <= 0.0015 + silence)
    }
    let packets = try streamHashes(source, ignoringEdits: true)
    #expect(try streamHashes(folder.file("out.mov"), ignoringEdits: true) == packets)
  }

  /// H.264 is copied as boxes, MPEG-2 through libavformat, which cannot write covers.
  @Test(arguments: ["libx264", "mpeg2video"])
  func `chapters, cover images and subtitles are kept or reported`(encoder: String) throws {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let chapters = """
      ;FFMETADATA1
      title=Both
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=400
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=400
      END=1000
      title=Two

      """
    let text = "1\n00:00:00,200 --> 00:00:00,900\nHello\n\n"
    let chapterFile = try folder.write(Array(chapters.utf8), "chapters.txt")
    let textFile = try folder.write(Array(text.utf8), "text.srt")
    let cover = folder.file("cover.png")
    let source = folder.file("in.mp4")
    let make = Self.video.split(separator: " ").map(String.init)
    #expect(
      Program.run(
        ffmpeg, ["-v", "error"] + make + ["-frames:v", "1", cover], output: folder.file("log")) == 0
    )
    #expect(
      Program.run(
        ffmpeg,
        ["-v", "error"] + make + ["-i", cover, "-i", textFile, "-i", chapterFile]
          + ["-map", "0", "-map", "1", "-map", "2", "-map_metadata", "3"]
          + [
            "-c:v:0", encoder, "-pix_fmt", "yuv420p", "-c:v:1", "copy", "-disposition:v:1",
            "attached_pic", "-c:s", "mov_text", source,
          ],
        output: folder.file("log")) == 0)
    let report = try PassthroughExport.run(from: source, to: folder.file("out.mov"))
    let written = try bytes(folder.file("out.mov"))
    let videoStream = try bytes(cover)
    if encoder == "libx264" {
      // The titles of the chapters are a separate track.
      #expect(report.streams.map(\.kind) == [.video, .subtitle, .subtitle])
      #expect(report.losses.isEmpty)
      #expect(contains(written, videoStream))
      #expect(try streamHashes(folder.file("out.mov")) == streamHashes(source))
    } else {
      #expect(report.streams.map(\.kind) == [.video, .subtitle])
      #expect(report.losses.count == 1)
      #expect(report.losses.first?.contains("cover image") == true)
    }
    #expect(try PassthroughExport.inspect(folder.file("out.mov")).chapterCount == 2)
    #expect(contains(written, [0, 3] + Array("One".utf8)))
    #expect(contains(written, [0, 5] + Array("Hello".utf8)))
  }
}
