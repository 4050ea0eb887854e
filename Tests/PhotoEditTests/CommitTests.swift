// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Versions after a commit")
struct CommitTests {
  private let photo: PhotoFolder
  private let isA = FilterGraph.formatIdentifier

  init() throws { photo = try PhotoFolder() }

  private func applyA() async throws -> EditState {
    try await PhotoEditor(photo.store).apply([Sepia(amount: 0.5)]).state
  }

  private func checkFiles(_ state: EditState) throws {
    let record = try #require(state.record)
    #expect(try photo.digest("photo.edited.jpg") == record.current)
    #expect(photo.exists("photo.base.jpg") == (record.base != nil))
    if let base = record.base { #expect(try photo.digest("photo.base.jpg") == base) }
    #expect(try photo.bytes("photo.jpg") == photo.original)
    // Sessions that still exist have folders of their own.
    #expect(try photo.litter().filter { !$0.contains("staging") } == [])
    #expect(try photo.store.state() == state)
  }

  @Test func `the base of a first edit is the original`() async throws {
    let state = try await applyA()
    #expect(state.record?.base == nil && state.base?.path == photo.photo)
    #expect(state.record?.adjustment.formatIdentifier == isA)
    #expect(state.current.path == photo.path("photo.edited.jpg"))
    try checkFiles(state)
  }

  @Test func `a resumed edit keeps the base and replaces rendering and data`() async throws {
    let first = try await applyA()
    let second = try await applyA()
    #expect(second.record?.base == nil)
    #expect(second.record?.current != first.record?.current)
    #expect(second.record?.adjustment != first.record?.adjustment)
    #expect(second.revision != first.revision)
    try checkFiles(second)
  }

  @Test func `after edits A, B, B, A, each base is the version its first session received`()
    async throws
  {
    let a = try await applyA()
    let b = try await EditorB.edit(photo.store, "one")
    #expect(b.record?.base == a.record?.current)
    try checkFiles(b)
    let resumed = try await EditorB.edit(photo.store, "two")
    #expect(resumed.record?.base == a.record?.current)
    #expect(resumed.record?.current == SHA256Digest(of: try EditorB.rendering("two")))
    try checkFiles(resumed)
    let again = try await applyA()
    #expect(again.record?.base == resumed.record?.current)
    try checkFiles(again)
    let outcome = try await PhotoEditor(photo.store).apply([Sepia(amount: 0.5)])
    #expect(outcome.version == .base && outcome.kind == .resumed && outcome.graph.nodes.count == 2)
    #expect(outcome.state.record?.base == again.record?.base)
  }

  @Test func `a new rendering with equal adjustment data is an edit`() async throws {
    let first = try await EditorB.edit(photo.store, "one")
    let output = try await photo.store.editingOutput(for: try await EditorB.input(photo.store))
    output.adjustmentData = first.record?.adjustment
    try Data(try EditorB.rendering("two")).write(to: output.renderedContentURL)
    let second = try await photo.store.commit(output)
    #expect(second.record?.adjustment == first.record?.adjustment)
    #expect(second.record?.current != first.record?.current)
    try checkFiles(second)
  }

  @Test func `an edit has the name of its editor, never that of photoedit instead`() async throws {
    #expect(
      try await PhotoEditor(photo.store).apply([Sepia()]).state.record?.editor == "org.photoedit")
    #expect(try await EditorB.edit(photo.store, "one").record?.editor == EditorB.identifier)
    let output = try await EditorB.output(photo.store, "two")
    output.editor = "com.example.app"
    #expect(try await photo.store.commit(output).record?.editor == "com.example.app")
    let file = try Data(contentsOf: photo.temporary.url("photo.jpg.aae"))
    #expect(String(decoding: file, as: UTF8.self).contains("<string>com.example.app</string>"))
    var store = photo.store
    store.client = "org.example.client"
    #expect(try await EditorB.edit(store, "one").record?.editor == "org.example.client")
    for name in ["", String(repeating: "a", count: 1025)] {
      let output = try await EditorB.output(photo.store, "three")
      output.editor = name
      let error = try await editingError { try await photo.store.commit(output) }
      #expect(error?.code == .changeNotSupported)
    }
  }

  @Test func `a resumed session that writes another format keeps the base`() async throws {
    let first = try await applyA()
    try await EditorB.edit(photo.store, "one")
    var options = EditingInputRequestOptions()
    options.canHandleAdjustmentData = { _ in true }
    let input = try await photo.store.editingInput(options)
    let output = try await photo.store.editingOutput(for: input)
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: "org.example.liar", formatVersion: "1", data: Data([1]))
    try Data(try EditorB.rendering("liar")).write(to: output.renderedContentURL)
    let state = try await photo.store.commit(output)
    #expect(state.record?.base == first.record?.current)
    try checkFiles(state)
  }

  @Test func `revert keeps the original and removes all other visible files`() async throws {
    _ = try await applyA()
    try await EditorB.edit(photo.store, "one")
    let state = try await photo.store.revert()
    #expect(!state.isEdited && state.current.path == photo.photo)
    #expect(!photo.exists("photo.edited.jpg") && !photo.exists("photo.base.jpg"))
    #expect(try photo.bytes("photo.jpg") == photo.original)
    #expect(try photo.litter() == [])
  }

  @Test func `reverting an unedited photo succeeds and leaves no adjustment data`() async throws {
    let before = try photo.inventory()
    let state = try await photo.store.revert()
    #expect(!state.isEdited && state.undoable.isEmpty)
    #expect(try photo.inventory() == before)
    _ = try await applyA()
    let reverted = try await photo.store.revert()
    let files = try photo.inventory()
    #expect(try await photo.store.revert() == reverted)
    #expect(try photo.inventory() == files)
  }

  @Test func `revert works without the rendering and the base`() async throws {
    _ = try await applyA()
    try await EditorB.edit(photo.store, "one")
    try FileSystem.remove(photo.path("photo.edited.jpg"))
    try FileSystem.remove(photo.path("photo.base.jpg"))
    #expect(try await photo.store.revert().isEdited == false)
    let error = try await editingError { try await photo.store.undo() }
    #expect(error?.code == .missingResource)
    #expect(try photo.store.state().isEdited == false)
  }

  @Test func `an edited photo may be replaced by another after a revert`() async throws {
    _ = try await applyA()
    try await photo.store.revert()
    try photo.temporary.write(try TestImages.bytes("jpeg-1x17.jpg"), to: "photo.jpg")
    let state = try await applyA()
    #expect(state.original.digest == SHA256Digest(of: try TestImages.bytes("jpeg-1x17.jpg")))
    #expect(try await photo.store.undo().isEdited == false)
    let files = try photo.inventory()
    let error = try await editingError { try await photo.store.undo() }
    #expect(error?.code == .invalidResource)
    #expect(error?.message.contains(photo.digest.hex) == true)
    #expect(try photo.inventory() == files)
  }

  @Test func `no sequence of edits modifies an original`() async throws {
    let facts = try photo.originalFacts()
    _ = try await applyA()
    try await EditorB.edit(photo.store, "one")
    _ = try await applyA()
    try await photo.store.undo()
    try await photo.store.redo()
    try await photo.store.revert()
    #expect(try photo.originalFacts() == facts)
  }

  @Test func `visible files have the mode of any new file`() async throws {
    _ = try await applyA()
    try await EditorB.edit(photo.store, "one")
    let plain = open(photo.path("plain"), O_CREAT | O_WRONLY, 0o666)
    #expect(plain >= 0)
    close(plain)
    let files = try photo.inventory()
    let mode = try #require(files["plain"]).split(separator: " ")[0]
    for name in ["photo.edited.jpg", "photo.base.jpg", "photo.jpg.aae"] {
      #expect(files[name]?.hasPrefix(mode + " ") == true, "\(name): \(files[name] ?? "")")
    }
  }
}
