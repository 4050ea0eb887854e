// SPDX-License-Identifier: Apache-2.0
import Glibc
import Storage
import Testing

@testable import PhotoEditMovies

@Suite("A rewritten movie is compared whole", .timeLimit(.minutes(30)))
struct VerificationTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(arguments: [false, true])
  func `not one byte may differ from what was meant`(isMediaMoved: Bool) throws {
    let source = try folder.write(MovieBuilder(.copy).build(), "in.mov")
    let cancellation = Cancellation { false }
    let layout = try MovieLayout.reading(try openMovie(source), cancellation)
    var movie = try EditableMovie(try openMovie(source), layout: layout)
    try movie.apply(.rotate90(turns: 1))
    movie.changesMedia = isMediaMoved
    let assembly =
      isMediaMoved
      ? try MovieAssembly(media: movie, layout: layout)
      : try MovieAssembly(header: movie, layout: layout)
    let staged = folder.file("out.mov")
    let work = MovieWork(cancellation, { _ in })
    let written = try MovieRewriter.write(
      movie, layout: layout, MediaFiles(source: try openMovie(source)), to: staged, work,
      cancellation)
    let good = try bytes(staged)
    #expect(written.digest == Digest(of: good))

    func verify(_ bytes: [UInt8]) throws -> MovieReport {
      let path = try folder.write(bytes, "changed.mov")
      defer { unlink(path) }
      let digests = WrittenDigests(of: path, chunks: assembly.chunks, cancellation)
      defer { digests.giveUp() }
      digests.advance(to: bytes.count)
      let sources = MediaFiles(source: try openMovie(source))
      return try RewriteVerification(movie: movie, assembly: assembly, cancellation: cancellation)
        .report(on: path, sources: sources, digests, work)
    }
    #expect(try verify(good) == written)
    for place in stride(from: 0, to: good.count, by: 5) {
      var bad = good
      bad[place] ^= 0x10
      #expect(throws: MovieError.self, "byte \(place)") { try verify(bad) }
    }
    #expect(throws: MovieError.self) { try verify(Array(good.dropLast())) }
  }
}
