// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Edits of damaged videos are rejected")
struct RewritingDamageTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  static let edits: [MovieEdit] = [
    .trim(start: 0.7, end: 1.4), .rotate90(turns: 1), .mute, .location(nil),
    .contentIdentifier("A"),
  ]

  private var movie: MovieBuilder {
    var movie = TrimTests.movie
    movie.tags = [("com.apple.quicktime.make", "Maker")]
    movie.tracks[0].edits = [(duration: 1900, start: 60)]
    return movie
  }

  @Test(arguments: [false, true])
  func `a truncated video leaves no files`(isHeaderFirst: Bool) throws {
    var movie = movie
    movie.isHeaderFirst = isHeaderFirst
    let bytes = movie.build()
    for count in stride(from: 0, to: bytes.count, by: 331) {
      let source = try folder.write(Array(bytes[..<count]), "in")
      #expect(throws: MovieError.self, "truncated to \(count) bytes") {
        try MovieRewriter.run(from: source, to: folder.file("out"), edits: Self.edits)
      }
      #expect(try folder.names == ["in"], "truncated to \(count) bytes")
      try FileSystem.remove(source)
    }
  }

  @Test func `a false header gives an error or a valid video`() throws {
    let intact = movie.build()
    let header = (intact.count - 2000)..<intact.count
    var passed = 0
    let offsets = header.some(0)
    for offset in offsets {
      var bytes = intact
      // Every fourth place still meets all four values.
      bytes[offset] = [0, 0x7f, 0x80, 0xff][(offset + offset / 4) % 4]
      let source = try folder.write(bytes, "in")
      do {
        let report = try MovieRewriter.run(
          from: source, to: folder.file("out"), edits: Self.edits)
        #expect(report.streams.allSatisfy { $0.digest != nil })
        _ = try PassthroughExport.inspect(folder.file("out"))
        try FileSystem.remove(folder.file("out"))
        passed += 1
      } catch is MovieError {
        #expect(try folder.names == ["in"], "byte \(offset)")
      }
      try FileSystem.remove(source)
    }
    #expect(passed > 0 && passed < offsets.count)
  }

  @Test func `a table with more samples than a file can hold is rejected immediately`() throws {
    var bytes = movie.build()
    let table = try #require(position(of: Array("stsz".utf8), in: bytes))
    bytes.replaceSubrange((table + 12)..<(table + 16), with: u32(0x7fff_ffff))
    let source = try folder.write(bytes, "in")
    #expect(throws: MovieError.self) {
      try MovieRewriter.run(from: source, to: folder.file("out"), edits: Self.edits)
    }
    #expect(try folder.names == ["in"])
  }

  @Test(arguments: ["drmi", "encv"])
  func `encrypted media is rejected with its stream`(codec: String) throws {
    var movie = movie
    movie.tracks[0].codec = codec
    let source = try folder.write(movie.build(), "in")
    let error = #expect(throws: MovieError.self) {
      try MovieRewriter.run(from: source, to: folder.file("out"), edits: Self.edits)
    }
    guard case .unsupportedStream(stream: 0, codec: codec, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  private func position(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    (0..<(bytes.count - pattern.count)).first {
      bytes[$0..<($0 + pattern.count)].elementsEqual(pattern)
    }
  }
}
