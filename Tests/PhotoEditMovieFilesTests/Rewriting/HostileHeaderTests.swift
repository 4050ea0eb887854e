// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

/// Valid but unusual headers are read; invalid ones are rejected.
///
/// No header terminates the program.
@Suite("Unusual and invalid headers")
struct HostileHeaderTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let edits: [[MovieEdit]] = [
    [], [.mute], [.trim(start: 0, end: 0.3)], [.rotate90(turns: 1)], [.stillImageTime(0.1)],
    [.contentIdentifier("A")],
  ]

  /// The outcome of each edit of a file.
  private func outcomes(of bytes: [UInt8]) throws -> [Result<MovieReport, MovieError>] {
    let source = try folder.write(bytes, "in")
    defer { try? FileSystem.remove(source) }
    return Self.edits.map { edits in
      let staged = folder.file("out")
      defer { try? FileSystem.remove(staged) }
      return Result { () throws(MovieError) in
        try MovieRewriter.run(from: source, to: staged, edits: edits)
      }
    }
  }

  private func expectRefusal(_ bytes: [UInt8], _ what: String) throws {
    for outcome in try outcomes(of: bytes).dropFirst() {
      guard case .failure(let error) = outcome else {
        Issue.record("\(what) is accepted")
        continue
      }
      #expect(error.description.contains(what))
    }
  }

  /// MP4Box and L-SMASH write an object descriptor there; QuickTime has none.
  @Test(arguments: ["isom", "qt  "], [false, true])
  func `boxes before the tracks are accepted`(brand: String, hasTags: Bool) throws {
    var movie = MovieBuilder(brand: brand)
    movie.boxesBeforeTracks = box("iods", zeros(12)) + box("free", zeros(3))
    if hasTags { movie.tags = [("com.apple.quicktime.make", "Maker")] }
    let expected = movie.tracks.map { SHA256Digest(of: Array($0.samples.joined())) }
    for outcome in try outcomes(of: movie.build()) {
      let report = try outcome.get()
      if let digest = report.streams[0].digest, report.kept == nil {
        #expect(digest == expected[0])
      }
      #expect(report.losses.isEmpty)
    }
  }

  @Test(arguments: ["isom", "qt  "])
  func `deeply nested boxes are kept unchanged`(brand: String) throws {
    var movie = MovieBuilder(brand: brand)
    let depth = 100_000
    // Built from the inside out, without copying the contents repeatedly.
    let heads = (0..<depth).flatMap { u32(8 * (depth - $0)) + Array("udta".utf8) }
    movie.boxesBeforeTracks = heads
    for outcome in try outcomes(of: movie.build()) { _ = try outcome.get() }
  }

  @Test(
    arguments: [
      [1 << 62, 1 << 62], [1 << 55], [1 << 53, 1 << 53, 1 << 53], [(1 << 63) - 1, 1],
    ] as [[UInt64]])
  func `an edit list of excessive duration is rejected`(durations: [UInt64]) throws {
    var movie = MovieBuilder()
    let list = durations.flatMap { u64($0) + u64(0) + u32(0x10000) }
    movie.tracks[0].userData = box(
      "edts", box("elst", u32(1 << 24) + u32(durations.count) + list))
    try expectRefusal(movie.build(), "is out of range")
  }

  @Test func `an edit list with any start time is read or rejected`() throws {
    for start in [UInt64.max, 1 << 54, UInt64(bitPattern: -(1 << 54)), 1 << 40, 0x8000_0000] {
      var movie = MovieBuilder()
      movie.tracks[0].userData = box(
        "edts", box("elst", u32(1 << 24) + u32(1) + u64(1 << 53) + u64(start) + u32(0x10000)))
      // The outcome is either a report or an error.
      for case .failure(let error) in try outcomes(of: movie.build()) {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test func `any timescale is read or rejected`() throws {
    for (movieUnits, mediaUnits) in [
      (1, 1), (0xffff_ffff, 1), (1, 0x7fff_ffff), (0xffff_ffff, 600),
    ] {
      var bytes = MovieBuilder(tracks: [.videoStream]).build()
      let header = try #require(position(of: Array("mvhd".utf8), in: bytes))
      bytes.replaceSubrange((header + 16)..<(header + 20), with: u32(movieUnits))
      let media = try #require(position(of: Array("mdhd".utf8), in: bytes))
      bytes.replaceSubrange((media + 16)..<(media + 20), with: u32(mediaUnits))
      for case .failure(let error) in try outcomes(of: bytes) {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test(arguments: ["mdia", "stbl", "stsz", "stts", "mvhd", "hdlr", "tkhd"])
  func `a duplicate box is rejected`(type: String) throws {
    let movie = MovieBuilder(tracks: [.videoStream])
    let whole = movie.build()
    let doubled = doubling(type, in: whole[...])
    #expect(doubled.count > whole.count)
    try expectRefusal(doubled, "has two \(type) boxes")
  }

  @Test func `samples that share their bytes do not enlarge a file a thousandfold`() throws {
    var track = MovieBuilder.Track(samples: (0..<4000).map { _ in [] }, sampleDuration: 1)
    track.samplesPerChunk = 1
    let head = MovieBuilder(tracks: [track]).build()
    let space = 1 << 20
    // All 4000 samples are everything that follows the header.
    var bytes = head
    let sizes = try #require(position(of: Array("stsz".utf8), in: bytes))
    bytes.replaceSubrange((sizes + 8)..<(sizes + 12), with: u32(space))
    bytes += box("free", zeros(space))
    try expectRefusal(bytes, "bytes of samples")
  }

  /// Repeats every box of a type.
  private func doubling(_ type: String, in bytes: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    var rest = bytes
    while rest.count >= 8 {
      let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
      let content = rest.prefix(size).dropFirst(8)
      let isParent = ["moov", "trak", "mdia", "minf", "stbl"].contains(name)
      let whole = box(name, isParent ? doubling(type, in: content) : Array(content))
      output += name == type ? whole + whole : whole
      rest = rest.dropFirst(size)
    }
    return output + rest
  }
}

private func u64(_ value: UInt64) -> [UInt8] {
  u32(Int(value >> 32)) + u32(Int(value & 0xffff_ffff))
}
