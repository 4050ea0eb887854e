// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditPlatform
import PhotoEditStorage
import Testing

@Suite("Video pass-through")
struct PassThroughTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func pass(_ movie: MovieBuilder) throws -> (report: MovieReport, path: String) {
    let source = try folder.write(movie.build(), "source")
    let staged = folder.file("staged.mov")
    return (try PassthroughExport.run(from: source, to: staged), staged)
  }

  @Test(arguments: ["qt  ", nil])
  func `a QuickTime movie is copied byte for byte`(brand: String?) throws {
    let movie = MovieBuilder(brand: brand).build()
    let source = try folder.write(movie, "in.mp4")
    let staged = folder.file("out.mov")
    let report = try PassthroughExport.run(from: source, to: staged)
    #expect(try bytes(staged) == movie)
    #expect(report.method == .copied && report.engine == .copied)
    #expect(report.digest == SHA256Digest(of: movie))
    #expect(report.bytes == movie.count)
    #expect(report.losses.isEmpty)
    #expect(report.streams.map(\.codec) == ["jpeg", "sowt"])
    #expect(report.streams[0].packets == 5)
    #expect(report.streams[0].duration == 0.5)
  }

  @Test func `a metadata track unsupported by libraries survives in QuickTime`() throws {
    let timed = MovieBuilder.Track(handler: "meta", codec: "mebx", samples: [[0, 0, 0, 9, 255]])
    let movie = MovieBuilder(brand: "qt  ", tracks: [.videoStream, timed])
    let (report, path) = try pass(movie)
    #expect(try bytes(path) == movie.build())
    #expect(report.streams[1].kind == .data)
  }

  @Test(arguments: [MovieBuilder.Method.boxes, .library], [false, true])
  func `an MPEG-4 video becomes QuickTime with unchanged packets`(
    writer: MovieBuilder.Method, isHeaderFirst: Bool
  ) throws {
    var movie = MovieBuilder(writer)
    movie.isHeaderFirst = isHeaderFirst
    let (report, path) = try pass(movie)
    #expect(report.method == .remuxed)
    #expect(report.engine == (writer == .library ? .libavformat : .boxes))
    #expect(report.losses.isEmpty)
    let digests = movie.tracks.map { SHA256Digest(of: $0.samples.flatMap { $0 }) }
    #expect(report.streams.map(\.digest) == digests)
    #expect(report.streams[0].packets == 5)
    let written = try bytes(path)
    #expect(report.digest == SHA256Digest(of: written) && report.bytes == written.count)
    #expect(Array(written[4..<12]) == Array("ftypqt  ".utf8))
    try PassthroughExport.validateQuickTime(path)
    let info = try PassthroughExport.inspect(path)
    #expect(info.container == .quickTime)
    #expect(info.duration == 0.5)
    #expect(
      info.streams.map(\.codec) == (writer == .library ? ["png", "sowt"] : ["jpeg", "sowt"]))
    #expect((info.streams[0].width, info.streams[0].height) == (64, 48))
  }

  @Test(arguments: [[], [.mute]] as [[MovieEdit]])
  func `libavformat can be selected for MPEG-4 and does not affect QuickTime`(
    edits: [MovieEdit]
  ) throws {
    for (writer, engine) in [
      (MovieBuilder.Method.boxes, MovieEngine.libavformat), (.copy, .copied),
    ] {
      let movie = MovieBuilder(writer)
      let source = try folder.write(movie.build(), "in")
      let report = try MovieRewriter.run(
        from: source, to: folder.file("out"), edits: edits, remuxing: .libavformat)
      #expect(report.engine == (engine == .copied && !edits.isEmpty ? .boxes : engine))
      if let digest = report.streams[0].digest {
        #expect(digest == SHA256Digest(of: Array(movie.tracks[0].samples.joined())))
      }
      #expect(try folder.names == ["in", "out"])
      for name in ["in", "out"] { try FileSystem.remove(folder.file(name)) }
    }
  }

  @Test(arguments: [MovieBuilder.Method.boxes, .library])
  func `the same video gives the same bytes`(writer: MovieBuilder.Method) throws {
    let source = try folder.write(MovieBuilder(writer).build(), "in")
    let first = try PassthroughExport.run(from: source, to: folder.file("a"))
    let second = try PassthroughExport.run(from: source, to: folder.file("b"))
    #expect(first == second)
  }

  @Test(
    arguments: [
      ([1, 0, 0, 1], 0), ([0, 1, -1, 0], 90), ([-1, 0, 0, -1], 180), ([0, -1, 1, 0], 270),
      ([-1, 0, 0, 1], nil),
    ], [MovieBuilder.Method.boxes, .library])
  func `the display matrix is preserved`(
    expected: (matrix: [Int], rotation: Int?), writer: MovieBuilder.Method
  ) throws {
    let (matrix, rotation) = expected
    var movie = MovieBuilder(writer)
    movie.tracks[0].matrix = matrix
    let (report, path) = try pass(movie)
    #expect(report.streams[0].rotation == rotation)
    #expect(try PassthroughExport.inspect(path).streams[0].rotation == rotation)
  }

  @Test(arguments: MovieBuilder.Method.allCases, [[1, 0, 0, 1], [0, 1, -1, 0]])
  func `a visible part of the frames is kept, or reported if lost`(
    writer: MovieBuilder.Method, matrix: [Int]
  ) throws {
    var movie = MovieBuilder(writer)
    movie.tracks[0].matrix = matrix
    // 60×40 pixels in the middle of 64×48.
    let visible = box("clap", [60, 1, 40, 1, 0, 1, 0, 1].flatMap(u32))
    movie.tracks[0].entryTail = visible
    let (report, path) = try pass(movie)
    let isKept = writer != .library
    #expect(contains(try bytes(path), Array("clap".utf8)) == isKept)
    #expect(report.losses == (isKept ? [] : ["box moov/trak/stsd/clap"]))
    #expect(report.streams[0].rotation == (matrix[0] == 1 ? 0 : 90))
    #expect(try PassthroughExport.inspect(path).streams[0].rotation == report.streams[0].rotation)
  }

  @Test(
    arguments: [(0x55c4, nil), (0x15c7, "eng"), (0x10b5, "deu"), (2, "ger"), (0x2a0e, "jpn")],
    [MovieBuilder.Method.boxes, .library])
  func `the language of a track is preserved`(
    expected: (code: UInt16, name: String?), writer: MovieBuilder.Method
  ) throws {
    let (code, name) = expected
    var movie = MovieBuilder(writer)
    movie.tracks[1].language = code
    let (report, path) = try pass(movie)
    #expect(report.streams[1].language == name)
    #expect(try PassthroughExport.inspect(path).streams[1].language == name)
    #expect(report.losses.isEmpty)
  }

  @Test(arguments: [MovieBuilder.Method.boxes, .library])
  func `QuickTime keys are preserved and read without a library`(writer: MovieBuilder.Method) throws
  {
    let tags = [
      ("com.apple.quicktime.content.identifier", "3D388205-9B11-4690-ABFB-3DB8CE42A984"),
      ("com.apple.quicktime.location.ISO6709", "+48.1371+011.5754/"), ("title", "Grüße 📷"),
    ]
    var movie = MovieBuilder(writer)
    movie.tags = tags.map { (key: $0.0, value: $0.1) }
    let (report, path) = try pass(movie)
    #expect(report.losses.isEmpty)
    let found = try PassthroughExport.inspect(path).tags
    for (key, value) in tags { #expect(found[key] == value) }
  }

  @Test(arguments: [(MovieBuilder.Method.boxes, 250), (.library, 2500)])
  func `edit lists that delay or trim the start are preserved`(
    writer: MovieBuilder.Method, units: Int
  ) throws {
    var movie = MovieBuilder(writer)
    movie.tracks[0].edits = [(duration: 250, start: -1), (duration: 500, start: 0)]
    movie.tracks[1].edits = [(duration: 375, start: 512)]
    let (report, path) = try pass(movie)
    #expect(report.streams[0].packets == 5)
    #expect(abs(report.streams[0].duration - 0.5) < 0.002)
    #expect(abs(report.streams[1].duration - 0.375) < 0.002)
    // An edit list of the written file starts with an empty edit of 250 ms.
    let written = try bytes(path)
    #expect(contains(written, Array("elst".utf8) + u32(0) + u32(2) + u32(units) + u32(-1)))
  }

  @Test func `a movie with only audio is accepted`() throws {
    let (report, _) = try pass(MovieBuilder(tracks: [.audio]))
    #expect(report.streams.map(\.kind) == [.audio])
  }

  @Test(arguments: [MovieBuilder.Method.boxes, .library])
  func `an empty track is kept, or omitted and reported`(writer: MovieBuilder.Method) throws {
    var movie = MovieBuilder(writer)
    movie.tracks[1] = MovieBuilder.Track(
      handler: "meta", codec: "mebx", samples: [], timescale: 90)
    let (report, _) = try pass(movie)
    let isKept = writer == .boxes
    #expect(report.streams.count == (isKept ? 2 : 1))
    #expect(report.losses == (isKept ? [] : ["stream 1 (mebx), which has no samples"]))
  }

  @Test(arguments: [MovieBuilder.Method.boxes, .library])
  func `unknown boxes are kept, or reported if lost`(
    writer: MovieBuilder.Method
  ) throws {
    var movie = MovieBuilder(writer)
    let external = [box("smta", u32(0x1234_5678)), box("uuid", [UInt8](1...20))]
    movie.tracks[0].userData = box("udta", external[0])
    movie.extraBoxes = external[1]
    let (report, path) = try pass(movie)
    let written = try bytes(path)
    let isKept = writer == .boxes
    for box in external { #expect(contains(written, box) == isKept) }
    let losses = ["box moov/trak/udta/smta", "box uuid"]
    #expect(report.losses == (isKept ? [] : losses))
  }

  @Test(arguments: MovieBuilder.Method.allCases)
  func `an existing file is unchanged`(writer: MovieBuilder.Method) throws {
    let source = try folder.write(MovieBuilder(writer).build(), "in")
    let staged = try folder.write([1, 2, 3], "out")
    let error = #expect(throws: MovieError.self) {
      try PassthroughExport.run(from: source, to: staged)
    }
    guard case .file(let failure) = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(failure.kind == .exists)
    #expect(try bytes(staged) == [1, 2, 3])
  }

  @Test(arguments: MovieBuilder.Method.allCases)
  func `cancellation at any time leaves no files`(writer: MovieBuilder.Method) throws {
    let source = try folder.write(MovieBuilder(writer).build(), "in")
    var wasCancelled = true
    var moments = 0
    while wasCancelled {
      let countdown = Countdown(moments)
      do {
        _ = try PassthroughExport.run(from: source, to: folder.file("out")) { countdown.isOver() }
        wasCancelled = false
      } catch {
        #expect(error == .cancelled)
        #expect(try folder.names == ["in"])
      }
      moments += 1
      try #require(moments < 1000)
    }
    #expect(moments > 3)
    #expect(try folder.names == ["in", "out"])
  }

  @Test(arguments: MovieBuilder.Method.allCases)
  func `progress rises to completion`(writer: MovieBuilder.Method) throws {
    let source = try folder.write(MovieBuilder(writer).build(), "in")
    let shares = Shares()
    _ = try PassthroughExport.run(from: source, to: folder.file("out"), progress: shares.add)
    #expect(shares.all.count > 2 && shares.all.last == 1)
    #expect(shares.all == shares.all.sorted() && shares.all.first.map { $0 > 0 && $0 < 1 } == true)
  }

  @Test(arguments: MovieBuilder.Method.allCases)
  func `a full disk is reported and leaves no files`(writer: MovieBuilder.Method) async {
    let name: String = writer.rawValue
    await #expect(processExitsWith: .success) { [name = name as String] in
      exit(try Self.exitCodeOfFullDisk(try #require(MovieBuilder.Method(rawValue: name))))
    }
  }

  /// Returns 0 if a full disk is reported and no output remains.
  ///
  /// A limit on the file size simulates the disk; it applies to the whole process.
  private static func exitCodeOfFullDisk(_ writer: MovieBuilder.Method) throws -> Int32 {
    let folder = try ScratchFolder()
    let source = try folder.write(MovieBuilder(writer).build(), "in")
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    do {
      _ = try PassthroughExport.run(from: source, to: folder.file("out"))
      return 1
    } catch {
      guard case .file(let failure) = error, failure.kind == .noSpace else { return 2 }
    }
    return try folder.names == ["in"] ? 0 : 3
  }
}

/// Returns false a number of times and then true; called by several threads.
private final class Countdown: Sendable {
  private let left: LockedValue<Int>

  init(_ left: Int) { self.left = LockedValue(left) }

  func isOver() -> Bool {
    left.withLock { left in
      left -= 1
      return left < 0
    }
  }
}

/// Records the reported progress.
private final class Shares: Sendable {
  private let list = LockedValue<[Double]>([])

  var all: [Double] { list.withLock { $0 } }
  func add(_ share: Double) { list.withLock { $0.append(share) } }
}

func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
  guard bytes.count >= pattern.count else { return false }
  return (0...(bytes.count - pattern.count)).contains {
    bytes[$0] == pattern[0] && Array(bytes[$0..<($0 + pattern.count)]) == pattern
  }
}

@Suite("Coarse timescales")
struct CoarseTimescaleTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Two seconds at 9 frames per second, counted in units of 1/9 s, remuxed by libavformat.
  private static var movie: MovieBuilder {
    var movie = MovieBuilder()
    movie.tracks[0].samples = (0..<18).map { sample($0, 100) }
    movie.tracks[0].timescale = 9
    movie.tracks[0].sampleDuration = 1
    return movie
  }

  private func remux(_ movie: [UInt8]) throws -> MovieStream {
    let source = try folder.write(movie, "in.mp4")
    let staged = folder.file("out.mov")
    let report = try PassthroughExport.run(from: source, to: staged, remuxing: .libavformat)
    #expect(report.streams[0].packets == 18)
    return try PassthroughExport.inspect(staged).streams[0]
  }

  @Test(arguments: [33, 110, 500])
  func `a delay between two units of the track is kept`(milliseconds: Int) throws {
    var movie = Self.movie
    movie.tracks[0].edits = [(duration: milliseconds, start: -1), (duration: 2000, start: 0)]
    let edits = try remux(movie.build()).edits
    #expect(edits.count == 2 && edits[0].start == nil)
    #expect(abs(edits[0].duration - Double(milliseconds) / 1000) < 0.0006)
  }

  @Test(arguments: [1, 5, 17])
  func `the samples say how long the last one lasts, not the header`(units: Int) throws {
    var movie = Self.movie
    movie.tracks[0].timescale = 900
    movie.tracks[0].sampleDuration = 100
    var file = movie.build()
    let header = try #require(position(of: Array("mdhd".utf8), in: file))
    file.replaceSubrange((header + 20)..<(header + 24), with: u32(1800 - units))
    #expect(abs(try remux(file).duration - 2) < 0.0006)
  }
}
