// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

@Suite("Fragmented movies")
struct FragmentTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func pass(
    _ movie: FragmentedMovie, edits: [MovieEdit] = [], _ remuxing: MovieRemuxing = .auto
  ) throws -> (report: MovieReport, result: BoxFinder) {
    let source = try folder.write(movie.build(), "in.mp4")
    let staged = folder.file("out.mov")
    defer { for name in ["in.mp4", "out.mov"] { try? FileSystem.remove(folder.file(name)) } }
    let report = try MovieRewriter.run(from: source, to: staged, edits: edits, remuxing: remuxing)
    #expect(try folder.names == ["in.mp4", "out.mov"])
    let written = try bytes(staged)
    #expect(SHA256Digest(of: written) == report.digest)
    return (report, BoxFinder(written))
  }

  private func table(_ type: String, _ result: BoxFinder, _ track: Int) -> [Int] {
    result.numbers("moov/trak:\(track)/mdia/minf/stbl/\(type)", from: 8)
  }

  /// Durations of all samples, expanded.
  private func durations(_ result: BoxFinder, _ track: Int) -> [Int] {
    let runs = table("stts", result, track)
    return stride(from: 0, to: runs.count, by: 2).flatMap {
      [Int](repeating: runs[$0 + 1], count: runs[$0])
    }
  }

  private func expectWhole(
    _ movie: FragmentedMovie, _ report: MovieReport, _ result: BoxFinder
  ) {
    for (track, samples) in movie.samples.enumerated() {
      #expect(report.streams[track].digest == SHA256Digest(of: movie.payload(track)))
      #expect(report.streams[track].packets == samples.count)
      #expect(durations(result, track) == samples.map(\.duration))
    }
    #expect(result.content("moov/mvex") == nil && result.content("moof") == nil)
  }

  @Test(arguments: FragmentedMovie.Base.allCases, [false, true])
  func `every sample is copied and keeps its duration`(base: FragmentedMovie.Base, hasTimes: Bool)
    throws
  {
    var movie = FragmentedMovie()
    movie.base = base
    if !hasTimes { movie.times = nil }
    let (report, result) = try pass(movie)
    expectWhole(movie, report, result)
    #expect(report.engine == .boxes && report.method == .remuxed && report.losses.isEmpty)
    // Frames 0, 4 and 8 are sync samples; all audio samples are.
    #expect(table("stss", result, 0) == [1, 5, 9])
    #expect(result.content("moov/trak:1/mdia/minf/stbl/stss") == nil)
    #expect(result.edits(ofTrack: 0).isEmpty && result.edits(ofTrack: 1).isEmpty)
  }

  @Test func `default values of a fragment apply to every sample`() throws {
    var movie = FragmentedMovie()
    movie.isCompact = true
    for track in 0...1 {
      movie.samples[track] = (0..<9).map {
        FragmentedMovie.Sample(bytes: sample($0 + 20 * track, 40), duration: 60)
      }
    }
    let (report, result) = try pass(movie)
    expectWhole(movie, report, result)
    #expect(table("stss", result, 0) == [1, 5, 9])
  }

  @Test func `samples of the header come first`() throws {
    var movie = FragmentedMovie()
    movie.header.tracks[0].samples = [sample(7, 20), sample(8, 21)]
    movie.times = [120, 0]
    let (report, result) = try pass(movie)
    #expect(report.streams[0].packets == 12)
    #expect(durations(result, 0) == [60, 60] + movie.samples[0].map(\.duration))
  }

  @Test func `reordered frames keep their order, and the edit list gets its duration`() throws {
    var movie = FragmentedMovie()
    movie.header.tracks[0].edits = [(duration: 0, start: 120)]
    movie.samples[0] = [120, 240, 60, 60, 180, 120].enumerated().map {
      FragmentedMovie.Sample(bytes: sample($0, 9), duration: 60, composition: $1, isKey: $0 == 0)
    }
    let (report, result) = try pass(movie)
    #expect(table("ctts", result, 0) == [1, 120, 1, 240, 2, 60, 1, 180, 1, 120])
    // The last frame ends at 480 timescale units of 600 per second.
    let clock = try #require(result.numbers("moov/mvhd").dropFirst(3).first)
    #expect(result.edits(ofTrack: 0) == [[(480 - 120) * clock / 600, 120, 1 << 16]])
    #expect(report.streams[0].duration == 0.6)
  }

  @Test func `a gap extends the preceding sample, and an overlap shortens it`() throws {
    var movie = FragmentedMovie()
    movie.gaps[0] = [1: 100, 2: -20]
    let (report, result) = try pass(movie)
    var expected = movie.samples[0].map(\.duration)
    expected[3] += 100
    expected[7] -= 20
    #expect(durations(result, 0) == expected)
    #expect(report.streams[0].packets == 10)
    movie.gaps[0] = [1: -100]
    let error = #expect(throws: MovieError.self) { try pass(movie) }
    #expect(error?.description.contains("before the preceding ones") == true)
  }

  /// A segment of a longer recording starts at its own start, as in `ffmpeg -c copy`.
  @Test func `a common start offset is removed, and an offset of one track is kept`() throws {
    var movie = FragmentedMovie()
    movie.times = [3600 * 600, 3600 * 4800 + 2400]
    let (report, result) = try pass(movie)
    expectWhole(movie, report, result)
    let clock = try #require(result.numbers("moov/mvhd").dropFirst(3).first)
    #expect(result.edits(ofTrack: 0).map { $0[1] } == [0])
    #expect(result.edits(ofTrack: 1).map { $0[1] } == [-1, 0])
    #expect(result.edits(ofTrack: 1)[0][0] == clock / 2)
  }

  @Test(arguments: [
    [(100, 0), (100, 120)], [(100, 0), (50, -1)], [(100, -2)],
  ])
  func `an edit list with more than a start offset is rejected`(edits: [(Int, Int)]) throws {
    var movie = FragmentedMovie()
    movie.header.tracks[0].edits = edits.map { (duration: $0.0, start: $0.1) }
    let error = #expect(throws: MovieError.self) { try pass(movie) }
    guard case .unsupportedStream(stream: 0, "jpeg", _) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(try folder.names.isEmpty)
  }

  @Test func `boxes specific to fragments are reported, and encryption is rejected`() throws {
    var movie = FragmentedMovie()
    movie.fragmentBoxes = box("sbgp", zeros(8)) + box("uuid", zeros(20))
    let (report, _) = try pass(movie)
    #expect(
      report.losses == [
        "box moof/traf/sbgp", "box moof/traf/uuid",
      ])
    movie.fragmentBoxes = box("senc", zeros(8))
    #expect(throws: MovieError.self) { try pass(movie) }
  }

  @Test func `fragmented movies can be edited like any movie`() throws {
    let movie = FragmentedMovie()
    let (report, _) = try pass(movie, edits: [.mute, .rotate90(turns: 1)])
    #expect(report.streams.map(\.kind) == [.video])
    #expect(report.streams[0].digest == SHA256Digest(of: movie.payload(0)))
    #expect(report.streams[0].rotation == 90)
    let (trimmed, _) = try pass(movie, edits: [.trim(start: 0.5)])
    #expect(trimmed.streams[0].packets == 6)
  }

  @Test func `libavformat receives fragments merged`() throws {
    var movie = FragmentedMovie()
    movie.header.tracks[0].codec = "png "
    movie.header.tracks[1] = MovieBuilder.Track(
      handler: "soun", codec: ".mp3", samples: [], timescale: 4800)
    let (report, result) = try pass(movie)
    #expect(report.engine == .libavformat)
    for (track, samples) in movie.samples.enumerated() {
      #expect(report.streams[track].digest == SHA256Digest(of: movie.payload(track)))
      // The muxer may use a finer timescale.
      let clock = result.numbers("moov/trak:\(track)/mdia/mdhd")[3]
      let scale = clock / movie.header.tracks[track].timescale
      #expect(durations(result, track) == samples.map { $0.duration * scale })
    }
  }

  @Test func `fragmented QuickTime is copied, and edited as one movie`() throws {
    var movie = FragmentedMovie()
    movie.header.brand = "qt  "
    let (copied, _) = try pass(movie)
    #expect(copied.engine == .copied && copied.bytes == movie.build().count)
    let (report, result) = try pass(movie, edits: [.contentIdentifier("A")])
    expectWhole(movie, report, result)
  }

  @Test func `truncated or modified fragments give an error or a valid movie`() throws {
    let intact = FragmentedMovie().build()
    for count in stride(from: 40, to: intact.count, by: 37) {
      let source = try folder.write(Array(intact[..<count]), "in")
      // A file that ends after a fragment is complete.
      if let report = try? PassthroughExport.run(from: source, to: folder.file("out")) {
        #expect(report.streams.allSatisfy { $0.digest != nil })
        try FileSystem.remove(folder.file("out"))
      }
      #expect(try folder.names == ["in"])
      try FileSystem.remove(source)
    }
    let start = try #require(position(of: Array("moof".utf8), in: intact)) - 4
    var passed = 0
    for offset in start..<(start + 260) {
      for value: UInt8 in [0, 0x7f, 0xff] where intact[offset] != value {
        var bytes = intact
        bytes[offset] = value
        let source = try folder.write(bytes, "in")
        if (try? PassthroughExport.run(from: source, to: folder.file("out"))) != nil {
          passed += 1
          try FileSystem.remove(folder.file("out"))
        }
        #expect(try folder.names == ["in"], "byte \(offset)")
        try FileSystem.remove(source)
      }
    }
    #expect(passed > 0)
  }

  @Test func `a run that claims more samples than exist allocates nothing`() throws {
    for (name, bytes) in [
      ("count", u32(4) + u32(0x7fff_ffff) + u32(0)), ("bytes", u32(0) + u32(0x3ff_ffff)),
    ] {
      var movie = FragmentedMovie()
      movie.isCompact = true
      movie.fragmentBoxes = box("trun", bytes)
      #expect(throws: MovieError.self, "\(name)") { try pass(movie) }
    }
  }
}
