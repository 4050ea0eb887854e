// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

@Suite("Trimming without re-encoding")
struct TrimTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Two seconds of ten frames each second, a key frame every half second, and audio.
  static var movie: MovieBuilder {
    var movie = MovieBuilder(brand: "qt  ")
    movie.tracks[0].samples = (0..<20).map { sample($0, 100 + 3 * $0) }
    movie.tracks[0].syncs = [0, 5, 10, 15]
    movie.tracks[0].samplesPerChunk = 3
    movie.tracks[1].samples = [sample(99, 4 * 8192)]
    movie.tracks[1].samplesPerChunk = 1000
    return movie
  }

  private func trim(
    _ movie: MovieBuilder, _ start: Double, _ end: Double? = nil
  ) throws -> (report: MovieReport, result: BoxFinder, info: MovieInfo) {
    let source = try folder.write(movie.build(), "in.mov")
    let staged = folder.file("out.mov")
    let report = try MovieRewriter.run(
      from: source, to: staged, edits: [.trim(start: start, end: end)])
    #expect(
      try PassthroughExport.keptRange(of: OpenFile(reading: source), start: start, end: end)
        == report.kept)
    #expect(try folder.names == ["in.mov", "out.mov"])
    #expect(try SHA256Digest(of: bytes(staged)) == report.digest)
    return (report, BoxFinder(try bytes(staged)), try PassthroughExport.inspect(staged))
  }

  @Test func `video starts at the preceding key frame and ends exactly`() throws {
    let movie = Self.movie
    let (report, result, info) = try trim(movie, 0.7, 1.4)
    #expect(report.method == .rewritten)
    #expect(report.kept == 0.5...1.4)
    #expect(report.losses.isEmpty)
    #expect(
      report.streams[0].digest == SHA256Digest(of: Array(movie.tracks[0].samples[5..<14].joined())))
    #expect(report.streams[0].packets == 9)
    let audio = movie.tracks[1].samples[0][(2048 * 4)..<(5734 * 4)]
    #expect(report.streams[1].digest == SHA256Digest(of: Array(audio)))
    #expect(abs(info.duration - 0.9) < 0.001)
    #expect(result.numbers("moov/trak/mdia/minf/stbl/stss", from: 8) == [1, 6])
  }

  @Test func `a trim without an end keeps the end`() throws {
    let (report, _, info) = try trim(Self.movie, 1.5)
    #expect(report.kept == 1.5...2.0)
    #expect(info.streams.map { $0.packets } == [5, 2048])
  }

  @Test func `a trim within the first key frame interval keeps the first frame`() throws {
    let (report, result, _) = try trim(Self.movie, 0.4, 100)
    #expect(report.kept == 0...2)
    #expect(report.streams[0].packets == 20)
    #expect(result.edits(ofTrack: 0).isEmpty)
  }

  @Test func `reference frames are kept and hidden`() throws {
    var movie = Self.movie
    movie.tracks.removeLast()
    // Decoded I P B B P B B…: frames are shown one frame later than decoded, B before P.
    movie.tracks[0].samples = Array(movie.tracks[0].samples[0..<14])
    movie.tracks[0].syncs = [0, 7]
    movie.tracks[0].compositions = (0..<14).map { [60, 180, 0, 0, 180, 0, 0][$0 % 7] }
    movie.tracks[0].edits = [(duration: 1400, start: 60)]
    let (report, result, _) = try trim(movie, 0.75, 1.0)
    // Shown from frame 7, which is decoded at 0.7 s, to the end of the third frame.
    #expect(report.kept == 0.7...1.0)
    // Shown are samples 7, 9 and 10; 8 is the reference frame of those two.
    #expect(report.streams[0].packets == 4)
    #expect(
      report.streams[0].digest == SHA256Digest(of: Array(movie.tracks[0].samples[7..<11].joined())))
    #expect(result.edits(ofTrack: 0).map { $0[1] } == [60])
  }

  @Test func `every edit list entry inside the range is kept`() throws {
    var movie = Self.movie
    movie.tracks.removeLast()
    // An empty edit of 0.3 s, then 0.5…1.0 s, then 1.5…2.0 s of the media.
    movie.tracks[0].edits = [
      (duration: 300, start: -1), (duration: 500, start: 300), (duration: 500, start: 900),
    ]
    let (report, result, info) = try trim(movie, 0.1, 1.1)
    #expect(report.kept == 0.1...1.1)
    #expect(abs(info.duration - 0.8) < 0.001)
    let units = result.numbers("moov/mvhd", from: 12)[0]
    #expect(
      result.edits(ofTrack: 0).map { [$0[0] * 10 / units, $0[1]] } == [
        [2, -1], [5, 0], [3, 600],
      ])
    // From the key frame at 0.5 s to the frame at 1.7 s.
    #expect(report.streams[0].packets == 13)
  }

  @Test func `timecodes continue from the new start`() throws {
    var movie = Self.movie
    movie.tracks[0].references = [("tmcd", 3)]
    movie.tracks.append(
      MovieBuilder.Track(
        handler: "tmcd", codec: "tmcd", samples: [[0, 0, 0x0e, 0x10]], timescale: 600,
        sampleDuration: 1200,
        entryTail: zeros(4) + u32(0) + u32(600) + u32(60) + [10, 0]))
    let (report, result, _) = try trim(movie, 1, 1.5)
    #expect(report.kept == 1...1.5)
    #expect(report.streams[2].digest == SHA256Digest(of: u32(3600 + 10)))
    #expect(result.numbers("moov/trak/tref/tmcd") == [3])
    #expect(result.numbers("moov/trak:2/mdia/minf/stbl/stts", from: 8) == [1, 300])
  }

  @Test func `subtitles are trimmed, and a track without any left is reported`() throws {
    var movie = Self.movie
    movie.tracks[0].references = [("chap", 3)]
    let texts = (0..<2).map { [UInt8(0), 1, 0x41 + UInt8($0)] }
    movie.tracks.append(
      MovieBuilder.Track(
        handler: "text", codec: "text", samples: texts, timescale: 600, sampleDuration: 420))
    let (report, result, _) = try trim(movie, 0.5, 1.2)
    // "A" was shown for 0.7 s, of which 0.2 remain.
    #expect(result.numbers("moov/trak:2/mdia/minf/stbl/stts", from: 8) == [1, 120, 1, 300])
    #expect(report.losses.isEmpty)
    try FileSystem.remove(folder.file("out.mov"))
    try FileSystem.remove(folder.file("in.mov"))
    let late = try trim(movie, 1.7)
    #expect(
      late.report.losses == [
        "stream 2 (text), which has no samples in the trimmed range"
      ])
    #expect(late.result.content("moov/trak/tref") == nil)
  }

  @Test(arguments: [0, 1])
  func `the chapter list moves with the chapter track`(version: Int) throws {
    func list(_ chapters: [(start: Int, title: String)]) -> [UInt8] {
      let entries = chapters.flatMap { chapter in
        u32(0) + u32(chapter.start) + [UInt8(chapter.title.utf8.count)] + Array(chapter.title.utf8)
      }
      return u32(version << 24) + (version == 1 ? u32(0) : []) + [UInt8(chapters.count)] + entries
    }
    var movie = Self.movie
    movie.tracks[0].references = [("chap", 3)]
    movie.tracks.append(
      MovieBuilder.Track(
        handler: "text", codec: "text", samples: ["A", "B", "C"].map { [0, 1] + Array($0.utf8) },
        timescale: 600, sampleDuration: 400))
    let times = [0, 6_666_667, 13_333_333]
    movie.boxesBeforeTracks = box("udta", box("chpl", list(Array(zip(times, ["A", "B", "C"])))))
    let (report, result, _) = try trim(movie, 0.6, 1.2)
    #expect(report.losses.isEmpty && report.kept == 0.5...1.2)
    #expect(result.content("moov/udta/chpl") == list([(0, "A"), (1_666_667, "B")]))
    // "A" for 1/6 s, "B" for the rest.
    #expect(result.numbers("moov/trak:2/mdia/minf/stbl/stts", from: 8) == [1, 100, 1, 320])
    try FileSystem.remove(folder.file("out.mov"))
    try FileSystem.remove(folder.file("in.mov"))
    movie.boxesBeforeTracks = box("udta", box("chpl", list([(15_000_000, "late")])))
    #expect(try trim(movie, 0, 1).result.content("moov/udta/chpl") == nil)
  }

  @Test func `a damaged chapter list is removed with a loss`() throws {
    var movie = Self.movie
    movie.boxesBeforeTracks = box("udta", box("chpl", u32(1 << 24) + u32(0) + [3, 0]))
    let (report, result, _) = try trim(movie, 0.5)
    #expect(report.losses == ["box moov/udta/chpl, which is damaged"])
    #expect(result.content("moov/udta/chpl") == nil)
  }

  @Test func `a last frame of unknown duration is kept for one frame's`() throws {
    var movie = Self.movie
    movie.tracks[0].lastDuration = 0
    let (report, result, _) = try trim(movie, 1.5)
    #expect(report.streams[0].packets == 5)
    #expect(result.numbers("moov/trak/mdia/minf/stbl/stts", from: 8) == [5, 60])
  }

  @Test(
    arguments: [
      (2.0, nil), (-0.1, nil), (.nan, nil), (.infinity, nil), (1.0, 1.0), (1.5, 0.5), (0, .nan),
    ] as [(Double, Double?)])
  func `a trim outside the video is rejected and leaves no files`(
    start: Double, end: Double?
  ) throws {
    let source = try folder.write(Self.movie.build(), "in.mov")
    let error = #expect(throws: MovieError.self) {
      try MovieRewriter.run(
        from: source, to: folder.file("out"), edits: [.trim(start: start, end: end)])
    }
    guard case .impossibleEdit("trim", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try folder.names == ["in.mov"])
  }

  @Test func `a second trim counts from the start of the first`() throws {
    let source = try folder.write(Self.movie.build(), "in.mov")
    let report = try MovieRewriter.run(
      from: source, to: folder.file("out.mov"),
      edits: [.trim(start: 0.5), .trim(start: 0.5, end: 1)])
    #expect(report.kept == 1...1.5)
    #expect(report.streams[0].packets == 5)
  }
}
