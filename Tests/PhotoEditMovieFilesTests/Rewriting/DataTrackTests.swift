// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

@Suite("Unknown data tracks")
struct DataTrackTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// A video with a data track whose sample entry contains a text.
  private func movie(_ method: MovieBuilder.Method, codec: String) -> MovieBuilder {
    var movie = MovieBuilder(method)
    movie.tracks.append(
      MovieBuilder.Track(
        handler: "meta", codec: codec, samples: [[1, 2, 3], [4, 5]], sampleDuration: 150,
        entryTail: Array("application/motion\0".utf8), references: [("cdsc", 1)]))
    return movie
  }

  @Test(
    arguments: ["mett", "camm", "fdsc", "xyzw"],
    [[], [.mute], [.trim(start: 0, end: 0.4)], [.rotate90(turns: 1)]] as [[MovieEdit]])
  func `samples and descriptions of data tracks are copied byte for byte`(
    codec: String, edits: [MovieEdit]
  ) throws {
    let source = try folder.write(movie(.boxes, codec: codec).build(), "in.mp4")
    let report = try MovieRewriter.run(from: source, to: folder.file("out.mov"), edits: edits)
    #expect(report.losses.isEmpty)
    let stream = try #require(report.streams.last)
    #expect(stream.codec == codec && stream.kind == .data)
    #expect(stream.digest == SHA256Digest(of: [1, 2, 3, 4, 5]))
    #expect(contains(try bytes(folder.file("out.mov")), Array("application/motion\0".utf8)))
  }

  @Test func `libavformat omits data tracks and reports them`() throws {
    let source = try folder.write(movie(.library, codec: "mett").build(), "in.mp4")
    let report = try PassthroughExport.run(from: source, to: folder.file("out.mov"))
    #expect(report.streams.map(\.codec) == ["png", "sowt"])
    #expect(
      report.losses == [
        "stream 2 (mett), a data track: "
          + "libavformat does not support this type of data track",
        "box moov/trak/tref/cdsc",
      ])
  }

  @Test func `hint tracks are omitted and reported`() throws {
    var movie = MovieBuilder()
    movie.tracks.append(
      MovieBuilder.Track(handler: "hint", codec: "rtp ", samples: [[1]], references: [("hint", 1)]))
    let source = try folder.write(movie.build(), "in.mp4")
    let report = try PassthroughExport.run(from: source, to: folder.file("out.mov"))
    #expect(report.streams.map(\.codec) == ["jpeg", "sowt"])
    #expect(report.losses == ["stream 2 (rtp), a hint track for streaming"])
  }
}
