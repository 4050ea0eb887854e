// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Damaged videos are rejected", .seeded)
struct DamageTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func movie(_ method: MovieBuilder.Method) -> MovieBuilder {
    var movie = MovieBuilder(method)
    movie.tags = [(key: "title", value: "A")]
    movie.tracks[0].edits = [(duration: 500, start: 0)]
    return movie
  }

  @Test(arguments: MovieBuilder.Method.allCases, [false, true])
  func `a truncated video is rejected and leaves no files`(
    method: MovieBuilder.Method, isHeaderFirst: Bool
  ) throws {
    var movie = movie(method)
    movie.isHeaderFirst = isHeaderFirst
    let bytes = movie.build()
    for count in stride(from: 0, to: bytes.count, by: 64) {
      let source = try folder.write(Array(bytes[..<count]), "in")
      #expect(throws: MovieError.self, "truncated to \(count) bytes") {
        try PassthroughExport.run(from: source, to: folder.file("out"))
      }
      #expect(try folder.names == ["in"], "truncated to \(count) bytes")
      try FileSystem.remove(source)
    }
  }

  @Test(arguments: MovieBuilder.Method.allCases)
  func `modified header bytes cause an error or give a valid video`(method: MovieBuilder.Method)
    throws
  {
    var random = SeededNumbers()
    var movie = movie(method)
    movie.isHeaderFirst = true
    let intact = movie.build()
    let header = 20..<(intact.count - movie.tracks.flatMap { $0.samples.flatMap { $0 } }.count)
    let count = SeededNumbers.cases(400)
    var passed = 0
    for _ in 0..<count {
      var bytes = intact
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let values: [UInt8] = [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)]
        bytes[Int.random(in: header, using: &random)] = values.randomElement(using: &random)!
      }
      let source = try folder.write(bytes, "in")
      do {
        let report = try PassthroughExport.run(from: source, to: folder.file("out"))
        #expect(
          try SHA256Digest(of: PhotoEditMovieFilesTests.bytes(folder.file("out"))) == report.digest)
        try FileSystem.remove(folder.file("out"))
        passed += 1
      } catch is MovieError {
        #expect(try folder.names == ["in"])
      }
      try FileSystem.remove(source)
    }
    // Many bytes do not affect a copy, such as dates and volumes.
    #expect(passed > 0 && passed < count)
  }
}
