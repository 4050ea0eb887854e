// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditPlatform
import PhotoEditStorage
import Testing

@Suite("Rejected videos")
struct RefusalTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func failure(of bytes: [UInt8]) throws -> MovieError? {
    let source = try folder.write(bytes, "in")
    let error = #expect(throws: MovieError.self) {
      try PassthroughExport.run(from: source, to: folder.file("out"))
    }
    #expect(try folder.names == ["in"])
    return error
  }

  @Test(arguments: [("vide", "vp09"), ("vide", "av01"), ("soun", "Opus"), ("soun", "fLaC")])
  func `an unsupported QuickTime codec is named`(handler: String, codec: String) throws {
    let track = MovieBuilder.Track(handler: handler, codec: codec)
    let error = try failure(of: MovieBuilder(tracks: [track]).build())
    guard case .unsupportedStream(stream: 0, _, let reason) = error else {
      return #expect(Bool(false), "\(error as Any)")
    }
    #expect(reason == "QuickTime does not support this codec")
  }

  @Test(arguments: ["isom", "qt  "], [("vide", "encv"), ("soun", "enca"), ("vide", "drmi")])
  func `encrypted media is rejected`(brand: String, kind: (String, String)) throws {
    let track = MovieBuilder.Track(handler: kind.0, codec: kind.1)
    let error = try failure(of: MovieBuilder(brand: brand, tracks: [track]).build())
    #expect(error == .unsupportedStream(stream: 0, codec: kind.1, reason: "it is encrypted"))
  }

  @Test(arguments: ["isom", "qt  "])
  func `media in another file is rejected`(brand: String) throws {
    var movie = MovieBuilder(brand: brand)
    movie.tracks[0].isSelfContained = false
    #expect(
      try failure(of: movie.build())
        == .unsupportedStream(
          stream: 0, codec: "jpeg", reason: "its media is stored in another file"))
  }

  @Test func `a box-level edit list is rejected if QuickTime does not support the codec`() throws {
    var movie = MovieBuilder()
    movie.tracks[0].edits = [(duration: 100, start: 0), (duration: 100, start: 120)]
    movie.tracks.append(MovieBuilder.Track(codec: "png ", samples: [[1]]))
    #expect(
      try failure(of: movie.build())
        == .unsupportedStream(
          stream: 0, codec: "mjpeg", reason: "the edit list has 2 entries; only one is supported"))
  }

  @Test(arguments: ["isom", "qt  "])
  func `missing sample data is damage`(brand: String) throws {
    var movie = MovieBuilder(brand: brand)
    movie.tracks[0].fixedSize = 1
    movie.tracks[0].samples = [sample(1, 100)]
    var bytes = movie.build()
    // The number of samples of the first track, which are of one byte each.
    let offset = try #require(position(of: Array("stsz".utf8) + u32(0) + u32(1), in: bytes)) + 12
    bytes.replaceSubrange(offset..<(offset + 4), with: u32(0x7fff_ffff))
    guard case .damaged = try failure(of: bytes) else { return #expect(Bool(false)) }
  }

  @Test(arguments: ["isom", "qt  "], ["stco", "stsz"])
  func `samples after the end of the file are damage`(brand: String, table: String) throws {
    var bytes = MovieBuilder(brand: brand, tracks: [.videoStream]).build()
    // The offset of the only chunk, or the size of the first sample.
    let offset =
      try #require(position(of: Array(table.utf8), in: bytes)) + 12 + (table == "stsz" ? 4 : 0)
    bytes.replaceSubrange(offset..<(offset + 4), with: u32(bytes.count))
    let error = try failure(of: bytes)
    guard case .damaged(let message) = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(message.hasPrefix("stream 0 (jpeg) extends to byte"))
  }

  @Test func `tags that claim gigabytes are damage in MPEG-4 and copied in QuickTime`() throws {
    for brand in ["isom", "qt  "] {
      var movie = MovieBuilder(brand: brand)
      movie.tags = [(key: "title", value: "A")]
      var bytes = movie.build()
      let offset = try #require(position(of: Array("keys".utf8), in: bytes)) + 8
      bytes.replaceSubrange(offset..<(offset + 4), with: u32(0x0fff_ffff))
      let source = try folder.write(bytes, "in\(brand)")
      if brand == "qt  " {
        _ = try PassthroughExport.run(from: source, to: folder.file("copy"))
      } else {
        let error = #expect(throws: MovieError.self) {
          try PassthroughExport.run(from: source, to: folder.file("out"))
        }
        #expect(error?.description.contains("moov/meta/keys has 268435455 entries") == true)
      }
    }
    #expect(try folder.names == ["copy", "inisom", "inqt  "])
  }

  @Test func `a time step over the limit of libavformat is rejected, and kept in boxes`() throws {
    var track = MovieBuilder.Track(sampleDuration: 0x7fff_ffff)
    let kept = try folder.write(MovieBuilder(tracks: [track]).build(), "long")
    let report = try PassthroughExport.run(from: kept, to: folder.file("out"))
    #expect(report.streams[0].duration == 5 * Double(0x7fff_ffff) / 600)
    for name in ["long", "out"] { try FileSystem.remove(folder.file(name)) }
    track.codec = "png "
    let error = try failure(of: MovieBuilder(tracks: [track]).build())
    guard case .damaged(let message) = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(message.hasSuffix("decrease or exceed the QuickTime range"))
  }

  @Test(arguments: [(64, true), (128, false)])
  func `a movie too long for its timecode is rejected`(count: Int, passes: Bool) throws {
    let video = MovieBuilder.Track(
      codec: "png ", samples: (0..<count).map { sample($0, 4) }, sampleDuration: 1 << 24)
    let timecode = MovieBuilder.Track(
      handler: "tmcd", codec: "tmcd", samples: [[0, 0, 0, 0]], sampleDuration: 1 << 24,
      entryTail: u32(0) + u32(0) + u32(600) + u32(24) + [25, 0])
    let bytes = MovieBuilder(tracks: [video, timecode]).build()
    if passes {
      let source = try folder.write(bytes, "in")
      let report = try PassthroughExport.run(from: source, to: folder.file("out"))
      #expect(report.streams.map(\.codec) == ["png", "tmcd"])
    } else {
      guard case .damaged = try failure(of: bytes) else { return #expect(Bool(false)) }
    }
  }

  @Test(arguments: ["stsz", "stts", "stco", "stsc"])
  func `tables that claim more entries than they hold are damage`(table: String) throws {
    var bytes = MovieBuilder().build()
    let start = try #require(position(of: Array(table.utf8), in: bytes))
    let offset = start + (table == "stsz" ? 12 : 8)
    bytes.replaceSubrange(offset..<(offset + 4), with: u32(0x7fff_ffff))
    guard case .damaged = try failure(of: bytes) else { return #expect(Bool(false)) }
  }

  @Test(arguments: [
    ([0xff, 0xd8, 0xff, 0xe0], "public.jpeg"), ([0x89, 0x50, 0x4e, 0x47], "public.png"),
    ([0, 0, 0, 24] + Array("ftypheic".utf8), "public.heic"),
    ([0, 0, 0, 24] + Array("ftypavif".utf8), "public.avif"),
    (Array("#EXTM3U\n".utf8), "data starting with 23 45 58 54 4d 33 55 0a"),
  ])
  func `an input that is not a video is named`(start: [UInt8], name: String) throws {
    #expect(try failure(of: start + zeros(40)) == .notAMovie(found: name))
  }

  @Test func `folders, pipes and missing files are rejected without waiting`() throws {
    let staged = folder.file("out")
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    _ = try folder.write([], "empty")
    let cases: [(String, FileError.Kind)] = [
      ("pipe", .notRegular), (".", .notRegular), ("empty", .empty), ("absent", .missing),
    ]
    for (name, kind) in cases {
      let path = folder.file(name)
      let attempts: [() throws -> Void] = [
        { try PassthroughExport.validateQuickTime(path) },
        { _ = try PassthroughExport.inspect(path) },
        { _ = try PassthroughExport.run(from: path, to: staged) },
      ]
      for attempt in attempts {
        let error = #expect(throws: MovieError.self) { try attempt() }
        guard case .file(let failure) = error else { return #expect(Bool(false), "\(name)") }
        #expect(failure.kind == kind, "\(name)")
      }
    }
    #expect(try folder.names == ["empty", "pipe"])
  }

  @Test func `every error message names its subject`() {
    #expect(
      MovieError.notQuickTime(found: "public.mpeg-4").description
        == "expected com.apple.quicktime-movie, found public.mpeg-4")
    #expect(
      MovieError.unsupportedStream(stream: 3, codec: "mebx", reason: "why").description
        == "stream 3 (mebx) cannot be stored in a QuickTime movie: why")
    #expect(
      MovieError.libraryMissing(name: "libx.so.1", reason: "gone").description.hasPrefix(
        "libx.so.1 is required for this video"))
  }
}

func position(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
  guard bytes.count >= pattern.count else { return nil }
  return (0...(bytes.count - pattern.count)).first {
    bytes[$0] == pattern[0] && Array(bytes[$0..<($0 + pattern.count)]) == pattern
  }
}
