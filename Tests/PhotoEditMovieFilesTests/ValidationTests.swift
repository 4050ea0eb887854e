// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

@Suite("Rendered videos are validated by content")
struct ValidationTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func failure(of movie: MovieBuilder) throws -> MovieError? {
    let path = try folder.write(movie.build(), "render.mov")
    return #expect(throws: MovieError.self) { try PassthroughExport.validateQuickTime(path) }
  }

  @Test(arguments: ["qt  ", nil])
  func `QuickTime with a video track passes`(brand: String?) throws {
    try PassthroughExport.validateQuickTime(
      try folder.write(MovieBuilder(brand: brand).build(), "a.mp4"))
  }

  @Test(arguments: ["isom", "mp42", "M4V ", "3gp4"])
  func `MPEG-4 is identified regardless of the file name`(brand: String) throws {
    let error = try failure(of: MovieBuilder(brand: brand))
    #expect(error == .notQuickTime(found: "public.mpeg-4"))
    #expect(error?.description == "expected com.apple.quicktime-movie, found public.mpeg-4")
  }

  @Test func `a still image is identified`() throws {
    let path = try folder.write([0xff, 0xd8, 0xff, 0xe0] + zeros(20), "render.mov")
    #expect(throws: MovieError.notQuickTime(found: "public.jpeg")) {
      try PassthroughExport.validateQuickTime(path)
    }
  }

  @Test func `a file with only audio is not a video`() throws {
    #expect(
      try failure(of: MovieBuilder(brand: "qt  ", tracks: [.audio]))
        == .damaged("the video has no video track with frames"))
  }

  @Test func `a video without frames is invalid`() throws {
    let track = MovieBuilder.Track(samples: [])
    #expect(
      try failure(of: MovieBuilder(brand: "qt  ", tracks: [track]))
        == .damaged("the video has no video track with frames"))
  }

  @Test func `a video with a duration of zero is invalid`() throws {
    let track = MovieBuilder.Track(sampleDuration: 0)
    #expect(
      try failure(of: MovieBuilder(brand: "qt  ", tracks: [track]))
        == .damaged("the video track has no duration"))
  }

  @Test func `a movie without tracks is not a video`() throws {
    #expect(
      try failure(of: MovieBuilder(brand: "qt  ", tracks: []))
        == .damaged("the video has no tracks"))
  }

  @Test func `a brand after a free-space box is honored`() throws {
    let movie = box("free", zeros(8)) + MovieBuilder(brand: "mp42").build()
    // The first bytes look like old QuickTime. The added zeros make up for the moved samples.
    let path = try folder.write(movie + zeros(64), "render.mov")
    #expect(throws: MovieError.notQuickTime(found: "public.mpeg-4")) {
      try PassthroughExport.validateQuickTime(path)
    }
  }

  @Test(arguments: [
    (Array("\0\0\0\u{14}ftypqt  ".utf8), MovieContainer.quickTime),
    (Array("\0\0\0\u{08}wide\0\0\0\0".utf8), .quickTime),
    (Array("\0\0\u{10}\0moov\0\0\0\0".utf8), .quickTime),
    (Array("\0\0\0\u{18}ftypmp42".utf8), .mpeg4), (Array("\0\0\0\u{18}ftyp3gp5".utf8), .mpeg4),
    ([0x1a, 0x45, 0xdf, 0xa3] + zeros(8), .matroska), (Array("RIFF\0\0\0\0AVI ".utf8), .avi),
    (Array("RIFF\0\0\0\0WAVE".utf8), nil), (Array("\0\0\0\u{18}ftypheic".utf8), nil),
    (Array("\0\0\0".utf8), nil), ([], nil),
  ])
  func `containers are identified by their first bytes`(
    start: [UInt8], container: MovieContainer?
  ) throws {
    #expect(MovieContainer.detect(start) == container)
    if start.isEmpty { return }
    #expect(try MovieContainer.detect(path: try folder.write(start, "x")) == container)
  }
}
