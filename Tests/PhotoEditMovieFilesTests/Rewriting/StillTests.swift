// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

@Suite("Live Photos: still image time and replaced frames")
struct StillTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `the still image time is written, read, moved, and survives a trim`() throws {
    let source = try folder.write(TrimTests.movie.build(), "in.mov")
    let first = folder.file("first.mov")
    #expect(try PassthroughExport.inspect(source).stillImageTime == nil)
    _ = try MovieRewriter.run(
      from: source, to: first, edits: [.contentIdentifier("A-1"), .stillImageTime(1.25)])
    let info = try PassthroughExport.inspect(first)
    #expect(info.stillImageTime == 1.25)
    #expect(info.contentIdentifier == "A-1")
    #expect(info.streams[2].metadataKeys == ["com.apple.quicktime.still-image-time"])
    #expect(info.streams[2].packets == 1)
    let second = folder.file("second.mov")
    let report = try MovieRewriter.run(
      from: first, to: second, edits: [.trim(start: 1.2), .stillImageTime(0.5)])
    // Trimmed to 1.0 s, the old time is 0.25 s.
    #expect(report.losses.isEmpty)
    let moved = try PassthroughExport.inspect(second)
    #expect(moved.stillImageTime == 0.5)
    #expect(moved.streams.count == 3)
    let third = try MovieRewriter.run(
      from: first, to: folder.file("third.mov"), edits: [.trim(start: 1)])
    #expect(third.streams.count == 3)
    #expect(try PassthroughExport.inspect(folder.file("third.mov")).stillImageTime == 0.25)
    #expect(throws: MovieError.self) {
      try MovieRewriter.run(
        from: source, to: folder.file("x.mov"), edits: [.stillImageTime(2.5)])
    }
  }

  @Test func `replaced frames get the times of the old ones, the rest is unchanged`() throws {
    var movie = TrimTests.movie
    movie.tags = [("com.apple.quicktime.make", "Maker")]
    movie.tracks[0].edits = [(duration: 200, start: -1), (duration: 1900, start: 60)]
    let source = try folder.write(movie.build(), "in.mov")
    // Encoded with another timescale, in another order, of another size: I P B B P B B…
    var made = MovieBuilder(brand: "qt  ")
    made.tracks.removeLast()
    made.tracks[0].samples = (0..<20).map { sample(100 + $0, 40 + $0) }
    made.tracks[0].timescale = 1000
    made.tracks[0].sampleDuration = 33
    made.tracks[0].matrix = [0, 1, -1, 0]
    made.tracks[0].syncs = [0]
    made.tracks[0].compositions = (0..<20).map { $0 % 3 == 1 ? 99 : $0 == 0 ? 33 : 0 }
    let replacement = try folder.write(made.build(), "made.mov")
    let report = try MovieRewriter.replaceVideo(
      of: source, with: replacement, to: folder.file("out.mov"),
      edits: [.contentIdentifier("B-2"), .mute])
    #expect(report.streams.map(\.kind) == [.video])
    #expect(
      report.streams[0].digest == SHA256Digest(of: Array(made.tracks[0].samples.joined())))
    #expect(report.streams[0].rotation == 90)
    let result = BoxFinder(try bytes(folder.file("out.mov")))
    let edits = result.edits(ofTrack: 0)
    #expect(edits.map { $0[0] } == [200, 1900])
    #expect(edits[0][1] == -1)
    // Presented every 60 timescale units, starting one unit of 60 before the edit list's start.
    let table = "moov/trak/mdia/minf/stbl/"
    let durations = runs(result.numbers(table + "stts", from: 8))
    let offsets = runs(result.numbers(table + "ctts", from: 8))
    var time = 0
    var shown: [Int] = []
    for (duration, offset) in zip(durations, offsets) {
      #expect(offset >= 0)
      shown.append(time + offset)
      time += duration
    }
    let first = try #require(shown.min())
    #expect(shown.sorted() == (0..<20).map { first + 60 * $0 })
    #expect(edits[1][1] == first + 60)
    let info = try PassthroughExport.inspect(folder.file("out.mov"))
    #expect(info.tags["com.apple.quicktime.make"] == "Maker")
    #expect(info.contentIdentifier == "B-2")
  }

  private func runs(_ numbers: [Int]) -> [Int] {
    stride(from: 0, to: numbers.count - 1, by: 2).flatMap {
      Array(repeating: numbers[$0 + 1], count: numbers[$0])
    }
  }

  @Test func `a different number of frames is rejected`() throws {
    let source = try folder.write(TrimTests.movie.build(), "in.mov")
    var made = TrimTests.movie
    made.tracks[0].samples.removeLast()
    let replacement = try folder.write(made.build(), "made.mov")
    #expect(throws: MovieError.self) {
      try MovieRewriter.replaceVideo(of: source, with: replacement, to: folder.file("out.mov"))
    }
    #expect(try folder.names == ["in.mov", "made.mov"])
  }
}
