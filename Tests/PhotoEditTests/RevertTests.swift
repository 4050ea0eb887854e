// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditTestSupport
import Testing

@Suite("Reverting")
struct RevertTests {
  @Test func `an edit is reverted and restored`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "photo.jpg")
    let store = SidecarStore(photo: URL(filePath: folder.path("photo.jpg")))
    let edited = try await PhotoEditor(store).apply([Sepia(amount: 1)]).state
    #expect(edited.isEdited)
    #expect(try await store.revert().isEdited == false)
    #expect(try await store.undo().record?.current == edited.record?.current)
  }
}
