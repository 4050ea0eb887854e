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

  private func pass(_ source: String) throws -> MovieReport {
    try PassthroughExport.run(from: source, to: folder.file("out.mov"))
  }

  @Test func `statistics of the muxer and tags under another case are no losses`() throws {
    let source = try make(
      "in.mkv",
      "\(Self.video) -metadata LOCATION=+48.2082+016.3738/ -metadata ARTIST=A "
        + "-metadata:s:v BPS=1 -metadata:s:v BPS-eng=1 -metadata:s:v NUMBER_OF_FRAMES-eng=50 "
        + "-metadata:s:v NUMBER_OF_BYTES=1 -metadata:s:v SOURCE_ID-eng=1 "
        + "-metadata:s:v _STATISTICS_TAGS-eng=BPS -metadata:s:v _STATISTICS_WRITING_APP-eng=a "
        + "-metadata:s:v _STATISTICS_WRITING_DATE_UTC-eng=2020")
    #expect(try pass(source).losses.isEmpty)
    #expect(
      try PassthroughExport.inspect(folder.file("out.mov")).tags["LOCATION"]
        == "+48.2082+016.3738/")
  }

  @Test func `a tag that is lost is a loss`() throws {
    let source = try make("in.mkv", "\(Self.video) -metadata:s:v BPSX=1")
    #expect(try pass(source).losses == ["tag BPSX of stream 0 (mpeg4)"])
  }
}
