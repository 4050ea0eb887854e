// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditMovieFiles

@Suite("Complete verification of rewritten movies")
struct VerificationTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(arguments: [false, true])
  func `a difference of one byte is noticed`(isMediaMoved: Bool) throws {
    let source = try folder.write(MovieBuilder(.copy).build(), "in.mov")
    let cancellation = Cancellation { false }
    let opened = try OpenedMovie(source)
    var movie = try #require(try opened.editable(.auto))
    try movie.rotate90(turns: 1)
    movie.changesMedia = isMediaMoved
    let assembly = try MovieAssembly(movie, opened)
    let staged = folder.file("out.mov")
    let written = try MovieRewriter.write(
      movie, opened, to: staged, MovieProgress(cancellation))
    let good = try bytes(staged)
    #expect(written.digest == SHA256Digest(of: good))

    func verify(_ bytes: [UInt8]) throws -> MovieReport {
      let path = try folder.write(bytes, "changed.mov")
      defer { unlink(path) }
      let digests = try StreamDigests(of: path, chunks: assembly.chunks, cancellation)
      defer { digests.cancelHashing() }
      try opened.provide(assembly.ranges, to: digests) { _, _ in }
      return try RewriteVerification(
        movie: movie, chunks: assembly.chunks, cancellation: cancellation
      ).report(on: path, digests.result())
    }
    #expect(try verify(good) == written)
    for offset in stride(from: 0, to: good.count, by: 5) {
      var bad = good
      bad[offset] ^= 0x10
      #expect(throws: MovieError.self, "byte \(offset)") { try verify(bad) }
    }
    #expect(throws: MovieError.self) { try verify(Array(good.dropLast())) }
    #expect(throws: MovieError.self) { try verify(good + [0]) }
  }
}

@Suite(
  "Verification of libavformat output against the source boxes",
  .enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
struct FragmentVerificationTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// libavformat does not read the durations of last samples from fragments, and players omit a
  /// last audio packet with a duration of zero.
  @Test(arguments: ["aac", "eac3"])
  func `the loss of the last audio packet is noticed`(codec: String) throws {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let source = folder.file("in.mp4")
    let words =
      "-v error -f lavfi -i sine=d=1:r=48000 -c:a \(codec) -movflags frag_keyframe+delay_moov "
      + "-frag_duration 300000 \(source)"
    try #require(
      Program.run(
        ffmpeg, words.split(separator: " ").map(String.init), output: folder.file("log")) == 0)
    let cancellation = Cancellation { false }
    let layout = try MovieLayout.reading(try openMovie(source), cancellation)
    let error = #expect(throws: MovieError.self) {
      try Remuxer(staged: folder.file("out"), layout: layout, cancellation: cancellation)
        .run(try openMovie(source), container: .mpeg4, MovieProgress(cancellation) { _ in })
    }
    guard case .verificationFailed(let reason) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(reason.contains("has samples that last"))
    #expect(try folder.names.sorted() == ["in.mp4", "log"])
  }
}
