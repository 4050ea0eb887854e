// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

/// QuickTime plays HEVC only as "hvc1", with the parameter sets in the sample description.
@Suite("HEVC for QuickTime")
struct HEVCTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// The NAL units of the video, sequence and picture parameter sets, and of a key frame.
  private static let sets: [[UInt8]] = [[64, 1, 7], [66, 1, 8, 8], [68, 1, 9]]
  private static let frame: [UInt8] = [38, 1] + sample(3, 60)

  private static func configuration(_ sets: [[UInt8]]) -> [UInt8] {
    let arrays = sets.flatMap { [$0[0] >> 1] + u16(1) + u16($0.count) + $0 }
    return box("hvcC", [1] + zeros(20) + [0xff, UInt8(sets.count)] + arrays)
  }

  private static func movie(
    _ codec: String, described: [[UInt8]], inFrames: [[UInt8]], brand: String = "isom"
  ) -> MovieBuilder {
    var movie = MovieBuilder(brand: brand)
    movie.tracks[0].codec = codec
    movie.tracks[0].entryTail = configuration(described)
    let prefixed = (inFrames + [frame]).flatMap { u32($0.count) + $0 }
    movie.tracks[0].samples = [prefixed, prefixed]
    return movie
  }

  private func pass(
    _ movie: MovieBuilder, _ remuxing: MovieRemuxing = .auto
  ) throws -> (report: MovieReport, description: [UInt8]) {
    let source = try folder.write(movie.build(), "in.mp4")
    let report = try PassthroughExport.run(
      from: source, to: folder.file("out.mov"), remuxing: remuxing)
    #expect(
      report.streams[0].digest == SHA256Digest(of: Array(movie.tracks[0].samples.joined())))
    let result = BoxFinder(try bytes(folder.file("out.mov")))
    return (report, try #require(result.content("moov/trak/mdia/minf/stbl/stsd")))
  }

  @Test(arguments: [
    ("hev1", "isom", MovieRemuxing.auto, "hvc1"), ("hev1", "qt  ", .auto, "hvc1"),
    ("hev1", "isom", .libavformat, "hvc1"), ("hvc1", "isom", .libavformat, "hvc1"),
    ("dvhe", "isom", .auto, "dvh1"),
  ])
  func `a complete sample description gets the name that QuickTime plays`(
    codec: String, brand: String, remuxing: MovieRemuxing, expected: String
  ) throws {
    let movie = Self.movie(codec, described: Self.sets, inFrames: [], brand: brand)
    let (report, description) = try pass(movie, remuxing)
    #expect(report.losses.isEmpty)
    #expect(report.streams.map(\.codec) == [expected, "sowt"])
    if remuxing == .auto { #expect(contains(description, Self.configuration(Self.sets))) }
    // Since version 7, libavformat writes what it derives from the sets before them.
    for set in Self.sets { #expect(contains(description, u16(1) + u16(set.count) + set)) }
  }

  @Test func `parameter sets of the first frame are added to the sample description`() throws {
    let movie = Self.movie("hev1", described: [Self.sets[0]], inFrames: Self.sets)
    let (report, description) = try pass(movie)
    #expect(report.losses.isEmpty)
    #expect(report.streams[0].codec == "hvc1")
    for set in Self.sets { #expect(contains(description, u16(1) + u16(set.count) + set)) }
    // The first is not repeated.
    let marker = try #require(position(of: Array("hvcC".utf8), in: description))
    #expect(description[marker + 4 + 22] == 3)
  }

  @Test(arguments: MovieRemuxing.allCases)
  func `unknown parameter sets are a loss`(remuxing: MovieRemuxing) throws {
    let movie = Self.movie("hev1", described: [], inFrames: [])
    let (report, _) = try pass(movie, remuxing)
    let stream = remuxing == .auto ? "hev1" : "hevc"
    #expect(
      report.losses == [
        "playback by QuickTime of stream 0 (\(stream)), whose frames contain the parameter sets"
      ])
    #expect(report.streams[0].codec == "hev1")
  }

  @Test func `an edit of a QuickTime movie renames it too`() throws {
    let movie = Self.movie("hev1", described: Self.sets, inFrames: [], brand: "qt  ")
    let source = try folder.write(movie.build(), "in.mov")
    let report = try MovieRewriter.run(
      from: source, to: folder.file("out.mov"), edits: [.mute])
    #expect(report.streams.map(\.codec) == ["hvc1"])
  }
}
