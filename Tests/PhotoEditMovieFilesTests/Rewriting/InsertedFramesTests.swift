// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditMovieFiles

@Suite("New frames in the place of the old ones")
struct InsertedFramesTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let format = EncodedVideoFormat(
    codec: "mjpeg", fourCC: "jpeg", width: 64, height: 48, pixelAspect: (1, 1), primaries: 2,
    transfer: 2, colorMatrix: 2, isFullRange: true, setup: [], isOriented: false)

  /// Writes frames with presentation times, in decoding order; only the first is a key frame.
  private func insert(
    _ frames: [[UInt8]], at presentations: [Int], of source: String, to name: String = "out.mov",
    _ edits: [MovieEdit] = [], space: Int? = nil
  ) throws -> MovieReport {
    let opened = try OpenedMovie(source)
    var movie = try #require(try opened.editable(.auto, replacesVideo: true))
    for edit in edits { try movie.apply(edit, opened) }
    let inserted = try InsertedFrames(
      opened, movie, replacing: 0, at: folder.file(name), Self.format, Cancellation { false },
      space: space)
    for (index, frame) in frames.enumerated() {
      try frame.withUnsafeBufferPointer { bytes in
        try inserted.write(
          VideoPacket(
            bytes: bytes, presentation: Int64(presentations[index]), decoding: 0, duration: 0,
            isKey: index == 0))
      }
    }
    return try inserted.finish()
  }

  private func runs(_ numbers: [Int]) -> [Int] {
    stride(from: 0, to: numbers.count - 1, by: 2).flatMap {
      Array(repeating: numbers[$0 + 1], count: numbers[$0])
    }
  }

  @Test func `new frames get the times of the old ones, the rest is unchanged`() throws {
    var movie = TrimTests.movie
    movie.tags = [("com.apple.quicktime.make", "Maker")]
    movie.tracks[0].edits = [(duration: 200, start: -1), (duration: 1900, start: 60)]
    movie.tracks[0].matrix = [0, 1, -1, 0]
    let source = try folder.write(movie.build(), "in.mov")
    // Encoded in another order: I P B B P B B…
    let frames = (0..<20).map { sample(100 + $0, 40 + $0) }
    let order = (0..<20).map { $0 == 0 ? 0 : $0 % 3 == 1 ? min($0 + 2, 19) : $0 - 1 }
    let report = try insert(
      frames, at: order.map { 60 * $0 }, of: source, [.contentIdentifier("B-2"), .mute])
    #expect(report.streams.map(\.kind) == [.video])
    #expect(report.streams[0].digest == SHA256Digest(of: Array(frames.joined())))
    #expect(report.streams[0].rotation == 90)
    #expect(report.digest == SHA256Digest(of: try bytes(folder.file("out.mov"))))
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
    #expect(shown.map { ($0 - first) / 60 } == order)
    #expect(shown.sorted() == (0..<20).map { first + 60 * $0 })
    #expect(edits[1][1] == first + 60)
    #expect(result.numbers(table + "stss", from: 8) == [1])
    let info = try PassthroughExport.inspect(folder.file("out.mov"))
    #expect(info.tags["com.apple.quicktime.make"] == "Maker")
    #expect(info.contentIdentifier == "B-2")
    #expect(info.streams[0].width == 64 && info.streams[0].height == 48)
  }

  @Test func `a different number of frames is rejected, and no file remains`() throws {
    let source = try folder.write(TrimTests.movie.build(), "in.mov")
    for count in [0, 19, 21] {
      let frames = (0..<count).map { sample($0, 30) }
      #expect(throws: MovieError.self) {
        try insert(frames, at: (0..<count).map { 60 * $0 }, of: source)
      }
      #expect(try folder.names == ["in.mov"])
    }
    let taken = try folder.write([1, 2, 3], "out.mov")
    #expect(throws: MovieError.self) { try insert([], at: [], of: source) }
    #expect(try bytes(taken) == [1, 2, 3])
  }

  /// Movies of random shape: the packets must be the same wherever the header is.
  @Test func `the header is in front if its space is enough, and else at the end`() throws {
    var random = SeededNumbers(77)
    for number in 0..<SeededNumbers.cases(40) {
      var movie = TrimTests.movie
      let count = 1 + random.below(60)
      movie.tracks[0].samples = (0..<count).map { sample($0, 20 + random.below(50)) }
      movie.tracks[0].syncs = [0]
      movie.tracks[0].samplesPerChunk = 1 + random.below(9)
      movie.tracks[1].samplesPerChunk = 1 + random.below(2000)
      if random.below(2) == 0 { movie.tracks.removeLast() }
      let source = try folder.write(movie.build(), "in.mov")
      let frames = (0..<count).map { sample($0, 1 + random.below(700)) }
      var order = Array(0..<count)
      let distance = 1 + random.below(8)
      if random.below(3) > 0 {
        for start in stride(from: 0, to: count, by: distance) {
          order[start..<min(start + distance, count)].reverse()
        }
      }
      let times = order.map { 60 * $0 }
      let usual = try insert(frames, at: times, of: source, to: "usual.mov")
      let start = BoxFinder(try bytes(folder.file("usual.mov"))).order
      #expect(start.prefix(2) == ["ftyp", "moov"] && start.last == "mdat", "case \(number)")
      for (name, space) in [("none.mov", 8), ("wide.mov", 100_000)] {
        let other = try insert(frames, at: times, of: source, to: name, space: space)
        #expect(other.streams == usual.streams, "case \(number)")
        let found = BoxFinder(try bytes(folder.file(name))).order
        #expect(
          found
            == (space == 8 ? ["ftyp", "free", "mdat", "moov"] : ["ftyp", "moov", "free", "mdat"]))
        try PassthroughExport.validateQuickTime(folder.file(name))
      }
      // The space that is left is a small part of the header's.
      let left = try bytes(folder.file("usual.mov")).count - bytes(folder.file("none.mov")).count
      #expect(left < 9 * count + 500, "case \(number): \(left)")
      for name in try folder.names { try FileSystem.remove(folder.file(name)) }
    }
  }

  @Test func `start codes become lengths`() {
    var random = SeededNumbers(78)
    for _ in 0..<SeededNumbers.cases(200) {
      var (stream, expected): ([UInt8], [UInt8]) = ([], [])
      for _ in 0..<random.below(6) {
        // Units contain neither start codes nor a zero at the end.
        var unit = (0..<(1 + random.below(40))).map { _ in
          [0, 0, 1, 3, 255][random.below(5)] as UInt8
        }
        for index in unit.indices.dropFirst(2) where unit[index - 2...index - 1] == [0, 0] {
          unit[index] = 3
        }
        unit[unit.count - 1] = 128
        stream += [UInt8](repeating: 0, count: random.below(3)) + [0, 0, 1] + unit
        expected.append(u32: UInt32(unit.count))
        expected += unit
      }
      stream += [UInt8](repeating: 0, count: random.below(3))
      var found: [UInt8] = []
      stream.withUnsafeBytes { found.append(lengthPrefixing: $0) }
      #expect(found == expected, "\(stream)")
    }
  }
}
