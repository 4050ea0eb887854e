// SPDX-License-Identifier: Apache-2.0
import Filters
import FoundationEssentials
import PhotoEdit
import Storage
import TestSupport
import Testing

@Suite("What a store remembers of its sidecar")
struct SidecarMemoryTests {
  private let folder: TemporaryFolder
  private let store: SidecarStore

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "photo.jpg")
    store = SidecarStore(path: folder.path("photo.jpg"))
  }

  private func edit(_ filter: any Filter, with store: SidecarStore) throws {
    let session = try GraphEditing(store).begin()
    try session.commit(session.graph.appending([filter]))
  }

  @Test func `another store's commits are seen at once`() throws {
    #expect(try store.state().isEdited == false)
    let other = SidecarStore(path: folder.path("photo.jpg"))
    for count in 1...3 {
      try edit(Sepia(amount: 0.5), with: other)
      let state = try store.state()
      #expect(state.undoable.count == count)
      #expect(state.revision == (try other.state().revision))
    }
    _ = try other.perform(.revert, expecting: other.state().revision)
    #expect(try store.state().isEdited == false)
  }

  @Test func `a sidecar that is gone or damaged is not answered from memory`() throws {
    try edit(Invert(amount: 1), with: store)
    let sidecar = try FileBytes.reading(folder.path("photo.jpg.aae")).array
    #expect(try store.state().isEdited)
    try folder.write(Array(sidecar.dropLast(100)), to: "photo.jpg.aae")
    #expect(throws: EditingError.self) { _ = try store.state() }
    try FileSystem.remove(folder.path("photo.jpg.aae"))
    #expect(try store.state().isEdited == false)
    try folder.write(sidecar, to: "photo.jpg.aae")
    #expect(try store.state().isEdited)
  }
}
