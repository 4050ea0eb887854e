// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

@Suite("Changes to a movie header")
struct RetaggingTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func edit(
    _ movie: MovieBuilder, _ edits: [MovieEdit]
  ) throws -> (report: MovieReport, bytes: [UInt8], info: MovieInfo) {
    let source = try folder.write(movie.build(), "in.mov")
    let staged = folder.file("out.mov")
    defer {
      for name in ["in.mov", "out.mov"] { try? FileSystem.remove(folder.file(name)) }
    }
    let report = try MovieRewriter.run(from: source, to: staged, edits: edits)
    return (report, try bytes(staged), try PassthroughExport.inspect(staged))
  }

  private func movie(isHeaderFirst: Bool = false) -> MovieBuilder {
    var movie = MovieBuilder(brand: "qt  ", isHeaderFirst: isHeaderFirst)
    movie.tags = [("com.apple.quicktime.make", "Maker")]
    return movie
  }

  @Test(arguments: [[1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0]], 1...3)
  func `rotation adds to the existing one, and the frame stays in view`(
    matrix: [Int], turns: Int
  ) throws {
    var movie = movie()
    movie.tracks[0].matrix = matrix
    let before = try edit(movie, [.contentIdentifier("A")]).info.streams[0].rotation
    let (report, bytes, info) = try edit(movie, [.rotate90(turns: turns)])
    #expect(report.method == .retagged)
    let after = try #require(info.streams[0].rotation)
    #expect(after == (try #require(before) + 90 * turns) % 360)
    // The corners of 64×48 map to a rectangle that begins where the source's did.
    let numbers = BoxFinder(bytes).numbers("moov/trak/tkhd", from: 40).prefix(9).map { $0 >> 16 }
    let corners = [(0, 0), (64, 0), (0, 48), (64, 48)].map { x, y in
      [numbers[0] * x + numbers[3] * y + numbers[6], numbers[1] * x + numbers[4] * y + numbers[7]]
    }
    let old = [(0, 0), (64, 0), (0, 48), (64, 48)].map { x, y in
      [matrix[0] * x + matrix[2] * y, matrix[1] * x + matrix[3] * y]
    }
    #expect(corners.map { $0[0] }.min() == old.map { $0[0] }.min())
    #expect(corners.map { $0[1] }.min() == old.map { $0[1] }.min())
  }

  @Test func `four rotations and two flips restore the movie`() throws {
    let plain = try edit(movie(), [.rotate90(turns: 0)])
    let rotated = try edit(movie(), Array(repeating: .rotate90(turns: 1), count: 4))
    #expect(rotated.report.digest == plain.report.digest)
    #expect(rotated.bytes == movie().build())
    let flipped = try edit(movie(), [.flip(.horizontal), .flip(.horizontal)])
    #expect(flipped.bytes == movie().build())
    let half = try edit(movie(), [.flip(.horizontal), .flip(.vertical)])
    #expect(half.info.streams[0].rotation == 180)
    #expect(try edit(movie(), [.flip(.vertical)]).info.streams[0].rotation == nil)
  }

  @Test(arguments: [false, true])
  func `media stays byte for byte wherever the header is`(isHeaderFirst: Bool) throws {
    let movie = movie(isHeaderFirst: isHeaderFirst)
    let (report, _, _) = try edit(movie, [.contentIdentifier("0123456789-ABC")])
    for (stream, track) in zip(report.streams, movie.tracks) {
      #expect(stream.digest == SHA256Digest(of: Array(track.samples.joined())))
    }
    #expect(report.losses.isEmpty)
  }

  @Test func `dates and locations are written where players read them`() throws {
    let date = try #require(MovieDate("2024-02-29T23:30:00+01:00"))
    let coordinate = try #require(
      MovieLocation(latitude: -33.8568, longitude: 151.2153, altitude: 5))
    let (_, bytes, info) = try edit(movie(), [.creationDate(date), .location(coordinate)])
    #expect(info.creationDate == 1_709_245_800)
    #expect(info.tags["com.apple.quicktime.creationdate"] == "2024-02-29T23:30:00+0100")
    let text = "-33.8568+151.2153+005.000/"
    #expect(info.tags["com.apple.quicktime.location.ISO6709"] == text)
    #expect(info.tags["©xyz"] == text)
    #expect(info.tags["com.apple.quicktime.make"] == "Maker")
    let seconds = UInt32(1_709_245_800 + 2_082_844_800)
    for path in ["moov/mvhd", "moov/trak/tkhd", "moov/trak:1/mdia/mdhd"] {
      #expect(BoxFinder(bytes).numbers(path)[1] == Int(Int32(bitPattern: seconds)))
    }
  }

  @Test func `a removed location is nowhere in the file`() throws {
    var movie = movie(isHeaderFirst: true)
    movie.tags.append(("com.apple.quicktime.location.ISO6709", "+12.3456+098.7654/"))
    movie.tags.append(("com.apple.quicktime.location.name", "Nowhere"))
    let (_, bytes, info) = try edit(movie, [.location(nil)])
    #expect(info.tags == ["com.apple.quicktime.make": "Maker"])
    #expect(!contains(bytes, Array("12.3456".utf8)))
    #expect(!contains(bytes, Array("Nowhere".utf8)))
  }

  @Test func `muting removes the audio from the file`() throws {
    let movie = movie()
    let (report, bytes, info) = try edit(movie, [.mute])
    #expect(report.method == .rewritten)
    #expect(info.streams.map(\.kind) == [.video])
    #expect(report.streams[0].digest == SHA256Digest(of: Array(movie.tracks[0].samples.joined())))
    #expect(!contains(bytes, Array(movie.tracks[1].samples[0][100..<132])))
  }

  @Test func `a video without audio is already muted, a movie of only audio is rejected`() throws {
    var movie = movie()
    movie.tracks.removeLast()
    #expect(try edit(movie, [.mute]).bytes == movie.build())
    movie.tracks = [.audio]
    #expect(throws: MovieError.self) { try edit(movie, [.mute]) }
    #expect(throws: MovieError.self) { try edit(movie, [.rotate90(turns: 1)]) }
  }

  @Test(arguments: ["", "a b", "ä", String(repeating: "x", count: 257)])
  func `an invalid content identifier is rejected`(text: String) throws {
    #expect(throws: MovieError.self) { try edit(movie(), [.contentIdentifier(text)]) }
  }

  @Test func `cancellation leaves no file, and progress rises to completion`() throws {
    let source = try folder.write(movie().build(), "in.mov")
    #expect(throws: MovieError.cancelled) {
      try MovieRewriter.run(
        from: source, to: folder.file("out"), edits: [.mute], isCancelled: { true })
    }
    // Canceled when part of the output is written already.
    let asked = LockedValue(0)
    #expect(throws: MovieError.cancelled) {
      try MovieRewriter.run(
        from: source, to: folder.file("out"), edits: [.mute],
        isCancelled: {
          asked.withLock {
            $0 += 1; return $0 > 6
          }
        })
    }
    #expect(try folder.names == ["in.mov"])
    let seen = LockedValue<[Double]>([])
    _ = try MovieRewriter.run(
      from: source, to: folder.file("out"), edits: [.mute],
      progress: { part in seen.withLock { $0.append(part) } })
    let parts = seen.withLock { $0 }
    #expect(parts == parts.sorted())
    #expect(parts.last == 1)
  }
}

@Suite("Dates and locations of videos")
struct MovieDateTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00+0000", 0), ("2000-02-29T12:00:00Z", 951_825_600),
    ("2024-05-06T14:34:56+02:00", 1_714_998_896), ("1904-01-01T00:00:01", -2_082_844_799),
    ("1999-12-31 23:59:59-0130", 946_690_199),
  ])
  func `ISO 8601 is read and written`(text: String, seconds: Int) throws {
    let date = try #require(MovieDate(text))
    #expect(date.seconds == seconds)
    #expect(MovieDate(date.description) == date)
  }

  @Test(arguments: [
    "", "2024-05-06", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-05-06T24:00:00Z",
    "2024-05-06T10:00:00+1", "2024-05-06T10:00Z", "T", "24-05-06T10:00:00Z+02:00",
  ])
  func `a malformed date parses as nil`(text: String) {
    #expect(MovieDate(text) == nil)
  }

  @Test func `locations outside the Earth are nil, small coordinates keep their sign`() {
    #expect(MovieLocation(latitude: 91, longitude: 0) == nil)
    #expect(MovieLocation(latitude: 0, longitude: .nan) == nil)
    #expect(
      MovieLocation(latitude: -0.5, longitude: 0.00001)?.description == "-00.5000+000.0000/")
  }
}
