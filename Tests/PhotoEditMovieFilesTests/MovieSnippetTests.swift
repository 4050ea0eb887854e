// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
import PhotoEditTestSupport
import Testing

/// Holds the code of the documentation catalog, which a housekeeping test compares.
@Suite("Swift snippets in the PhotoEditMovieFiles documentation")
struct MovieSnippetTests {
  @Test func `a video is trimmed and muted as documented`() throws {
    let folder = try TemporaryFolder()
    let source = try folder.write(MovieFile().bytes, to: "clip.mov")
    let staged = folder.path("staged.mov")
    let info = try PassthroughExport.inspect(source)
    let report = try MovieRewriter.run(
      from: source, to: staged, edits: [.trim(start: 0, end: info.duration / 2), .mute])
    let half = try PassthroughExport.inspect(staged)
    #expect(abs(half.duration - info.duration / 2) < 0.05 && report.losses.isEmpty)
  }
}
