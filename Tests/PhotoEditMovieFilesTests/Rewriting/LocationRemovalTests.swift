// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Testing

@testable import PhotoEditMovieFiles

@Suite("Removal of the locations of a movie")
struct LocationRemovalTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func removed(_ movie: MovieBuilder) throws -> (report: MovieReport, bytes: [UInt8]) {
    let source = try folder.write(movie.build(), "in.mov")
    defer {
      for name in ["in.mov", "out.mov"] { try? FileSystem.remove(folder.file(name)) }
    }
    let report = try MovieRewriter.run(
      from: source, to: folder.file("out.mov"), edits: [.location(nil)])
    return (report, try bytes(folder.file("out.mov")))
  }

  private static func track(
    _ handler: String, _ codec: String, _ samples: [String], tail: [UInt8] = []
  ) -> MovieBuilder.Track {
    MovieBuilder.Track(
      handler: handler, codec: codec,
      samples: samples.map { u16($0.utf8.count) + Array($0.utf8) }, sampleDuration: 150,
      entryTail: tail)
  }

  @Test(arguments: ["gpmd", "camm", "mett", "djmd", "rtmd", "fdsc"])
  func `telemetry is removed and reported`(codec: String) throws {
    var movie = MovieBuilder(brand: "qt  ")
    movie.tracks.append(Self.track("meta", codec, ["GPS5 secret"]))
    let (report, bytes) = try removed(movie)
    #expect(report.losses == ["stream 2 (\(codec)), which may contain location data"])
    #expect(report.streams.map(\.kind) == [.video, .audio])
    #expect(!contains(bytes, Array("secret".utf8)))
  }

  @Test(arguments: [
    ("com.apple.quicktime.location.ISO6709", false),
    ("com.apple.quicktime.video-orientation", true),
  ])
  func `timed metadata is kept if no key is a location`(key: String, isKept: Bool) throws {
    let keys = box("keys", box("\0\0\0\u{1}", box("keyd", Array("mdta\(key)".utf8))))
    var movie = MovieBuilder(brand: "qt  ")
    movie.tracks.append(Self.track("meta", "mebx", ["x"], tail: keys))
    #expect(
      try removed(movie).report.losses
        == (isKept ? [] : ["stream 2 (mebx), which contains location data"]))
  }

  @Test(arguments: [
    "F/2.8, GPS (-3.9130, 56.5019, 26), D 0.57m", "[latitude: 48.1] [longtitude: 11.5]",
    "HOME(E: 11.57, N: 48.13)", "<gps lat=\"48.1\" lon=\"11.5\"/>", "+48.1370+011.5750/",
    "$GPRMC,220516,A,5133.82,N", "48°08'12\"N 11°34'30\"E", "48.13701, 11.57502",
  ])
  func `subtitles with positions are removed`(text: String) throws {
    var movie = MovieBuilder(brand: "qt  ")
    movie.tracks.append(Self.track("sbtl", "tx3g", ["Hello", text]))
    let (report, bytes) = try removed(movie)
    #expect(report.losses == ["stream 2 (tx3g), which contains location data"])
    #expect(!contains(bytes, Array(text.utf8)))
  }

  @Test(arguments: [
    "Turn the GPS on.", "He is 48, she is 11.", "-20° today", "Call +49-89-123", "Later, at 5",
    "0.5, 0.25", "I was home at 5, 2 hours late", "We replaced 3 lamps", "A melon is 2.50",
  ])
  func `subtitles without positions stay`(text: String) throws {
    var movie = MovieBuilder(brand: "qt  ")
    movie.tracks.append(Self.track("sbtl", "tx3g", [text]))
    let (report, bytes) = try removed(movie)
    #expect(report.losses.isEmpty)
    #expect(contains(bytes, Array(text.utf8)))
  }

  private static let packetID: [UInt8] = [
    0xbe, 0x7a, 0xcf, 0xcb, 0x97, 0xa9, 0x42, 0xe8, 0x9c, 0x71, 0x99, 0x94, 0x91, 0xe3, 0xaf, 0xac,
  ]

  @Test(arguments: ["exif:GPSLatitude=\"48,8N\"", "photoshop:City=\"Munich\""])
  func `packets of XMP with a location are removed, others stay`(property: String) throws {
    for (text, isKept) in [(property, false), ("dc:format=\"video\"", true)] {
      var movie = MovieBuilder(brand: "qt  ")
      movie.boxesBeforeTracks = box("udta", box("XMP_", Array(text.utf8)))
      movie.extraBoxes = box("uuid", Self.packetID + Array(text.utf8))
      let (report, bytes) = try removed(movie)
      #expect(
        report.losses
          == (isKept
            ? []
            : [
              "box moov/udta/XMP_, which contains location data",
              "box uuid, which contains location data",
            ]))
      #expect(contains(bytes, Array(text.utf8)) == isKept)
    }
  }

  @Test func `values of iTunes that are locations are removed, others stay`() throws {
    func item(_ type: String, _ text: String, name: String? = nil) -> [UInt8] {
      let names = name.map {
        box("mean", u32(0) + Array("com.x".utf8))
          + box("name", u32(0) + Array($0.utf8))
      }
      return box(type, (names ?? []) + box("data", u32(1) + u32(0) + Array(text.utf8)))
    }
    let list = box(
      "ilst",
      item("©xyz", "secret 1") + item("----", "secret 2", name: "GPSCoordinates")
        + item("©cmt", "+48.1370+011.5750/ secret 3") + item("©nam", "Title"))
    let handler = box("hdlr", zeros(8) + Array("mdirappl".utf8) + zeros(9))
    var movie = MovieBuilder(brand: "qt  ")
    movie.boxesBeforeTracks = box("udta", box("meta", u32(0) + handler + list))
    let (report, bytes) = try removed(movie)
    #expect(report.losses.isEmpty)
    #expect(!contains(bytes, Array("secret".utf8)))
    #expect(contains(bytes, Array("Title".utf8)))
  }

  @Test func `keys of Matroska that are locations are removed`() throws {
    var movie = MovieBuilder(brand: "qt  ")
    movie.tags = [
      ("LOCATION", "secret"), ("CITY", "secret"), ("note", "+48.13+011.57/ secret"),
      ("title", "Title"),
    ]
    let (report, bytes) = try removed(movie)
    #expect(report.losses.isEmpty)
    #expect(!contains(bytes, Array("secret".utf8)))
    #expect(contains(bytes, Array("Title".utf8)))
  }

  @Test func `unknown boxes are removed and reported, and so are bytes outside of the samples`()
    throws
  {
    let secret = Array("secret".utf8)
    var movie = MovieBuilder(brand: "qt  ")
    movie.boxesBeforeTracks =
      box("gps ", secret) + box("udta", box("free", secret) + box("NCTG", secret))
    movie.tracks[0].userData = box("udta", box("GPMF", secret) + box("FIRM", [1]))
    movie.extraBoxes = box("free", secret) + box("abcd", secret)
    let (report, bytes) = try removed(movie)
    #expect(
      report.losses
        == ["moov/gps", "moov/udta/NCTG", "moov/trak/udta/GPMF", "abcd"].map {
          "box \($0), which may contain location data"
        })
    #expect(!contains(bytes, secret))
    #expect(contains(bytes, Array("FIRM".utf8)))
  }

  @Test func `a movie of only telemetry is refused`() throws {
    var movie = MovieBuilder(brand: "qt  ")
    movie.tracks = [Self.track("meta", "camm", ["x"])]
    let error = #expect(throws: MovieError.self) { try removed(movie) }
    #expect(error?.description.contains("nothing would remain") == true)
  }
}
