// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditMovieFiles

@Suite("Dates of AVI files")
struct AVIDateTests {
  @Test(
    arguments: [
      ("SAT MAY 13 10:21:04 2006\n\0", "2006-05-13T10:21:04"),
      ("Sat Dec  1 00:00:59 2001", "2001-12-01T00:00:59"),
      ("2006:05:13 10:21:04", "2006-05-13T10:21:04"),
      ("2006/05/13/ 10:21:04", "2006-05-13T10:21:04"),
      ("2006/ 5/13/ 10:21", "2006-05-13T10:21:00"),
      ("2001/ 1/27  1:42PM", "2001-01-27T13:42:00"),
      ("2001/ 1/27  12:42PM", "2001-01-27T12:42:00"),
      ("2002-12-16  15:35:01\0\0", "2002-12-16T15:35:01"),
      ("0000:00:00 00:00:00", nil), ("2006:13:13 10:21:04", nil), ("2006:05:13 25:21:04", nil),
      ("2006", nil), ("", nil), ("\u{fffd}", nil), ("99999999999999999999:1:1 1:1:1", nil),
    ] as [(String, String?)])
  func `every notation of cameras is read`(text: String, expected: String?) {
    #expect(AVIDate.iso(text) == expected)
  }

  @Test(.enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
  func `the date of a file is read and carried to QuickTime`() throws {
    let folder = try ScratchFolder()
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let plain = folder.file("plain.avi")
    let words = "-v error -f lavfi -i testsrc=size=96x64:rate=25:duration=1 -c:v mjpeg"
    try #require(
      Program.run(
        ffmpeg, words.split(separator: " ").map(String.init) + [plain], output: folder.file("log"))
        == 0)
    var file = try bytes(plain)
    func size(at offset: Int) -> Int {
      file[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    func set(_ value: Int, at offset: Int) {
      file.replaceSubrange(offset..<(offset + 4), with: u32(value).reversed())
    }
    let text = Array("2006:05:13 10:21:04\0".utf8)
    let chunk = Array("IDIT".utf8) + u32(text.count).reversed() + text
    let header = size(at: 16)
    file.insert(contentsOf: chunk, at: 20 + header)
    set(header + chunk.count, at: 16)
    set(file.count - 8, at: 4)
    let source = try folder.write(file, "dated.avi")
    #expect(
      try PassthroughExport.inspect(source).tags["creation_time"] == "2006-05-13T10:21:04")
    let report = try PassthroughExport.run(from: source, to: folder.file("out.mov"))
    #expect(report.losses.isEmpty)
    let date = try #require(MovieDate("2006-05-13T10:21:04Z"))
    #expect(
      try PassthroughExport.inspect(folder.file("out.mov")).creationDate == Double(date.seconds))
  }

  @Test(arguments: [(0, nil), (2_082_844_800, nil), (2_082_844_801, 1)] as [(Int, Double?)])
  func `the zero of a clock is no date`(seconds: Int, expected: Double?) throws {
    let folder = try ScratchFolder()
    var file = MovieBuilder().build()
    let header = try #require(position(of: Array("mvhd".utf8), in: file))
    file.replaceSubrange((header + 8)..<(header + 12), with: u32(seconds))
    let source = try folder.write(file, "in.mp4")
    #expect(try PassthroughExport.inspect(source).creationDate == expected)
  }
}
