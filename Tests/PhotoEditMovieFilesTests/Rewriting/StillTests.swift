// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import Testing

@Suite("Live Photos: still image time")
struct StillTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `the still image time is written, read, moved, and survives a trim`() throws {
    let source = try folder.write(TrimTests.movie.build(), "in.mov")
    let first = folder.file("first.mov")
    #expect(try PassthroughExport.inspect(source).stillImageTime == nil)
    _ = try MovieRewriter.run(
      from: source, to: first, edits: [.contentIdentifier("A-1"), .stillImageTime(1.25)])
    let info = try PassthroughExport.inspect(first)
    #expect(info.stillImageTime == 1.25)
    #expect(info.contentIdentifier == "A-1")
    #expect(info.streams[2].metadataKeys == ["com.apple.quicktime.still-image-time"])
    #expect(info.streams[2].packets == 1)
    let second = folder.file("second.mov")
    let report = try MovieRewriter.run(
      from: first, to: second, edits: [.trim(start: 1.2), .stillImageTime(0.5)])
    // Trimmed to 1.0 s, the old time is 0.25 s.
    #expect(report.losses.isEmpty)
    let moved = try PassthroughExport.inspect(second)
    #expect(moved.stillImageTime == 0.5)
    #expect(moved.streams.count == 3)
    let third = try MovieRewriter.run(
      from: first, to: folder.file("third.mov"), edits: [.trim(start: 1)])
    #expect(third.streams.count == 3)
    #expect(try PassthroughExport.inspect(folder.file("third.mov")).stillImageTime == 0.25)
    #expect(throws: MovieError.self) {
      try MovieRewriter.run(
        from: source, to: folder.file("x.mov"), edits: [.stillImageTime(2.5)])
    }
  }
}
