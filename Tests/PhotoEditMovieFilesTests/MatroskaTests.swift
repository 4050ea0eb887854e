// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditMovieFiles

@Suite(
  "Matroska to QuickTime",
  .enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
struct MatroskaTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let video = "-f lavfi -i testsrc=size=96x64:rate=25:duration=2 -c:v mpeg4"

  private func make(_ name: String, _ arguments: String) throws -> String {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let words = arguments.split(separator: " ").map(String.init)
    try #require(
      Program.run(
        ffmpeg, ["-v", "error"] + words + [folder.file(name)], output: folder.file("log")) == 0)
    return folder.file(name)
  }

  private func pass(_ source: String, dropsStreams: Bool = false) throws -> MovieReport {
    try PassthroughExport.run(
      from: source, to: folder.file("out.mov"), dropsStreams: dropsStreams)
  }

  @Test func `statistics of the muxer and tags under another case are no losses`() throws {
    let source = try make(
      "in.mkv",
      "\(Self.video) -metadata LOCATION=+48.2+016.3738/ -metadata ARTIST=A "
        + "-metadata:s:v BPS=1 -metadata:s:v BPS-eng=1 -metadata:s:v NUMBER_OF_FRAMES-eng=50 "
        + "-metadata:s:v NUMBER_OF_BYTES=1 -metadata:s:v SOURCE_ID-eng=1 "
        + "-metadata:s:v _STATISTICS_TAGS-eng=BPS -metadata:s:v _STATISTICS_WRITING_APP-eng=a "
        + "-metadata:s:v _STATISTICS_WRITING_DATE_UTC-eng=2020")
    #expect(try pass(source).losses.isEmpty)
    // The muxer may write zeros.
    let tags = try PassthroughExport.inspect(folder.file("out.mov")).tags
    #expect(try #require(tags["LOCATION"]).contains(#/^\+48\.20*\+016\.3738\/$/#))
  }

  @Test func `tags about an earlier file are no losses, and a date in capitals is kept`() throws {
    let source = try make(
      "in.mkv",
      "\(Self.video) -metadata CREATION_TIM_=2016-05-31_17:01:35 -metadata MINOR_VERSION=0 "
        + "-metadata MAJOR_BRAND=isom -metadata COMPATIBLE_BRANDS=isomiso2 "
        + "-metadata:s:v VENDOR_ID=FFMP")
    // The muxer stores a date of this name elsewhere.
    var file = try bytes(source)
    for (old, new) in [("CREATION_TIM_", "CREATION_TIME"), ("31_17", "31 17")] {
      let start = try #require(file.indices.first { file[$0...].starts(with: old.utf8) })
      file.replaceSubrange(start..<(start + old.utf8.count), with: new.utf8)
    }
    #expect(try pass(folder.write(file, "dated.mkv")).losses.isEmpty)
    #expect(try PassthroughExport.inspect(folder.file("out.mov")).creationDate == 1_464_714_095)
  }

  @Test func `a tag that is lost is a loss`() throws {
    let source = try make("in.mkv", "\(Self.video) -metadata:s:v BPSX=1")
    #expect(try pass(source).losses == ["tag BPSX of stream 0 (mpeg4)"])
  }

  @Test(arguments: ["aac", "wmav2", "libopus"], ["in.mkv", "in.avi"])
  func `an audio stream without packets is left out`(encoder: String, name: String) throws {
    if encoder == "libopus", name == "in.avi" { return }
    let source = try make(
      name,
      "\(Self.video) -f lavfi -i sine=duration=2 -map 0 -map 1 -c:v mpeg4 -c:a \(encoder) "
        + "-bsf:a noise=drop=1")
    let codec = encoder == "libopus" ? "opus" : encoder
    let report = try pass(source)
    #expect(report.losses == ["stream 1 (\(codec)), which has no samples"])
    #expect(report.streams.map(\.kind) == [.video])
  }

  private static let subtitles = """
    1
    00:00:00,200 --> 00:00:00,900
    Hello <i>you</i>

    2
    00:00:01,500 --> 00:00:01,800
    1 < 2 & more


    """

  @Test(arguments: [
    ("subrip", "1 < 2 & more"), ("webvtt", "1 < 2 & more"), ("text", "1 < 2 & more"),
  ])
  func `text subtitles become timed text`(encoder: String, second: String) throws {
    let text = try folder.write(Array(Self.subtitles.utf8), "in.srt")
    let source = try make(
      "in.mkv",
      "-f lavfi -i testsrc=size=96x64:rate=25:duration=2 -i \(text) -map 0 -map 1 -c:v mpeg4 "
        + "-c:s \(encoder) -metadata:s:s language=nld")
    let report = try pass(source)
    #expect(report.streams.map(\.codec) == ["mp4v", "tx3g"])
    #expect(report.streams[1].language == "nld")
    #expect(
      report.losses == (encoder == "text" ? [] : ["styles and positions of stream 1 (\(encoder))"]))
    let result = BoxFinder(try bytes(folder.file("out.mov")))
    // An empty sample fills each gap.
    let runs = result.numbers("moov/trak:1/mdia/minf/stbl/stts", from: 8)
    #expect(runs.prefix(8) == [1, 200, 1, 700, 1, 600, 1, 300])
    for line in ["Hello you", second] {
      #expect(contains(result.bytes, u16(line.utf8.count) + Array(line.utf8)))
    }
  }

  @Test func `a stream of texts that has none becomes a track without texts`() throws {
    let late = "1\n00:00:50,000 --> 00:00:51,000\nLate\n\n"
    let text = try folder.write(Array(late.utf8), "in.srt")
    let source = try make(
      "in.mkv",
      "-f lavfi -i testsrc=size=96x64:rate=25:duration=1 -i \(text) -map 0 -map 1 -c:v mpeg4 "
        + "-c:s subrip -t 1")
    let report = try pass(source)
    #expect(report.losses.isEmpty && report.streams.map(\.codec) == ["mp4v", "tx3g"])
  }

  @Test func `texts that overlap end at the next one, and those that begin together are joined`()
    throws
  {
    let cues = [
      ("00:00:00,200", "00:00:01,500", "One"), ("00:00:00,900", "00:00:01,100", "Two"),
      ("00:00:01,400", "00:00:01,600", "Three"), ("00:00:01,400", "00:00:01,800", "Four"),
    ]
    let text = cues.enumerated().map { "\($0 + 1)\n\($1.0) --> \($1.1)\n\($1.2)\n\n" }.joined()
    let source = try make(
      "in.mkv",
      "-f lavfi -i testsrc=size=96x64:rate=25:duration=2 "
        + "-i \(try folder.write(Array(text.utf8), "in.srt")) -map 0 -map 1 -c:v mpeg4 -c:s subrip")
    #expect(
      try pass(source).losses == [
        "texts of stream 1 (subrip) that overlap, of which the earlier ones end early",
        "texts of stream 1 (subrip) that begin together, which are written as one",
      ])
    let result = BoxFinder(try bytes(folder.file("out.mov")))
    let runs = result.numbers("moov/trak:1/mdia/minf/stbl/stts", from: 8)
    // A gap, one, two, a gap, and three with four; gaps between adjacent texts have no duration.
    let durations = stride(from: 1, to: runs.count, by: 2).map { runs[$0] }.filter { $0 > 0 }
    #expect(durations.prefix(5) == [200, 700, 200, 300, 400])
    #expect(contains(result.bytes, u16(10) + Array("Three\nFour".utf8)))
  }

  @Test(arguments: [("S_TEXT/WEBVTT", nil), ("S_TEXT/UNKNOWN", "S_TEXT/UNKNOWN")])
  func `subtitles are known by their names in the file`(name: String, refused: String?) throws {
    let text = try folder.write(Array(Self.subtitles.utf8), "in.srt")
    let source = try make(
      "in.mkv",
      "-f lavfi -i testsrc=size=96x64:rate=25:duration=2 -i \(text) -map 0 -map 1 -c:v mpeg4 "
        + "-c:s webvtt")
    // Zeros may end a name.
    let old = Array("D_WEBVTT/SUBTITLES".utf8)
    var file = try bytes(source)
    let start = try #require(file.indices.first { file[$0...].starts(with: old) })
    file.replaceSubrange(
      start..<(start + old.count), with: Array(name.utf8) + zeros(old.count - name.utf8.count))
    let renamed = try folder.write(file, "renamed.mkv")
    guard let refused else {
      #expect(try pass(renamed).streams.map(\.codec) == ["mp4v", "tx3g"])
      return
    }
    let reason = "QuickTime does not support this codec"
    #expect(throws: MovieError.unsupportedStream(stream: 1, codec: refused, reason: reason)) {
      try pass(renamed)
    }
  }

  @Test func `other subtitles are refused or left out on request`() throws {
    let text = try folder.write(Array(Self.subtitles.utf8), "in.srt")
    let source = try make(
      "in.mkv",
      "-f lavfi -i testsrc=size=96x64:rate=25:duration=2 -i \(text) -map 0 -map 1 -c:v mpeg4 "
        + "-c:s ass")
    let reason = "QuickTime does not support this codec"
    #expect(throws: MovieError.unsupportedStream(stream: 1, codec: "ass", reason: reason)) {
      try pass(source)
    }
    let report = try pass(source, dropsStreams: true)
    #expect(report.losses == ["stream 1 (ass): \(reason)"])
    #expect(report.streams.map(\.kind) == [.video])
  }

  @Test func `a video stream is never left out`() throws {
    let source = try make(
      "in.mkv", "-f lavfi -i testsrc=size=96x64:rate=25:duration=1 -c:v ffv1")
    #expect(throws: MovieError.self) { try pass(source, dropsStreams: true) }
  }

  @Test(arguments: [
    (TextSubtitles.subRip, "{\\an8}<b>A</b> <FONT color=red>B</font>\r\nC", "A B\nC", true),
    (.subRip, "a < b <3 {x} &amp;", "a < b <3 {x} &amp;", false),
    (.webVTT, "<v Fred>Hi <c.x>there</c> &amp; &lt;you&gt;", "Hi there & <you>", true),
    (.webVTT, "1 < 2 & 3", "1 < 2 & 3", false),
    (.plain, " <b>A</b>\n", "<b>A</b>", false), (.subRip, "<i></i>", "", true),
  ])
  func `markup is removed`(
    notation: TextSubtitles, source: String, expected: String, isStyled: Bool
  ) {
    let found = Array(source.utf8).withUnsafeBufferPointer { notation.plainText($0) }
    #expect(found.text == expected && found.isStyled == isStyled)
  }
}
