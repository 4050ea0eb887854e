// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

/// The movie of a real Live Photo, where a folder of such is at hand; elsewhere skipped aloud.
@Suite(
  "The movie of a Live Photo",
  .enabled(if: Corpora.livePhotoMovie != nil, "there is no Live Photo in PHOTOEDIT_CORPORA"))
struct LivePhotoMovieTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `all five tracks survive a trim around the still`() throws {
    let source = try #require(Corpora.livePhotoMovie)
    let report = try MovieRewriter.run(
      from: source, to: folder.file("out.mov"), edits: [.trim(start: 1.2), .rotate90(turns: 1)])
    #expect(report.losses.isEmpty)
    #expect(report.streams.map(\.codec) == ["mp4a", "avc1", "mebx", "mebx", "mebx"])
    // Its second and last key frame.
    #expect(report.kept?.lowerBound == 1.0)
  }

  @Test func `a trim that leaves the still out leaves its track out`() throws {
    let source = try #require(Corpora.livePhotoMovie)
    let report = try MovieRewriter.run(
      from: source, to: folder.file("out.mov"), edits: [.trim(start: 0, end: 1.2)])
    #expect(report.streams.map(\.index) == [0, 1, 2, 3])
    #expect(report.losses.count == 1)
  }
}
