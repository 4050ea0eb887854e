// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

/// Lets another process commit at the worst moment, which the tests choose.
@Suite("Two writers for one photo")
struct ContentionTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  private func apply() throws {
    try PhotoEditor(photo.store).begin().commit(FilterGraph().appending([Sepia(amount: 0.5)]))
  }

  @Test func `a path written by another process in the meantime is checked again`() throws {
    try apply()
    let store = photo.store
    var revisions: [String?] = []
    try store.consistently(try store.load().document) { document throws(EditingError) in
      revisions.append(document?.revision)
      guard revisions.count == 1 else { return }
      _ = try photo.store.perform(.undo, expecting: try photo.store.state().revision)
      throw .occupied(photo.path("photo.edited.jpg"))
    }
    #expect(revisions.count == 2 && revisions[0] != revisions[1])
    // Without another writer, the error is the one thrown.
    #expect(throws: EditingError.self) {
      try store.consistently(try store.load().document) { _ throws(EditingError) in
        throw .occupied(photo.path("photo.edited.jpg"))
      }
    }
  }

  @Test func `a rendering replaced before it is read is reported as an interrupted operation`()
    async throws
  {
    try await EditorB.edit(photo.store, "one")
    for keepsFile in [true, false] {
      var request = EditingInputRequestOptions()
      let photo = photo
      request.canHandleAdjustmentData = { _ in
        _ = try? photo.store.perform(
          .revert, expecting: (try? photo.store.state().revision) ?? "")
        return false
      }
      let error = try await editingError {
        _ = try photo.store.openInput(request, keepsFile: keepsFile)
      }
      #expect(error?.code == .operationInterrupted)
      try await photo.store.undo()
    }
  }

  @Test func `the files of a state are read again until they are consistent`() throws {
    try apply()
    let before = try photo.store.state()
    var looks = 0
    let (state, fact) = try photo.store.consistentState { _ in
      looks += 1
      if looks == 1 { try? apply() }
      return (looks, looks == 2)
    }
    #expect(fact == 2 && state.revision != before.revision)
    // Without changes, the inconsistency is reported.
    #expect(try photo.store.consistentState { _ in (1, false) }.facts == 1)
  }
}
