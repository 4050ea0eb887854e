// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditVideo
import Testing

@testable import PhotoEditLibrary

/// Small files that state false sizes and counts; trusting them exhausts memory or never
/// terminates.
@Suite("Hostile videos")
struct HostileMovieTests {
  /// The defect of a hostile video.
  enum Attack: String, CaseIterable, CustomTestStringConvertible {
    case truncatedInHeader, truncatedInMedia, noTracks, encrypted
    case samplesWithoutEnd, constantSamplesWithoutEnd, chunksWithoutEnd, headerOfFourGigabytes
    case headerOfExabytes, mediaOfExabytes, samplesAfterTheEnd, nestedWithoutEnd
    case tracksWithoutEnd, editsWithoutEnd

    var testDescription: String { rawValue }

    var bytes: [UInt8] {
      let movie = MovieFile().bytes
      switch self {
      case .truncatedInHeader: return Array(movie.dropLast(200))
      case .truncatedInMedia: return Array(movie.prefix(60))
      case .noTracks: return movie.replacing("trak", at: 0, with: Array("free".utf8))
      case .encrypted: return movie.replacing("jpeg", at: 0, with: Array("encv".utf8))
      case .samplesWithoutEnd:
        return movie.replacing("stsz", at: 8, with: [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF])
      case .constantSamplesWithoutEnd:
        return movie.replacing("stsz", at: 8, with: [0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF])
      case .chunksWithoutEnd: return movie.replacing("stco", at: 8, with: Self.many)
      case .headerOfFourGigabytes: return movie.replacing("moov", at: -4, with: Self.many)
      case .headerOfExabytes: return Self.long("moov", in: movie)
      case .mediaOfExabytes: return Self.long("mdat", in: movie)
      case .samplesAfterTheEnd:
        return movie.replacing("stco", at: 12, with: [0x7F, 0xFF, 0xFF, 0xFF])
      case .nestedWithoutEnd: return Self.nested("moov", 20_000)
      case .tracksWithoutEnd:
        let tracks = [UInt8]((0..<100_000).map { _ in HEIFFile.box("trak", []) }.joined())
        return Self.brand + HEIFFile.box("moov", tracks)
      case .editsWithoutEnd:
        let list = HEIFFile.box(
          "elst", [0, 0, 0, 0] + Self.many + [UInt8](repeating: 1, count: 24))
        return Self.brand + HEIFFile.box("moov", HEIFFile.box("trak", HEIFFile.box("edts", list)))
      }
    }

    private static let many: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    private static let brand = HEIFFile.box("ftyp", Array("qt  \0\0\0\0qt  ".utf8))

    /// A movie whose named box has a 64-bit length.
    private static func long(_ name: String, in movie: [UInt8]) -> [UInt8] {
      var movie = movie.replacing(name, at: -4, with: [0, 0, 0, 1])
      guard let start = movie.firstRange(of: Array(name.utf8))?.upperBound else { return movie }
      movie.insert(contentsOf: [0x40, 0, 0, 0, 0, 0, 0, 0], at: start)
      return movie
    }

    /// Nested boxes, each as long as the rest of the file.
    private static func nested(_ name: String, _ depth: Int) -> [UInt8] {
      brand
        + (0..<depth).flatMap { level in
          HEIFFile.number(8 * (depth - level), 4) + Array((level == 0 ? name : "trak").utf8)
        }
    }
  }

  private let folder: TestLibrary
  private let source: TemporaryFolder

  init() throws {
    folder = try TestLibrary()
    source = try TemporaryFolder()
  }

  @Test(arguments: Attack.allCases)
  func `every operation rejects a hostile video with a reason and leaves no files`(
    attack: Attack
  ) throws {
    let path = try source.write(attack.bytes, to: "a.mov")
    let report = Importer(folder.library).run([source.path])
    #expect(report.files.map(\.outcome) == [.refused], "\(report.files)")
    #expect(report.files.first?.reason?.isEmpty == false || report.files.first?.error != nil)
    #expect(try folder.assets().isEmpty)
    try folder.library.synchronize()
    #expect(try FileSystem.names(in: folder.library.layout.staging) == [])
    let output = source.path("out.mov")
    #expect(throws: VideoError.self) { try VideoFrames.poster(path) }
    #expect(throws: VideoError.self) {
      try VideoRenderer.run(from: path, .graph(FilterGraph([Invert(amount: 1)])), to: output)
    }
    #expect(throws: MovieError.self) {
      try MovieRewriter.run(from: path, to: output, edits: [.mute])
    }
    #expect(throws: MovieError.self) { try PassthroughExport.validateQuickTime(path) }
    #expect(try FileSystem.names(in: source.path) == ["a.mov"])
  }

  @Test(arguments: [("stts", 12), ("stsc", 16)])
  func `run lengths greater than the sample count are clamped`(
    table: String, offset: Int
  ) throws {
    let many: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    let bytes = MovieFile().bytes.replacing(table, at: offset, with: many)
    let path = try source.write(bytes, to: "a.mov")
    #expect(try PassthroughExport.inspect(path).streams.map(\.packets) == [30])
    #expect(Importer(folder.library).run([source.path]).assetCount == 1)
    #expect(try folder.assets().first?.duration == 1)
    let output = source.path("out.mov")
    _ = try MovieRewriter.run(from: path, to: output, edits: [.contentIdentifier("A-1")])
    #expect(try PassthroughExport.inspect(output).streams.map(\.packets) == [30])
  }

  @Test func `an audio-only file is imported as audio and has no frames`() throws {
    var file = MovieFile()
    file.handler = "soun"
    let path = try source.write(file.bytes, to: "a.mov")
    let report = Importer(folder.library).run([source.path])
    #expect(report.files.map(\.type) == [.audio])
    #expect(try folder.assets().map(\.mediaType) == [.audio])
    let error = #expect(throws: VideoError.self) { try VideoFrames.poster(path) }
    #expect(error.map { "\($0)" }?.isEmpty == false)
  }
}

extension [UInt8] {
  /// The bytes with some replaced at an offset from the name of a box.
  fileprivate func replacing(_ name: String, at offset: Int, with other: [UInt8]) -> [UInt8] {
    guard let found = firstRange(of: Array(name.utf8)) else { return self }
    // A negative offset reaches the length before the name.
    let start = found.lowerBound + offset
    var copy = self
    copy.replaceSubrange(start..<(start + other.count), with: other)
    return copy
  }
}
