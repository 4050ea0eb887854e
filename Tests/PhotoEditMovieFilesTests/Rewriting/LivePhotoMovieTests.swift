// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditStorage
import Testing

/// Edits the video of a real Live Photo if available; otherwise reported as skipped.
@Suite(
  "Live Photo video",
  .enabled(if: Corpora.livePhotoMovie != nil, "PHOTOEDIT_CORPORA contains no Live Photo"))
struct LivePhotoMovieTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `all five tracks survive a trim around the still`() throws {
    let source = try #require(Corpora.livePhotoMovie)
    let report = try MovieRewriter.run(
      from: source, to: folder.file("out.mov"), edits: [.trim(start: 1.2), .rotate90(turns: 1)])
    #expect(report.losses.isEmpty)
    #expect(report.streams.map(\.codec) == ["mp4a", "avc1", "mebx", "mebx", "mebx"])
    // The second and last key frames.
    #expect(report.kept?.lowerBound == 1.0)
  }

  @Test func `a trim that excludes the still omits its track`() throws {
    let source = try #require(Corpora.livePhotoMovie)
    let report = try MovieRewriter.run(
      from: source, to: folder.file("out.mov"), edits: [.trim(start: 0, end: 1.2)])
    #expect(report.streams.map(\.index) == [0, 1, 2, 3])
    #expect(report.losses.count == 1)
  }
}
