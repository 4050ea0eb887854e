// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditVideo
import Testing

@Suite("Videos without frames")
struct RefusalTests {
  let clips: Clips

  init() throws { clips = try Clips() }

  /// Every method of reading frames of a file ends in an error and leaves nothing behind.
  @discardableResult
  private func refuse(_ bytes: [UInt8]) throws -> VideoError? {
    let path = clips.file("in.mov")
    let file = try OpenFile(creating: path)
    let content = FileBytes(bytes)
    try withExtendedLifetime(content) { try file.write(content.buffer) }
    #expect(throws: VideoError.self) { try VideoFrames.poster(path) }
    #expect(throws: VideoError.self) {
      var frames = try VideoFrames.open(path)
      while try frames.next() != nil {}
    }
    let error = #expect(throws: VideoError.self) {
      try VideoRenderer.run(
        from: path, .graph(FilterGraph([Grayscale(.luma601)])), to: clips.file("out.mov"))
    }
    #expect(try clips.names == ["in.mov"])
    return error
  }

  @Test func `packets that are not frames are damage`() throws {
    guard case .damaged? = try refuse(MovieFile().bytes) else {
      return #expect(Bool(false), "other errors are not about frames")
    }
  }

  @Test func `sizes over the memory limit are rejected`() throws {
    var file = MovieFile()
    file.width = 65_535
    file.height = 65_535
    try refuse(file.bytes)
  }

  @Test func `a file without a video track is rejected`() throws {
    var file = MovieFile()
    file.handler = "soun"
    let error = try refuse(file.bytes)
    guard case .movie(.damaged)? = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect("\(try #require(error))".contains("no video track"))
  }

  @Test func `a video without any frames is rejected`() throws {
    var file = MovieFile()
    file.frames = 0
    try refuse(file.bytes)
  }

  @Test func `an unsupported codec is named`() throws {
    var bytes = MovieFile().bytes
    let entry = try #require(
      bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == Array("jpeg".utf8) })
    bytes.replaceSubrange(entry..<entry + 4, with: Array("zzzz".utf8))
    try refuse(bytes)
  }
}
