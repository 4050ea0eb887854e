// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Two editors and one photo")
struct ScenarioTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  /// Digests of original, base, rendering and sidecar; nil if absent.
  private func digests() throws -> [SHA256Digest?] {
    try ["photo.jpg", "photo.base.jpg", "photo.edited.jpg", "photo.jpg.aae"].map {
      photo.exists($0) ? try photo.digest($0) : nil
    }
  }

  private func isInput(_ input: EditingInput, _ digest: SHA256Digest?) throws -> Bool {
    SHA256Digest(of: [UInt8](try Data(contentsOf: #require(input.fullSizeImageURL)))) == digest
  }

  @Test func `the digests of every step of a ten-step scenario match`() async throws {
    let store = photo.store
    let original = photo.digest
    // 1: a photo.
    #expect(try digests() == [original, nil, nil, nil])
    // 2: A edits.
    let first = try await PhotoEditor(store).apply([Exposure(ev: 0.5)])
    #expect(first.version == .original && first.kind == .first)
    #expect(try digests()[..<3] == [original, nil, first.state.record?.current])
    // 3: A resumes with its data, on the original.
    let second = try await PhotoEditor(store).apply([Invert(amount: 1)])
    #expect(second.version == .original && second.kind == .resumed)
    #expect(second.graph.nodes.map(\.filter) == ["exposure", "invert"])
    let a = try #require(second.state.record?.current)
    #expect(try digests()[..<3] == [original, nil, a])
    // 4: B gets A's rendering and no data.
    let fourth = try await EditorB.input(store)
    #expect(fourth.adjustmentData == nil && fourth.version == .current)
    #expect(try isInput(fourth, a))
    let b = try await EditorB.edit(store, "one")
    #expect(try digests()[..<3] == [original, a, b.record?.current])
    // 5: B resumes with its data, on A's rendering and not on the original.
    let fifth = try await EditorB.input(store)
    #expect(fifth.adjustmentData == (try EditorB.data("one")) && fifth.version == .base)
    #expect(try isInput(fifth, a))
    let b2 = try await EditorB.edit(store, "two")
    #expect(try digests()[..<3] == [original, a, b2.record?.current])
    // 6: A cannot read that and continues from B's rendering.
    let sixth = try await PhotoEditor(store).apply([Sepia(amount: 1)])
    #expect(sixth.version == .current && sixth.kind == .notUnderstood)
    #expect(sixth.graph.nodes.count == 1)
    #expect(sixth.blockingReasons.first?.contains(EditorB.identifier) == true)
    let final = try digests()
    #expect(final[..<3] == [original, b2.record?.current, sixth.state.record?.current])
    // 7: a PNG in place of a JPEG changes no hash.
    do {
      let output = try await store.editingOutput(for: try await EditorB.input(store))
      output.adjustmentData = try EditorB.data("png")
      try Data(try TestImages.bytes("png-rgb-8.png")).write(to: output.renderedContentURL)
      let error = try await editingError { try await store.commit(output) }
      #expect(error?.code == .invalidResource)
      #expect(try digests() == final)
    }
    // 8: files left by a process killed before its commit do not matter.
    try photo.temporary.write([1, 2, 3], to: ".photoedit-0123.pending")
    #expect(try digests() == final)
    try FileSystem.remove(photo.path(".photoedit-0123.pending"))
    // 9: back to the original in one step.
    #expect(try await store.revert().isEdited == false)
    #expect(try digests()[..<3] == [original, nil, nil])
    // 10: again, without adjustment data.
    let files = try photo.inventory()
    try await store.revert()
    #expect(try photo.inventory() == files)
    #expect(try photo.bytes("photo.jpg") == photo.original)
  }
}
