// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("MPEG-4 to QuickTime at box level")
struct RewrapTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func pass(
    _ movie: MovieBuilder
  ) throws -> (report: MovieReport, result: BoxFinder, info: MovieInfo) {
    let source = try folder.write(movie.build(), "in.mp4")
    let staged = folder.file("out.mov")
    let report = try PassthroughExport.run(from: source, to: staged)
    #expect(report.method == .remuxed)
    #expect(try SHA256Digest(of: bytes(staged)) == report.digest)
    try PassthroughExport.validateQuickTime(staged)
    for (stream, track) in zip(report.streams, movie.tracks) {
      #expect(stream.digest == SHA256Digest(of: Array(track.samples.joined())))
    }
    return (report, BoxFinder(try bytes(staged)), try PassthroughExport.inspect(staged))
  }

  @Test(arguments: [
    [(100, 0), (100, 120)], [(200, 0)], [(50, -1), (200, 60), (100, 0)],
  ])
  func `edit lists of any kind are kept`(edits: [(Int, Int)]) throws {
    var movie = MovieBuilder()
    movie.tracks[0].edits = edits.map { (duration: $0.0, start: $0.1) }
    movie.tags = [("com.apple.quicktime.make", "Maker")]
    let (report, result, info) = try pass(movie)
    #expect(result.edits(ofTrack: 0) == edits.map { [$0.0, $0.1, 1 << 16] })
    #expect(report.losses.isEmpty)
    #expect(info.container == .quickTime)
    #expect(info.tags == ["com.apple.quicktime.make": "Maker"])
  }

  @Test(arguments: ["c608", "c708"])
  func `closed captions are kept`(codec: String) throws {
    var movie = MovieBuilder()
    movie.tracks.append(
      MovieBuilder.Track(
        handler: "clcp", codec: codec, samples: [box("cdat", [0x94, 0x2c])], sampleDuration: 300))
    let (report, _, _) = try pass(movie)
    #expect(report.losses.isEmpty && report.engine == .boxes)
    #expect(report.streams.map(\.codec) == ["jpeg", "sowt", codec])
    guard codec == "c608" else { return }
    let remuxed = try PassthroughExport.run(
      from: folder.file("in.mp4"), to: folder.file("remuxed.mov"), remuxing: .libavformat)
    #expect(remuxed.losses.isEmpty)
    #expect(remuxed.streams.map(\.codec) == ["jpeg", "sowt", codec])
  }

  @Test(arguments: ["samr", "sawb"])
  func `H.263 and AMR of phones are kept, with several frames of sound in a sample`(
    codec: String
  ) throws {
    var movie = MovieBuilder(brand: "3gp4")
    movie.tracks[0].codec = "s263"
    movie.tracks[1] = MovieBuilder.Track(
      handler: "soun", codec: codec, samples: (0..<3).map { sample($0, 65) }, timescale: 8000,
      sampleDuration: 800)
    let (report, result, _) = try pass(movie)
    #expect(report.losses.isEmpty && report.engine == .boxes)
    #expect(report.streams.map(\.codec) == ["s263", codec])
    let entry = box("wave", box("frma", Array(codec.utf8)) + box("\0\0\0\0", []))
    #expect(contains(result.bytes, entry))
  }

  @Test func `an unreadable audio track without samples is left out`() throws {
    var movie = MovieBuilder()
    movie.tracks[1].codec = "Opus"
    movie.tracks[1].samples = []
    movie.tracks[1].fixedSize = nil
    let (report, _, info) = try pass(movie)
    #expect(report.engine == .boxes)
    #expect(report.losses == ["stream 1 (Opus), which has no samples"])
    #expect(info.streams.map(\.codec) == ["jpeg"])
  }

  @Test(arguments: MovieRemuxing.allCases)
  func `a last frame of unknown duration is shown as long as others`(
    remuxing: MovieRemuxing
  ) throws {
    var movie = MovieBuilder()
    movie.tracks[0].lastDuration = 0
    // Presented to the end of the frame before.
    movie.tracks[0].edits = [(duration: 400, start: 0)]
    let source = try folder.write(movie.build(), "in.mp4")
    let report = try PassthroughExport.run(
      from: source, to: folder.file("out.mov"), remuxing: remuxing)
    #expect(report.streams[0].packets == 5)
    #expect(abs(report.streams[0].duration - 0.5) < 0.001)
    let runs = BoxFinder(try bytes(folder.file("out.mov")))
      .numbers("moov/trak/mdia/minf/stbl/stts", from: 8)
    #expect(runs.count == 2 && runs[0] == 5)
  }

  @Test func `several sample descriptions are kept`() throws {
    var movie = MovieBuilder()
    movie.tracks[0].descriptions = 2
    let (_, result, _) = try pass(movie)
    #expect(result.numbers("moov/trak/mdia/minf/stbl/stsd").prefix(2) == [0, 2])
  }

  @Test func `a 3GPP location is read, kept, and written as a QuickTime key`() throws {
    var movie = MovieBuilder()
    // Longitude comes first.
    let offset =
      u32(0) + u16(0x55c4) + Array("Home\0".utf8) + [0] + u32(-9 << 14) + u32(97 << 15)
      + u32(35 << 16) + Array("earth\0\0".utf8)
    movie.boxesBeforeTracks = box("udta", box("loci", offset))
    let text = "+48.5000-002.2500+035.000/"
    let source = try folder.write(movie.build(), "source.mp4")
    #expect(try PassthroughExport.inspect(source).tags["loci"] == text)
    let (report, result, info) = try pass(movie)
    #expect(report.losses.isEmpty && report.engine == .boxes)
    #expect(result.content("moov/udta/loci") == offset)
    #expect(info.tags["©xyz"] == text)
  }

  @Test func `timed metadata is kept with its referenced track`() throws {
    var movie = MovieBuilder()
    let key = box("keyd", Array("mdtacom.apple.quicktime.still-image-time".utf8))
    let keys = box("keys", box("\0\0\0\u{1}", key + box("dtyp", u32(0) + u32(65))))
    movie.tracks.append(
      MovieBuilder.Track(
        handler: "meta", codec: "mebx", samples: [u32(9) + u32(1) + [0xff]], timescale: 600,
        sampleDuration: 1, edits: [(duration: 250, start: -1), (duration: 1, start: 0)],
        entryTail: keys, references: [("cdsc", 1)]))
    let (report, result, info) = try pass(movie)
    #expect(report.streams.map(\.codec) == ["jpeg", "sowt", "mebx"])
    #expect(info.stillImageTime == 0.25)
    #expect(result.numbers("moov/trak:2/tref/cdsc") == [1])
    // The handler type, which MPEG-4 omits.
    #expect(result.content("moov/trak/mdia/hdlr")?[4..<8] == Array("mhlr".utf8)[...])
  }

  @Test(.enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
  func `MPEG-4 audio plays with its QuickTime description`() throws {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let source = folder.file("in.mp4")
    let words =
      "-v error -f lavfi -i sine=d=1 -f lavfi -i testsrc=s=64x48:d=1:r=10 -map 0 -map 1 "
      + "-c:a aac -c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 0 -use_editlist 1"
    try #require(
      Program.run(
        ffmpeg, words.split(separator: " ").map(String.init) + [source],
        output: folder.file("log")) == 0)
    // The end of the audio is hidden, which libavformat cannot express.
    var movie = try bytes(source)
    let list = try #require(position(of: Array("elst".utf8), in: movie)) + 12
    movie.replaceSubrange(list..<(list + 4), with: u32(400))
    let hidden = try folder.write(movie, "hidden.mp4")
    let staged = folder.file("out.mov")
    _ = try PassthroughExport.run(from: hidden, to: staged)
    #expect(contains(try bytes(staged), Array("wave".utf8)))
    for (path, name) in [(hidden, "want"), (staged, "have")] {
      try #require(
        Program.run(
          ffmpeg, ["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"],
          output: folder.file(name)) == 0)
    }
    #expect(try bytes(folder.file("want")) == bytes(folder.file("have")))
    #expect(try !bytes(folder.file("have")).isEmpty)
  }
}
