// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditTestSupport
import PhotoEditVideo
import Testing

/// Holds the code of the documentation catalog, which a housekeeping test compares.
@Suite("Swift snippets in the PhotoEditVideo documentation")
struct VideoSnippetTests {
  @Test func `a video is trimmed by an editor as documented`() async throws {
    let folder = try TemporaryFolder()
    let movie = URL(filePath: try folder.write(MovieFile().bytes, to: "clip.mov"))
    var editor = PhotoEditor(SidecarStore(movie: movie))
    editor.renderers[.movie] = MovieRenderer()
    let outcome = try await editor.apply([Trim(start: 0.2, end: 0.8)])
    #expect(outcome.state.isEdited && outcome.graph.nodes.map(\.filter) == ["trim"])
  }
}
