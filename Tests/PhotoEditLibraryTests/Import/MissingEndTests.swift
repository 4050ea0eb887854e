// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Files without their end, and with more than their end")
struct MissingEndTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// A movie whose media follows the header, as in files for streaming.
  private func streamed(seed: Int = 0) -> [UInt8] {
    var file = MovieFile()
    file.seed = seed
    let bytes = file.bytes
    let media = 20..<(20 + 8 + 4 * file.frames)
    var header = Array(bytes[media.upperBound...])
    let table = header.firstRange(of: Array("stco".utf8)).map { $0.upperBound + 8 } ?? 0
    header.replaceSubrange(
      table..<(table + 4), with: ImageFile.big(20 + header.count + 8, 4))
    return Array(bytes[..<20]) + header + Array(bytes[media])
  }

  /// Data that a program has appended, which is not a box.
  private func appended(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(0x61 + $0 % 26) } }

  @Test(arguments: [1, 8, 60, 119])
  func `a video that lacks its end is imported unchanged, with the reason`(missing: Int) throws {
    let bytes = Array(streamed().dropLast(missing))
    try write(bytes, "a.mov")
    let line = try #require(lines(run())["a.mov"])
    #expect(line.outcome == .imported)
    #expect(
      line.reason == "the video is damaged: box mdat is truncated (\(128 - missing) of 128 bytes); "
        + "imported unchanged")
    let asset = try #require(try library.assets().first)
    #expect(asset.mediaType == .video && asset.duration == 1)
    let stored = try #require(try library.files(of: asset)[.video])
    #expect(try digest(stored) == SHA256Digest(of: bytes))
    #expect(try library.check().findings.isEmpty)
    let path = source.path("a.mov")
    #expect(throws: MovieError.self) {
      try MovieRewriter.run(from: path, to: source.path("out.mov"), edits: [.mute])
    }
    #expect(throws: MovieError.self) { try PassthroughExport.inspect(path) }
  }

  @Test func `a box that is longer than the file is a missing end although all samples are there`()
    throws
  {
    try write(MovieFile().bytes + HEIFFile.number(100, 4) + Array("mdat".utf8) + [1, 2], "a.mov")
    let line = try #require(lines(run())["a.mov"])
    #expect(line.outcome == .imported)
    #expect(line.reason?.contains("mdat is truncated (10 of 100 bytes)") == true)
  }

  @Test func `a video whose samples are after the missing end is rejected`() throws {
    var bytes = streamed()
    let table = try #require(bytes.firstRange(of: Array("stco".utf8))).upperBound + 8
    bytes.replaceSubrange(table..<(table + 4), with: ImageFile.big(bytes.count, 4))
    try write(Array(bytes.dropLast(8)), "a.mov")
    #expect(outcomes(run()) == ["a.mov": .refused])
  }

  @Test(arguments: [1, 7, 8, 30, 5000])
  func `bytes after the last box belong to no video and are kept`(_ count: Int) throws {
    let more = appended(count)
    for (index, bytes) in [streamed(), MovieFile.live(nil, seed: 1)].enumerated() {
      try write(bytes + more, "\(index).mov")
    }
    let report = run()
    #expect(outcomes(report) == ["0.mov": .imported, "1.mov": .imported])
    #expect(report.files.allSatisfy { $0.reason == nil })
    #expect(try storedDigests().contains(SHA256Digest(of: streamed() + more)))
    let path = source.path("0.mov")
    let out = source.path("out.mov")
    let written = try MovieRewriter.run(from: path, to: out, edits: [.contentIdentifier("A-1")])
    #expect(try PassthroughExport.inspect(out).streams.map(\.packets) == [30])
    #expect(written.losses == (count < 8 ? [] : ["\(count) bytes after the last box"]))
  }

  @Test(
    .enabled(if: CodedPicture.isPossible, "the program ffmpeg is not installed"),
    arguments: ["hevc", "av1"], [1, 8, 5000])
  func `bytes after the last box belong to no image and are kept`(
    codec: String, _ count: Int
  ) throws {
    var settings = CodedPicture.Settings()
    settings.codec = codec
    let bytes = HEIFFile(try CodedPicture.make(settings)).bytes + appended(count)
    let name = codec == "av1" ? "a.avif" : "a.heic"
    try write(bytes, name)
    let line = try #require(lines(run())[name])
    #expect(line.outcome == .imported && line.reason == nil)
    #expect(try storedDigests().contains(SHA256Digest(of: bytes)))
  }
}
