// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Undo and redo")
struct JournalTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  /// The state that undo and redo must restore: the adjustment data and the visible files.
  private struct Moment: Equatable {
    var record: EditRecord?
    var files: [String: String]
  }

  private func moment() throws -> Moment {
    Moment(
      record: try photo.store.state().record,
      files: try photo.inventory().filter {
        !$0.key.hasSuffix(".aae") && !$0.key.hasPrefix(".photoedit")
      })
  }

  @Test func `every transition can be undone and redone, including B's renderings and bases`()
    async throws
  {
    let store = photo.store
    var moments = [try moment()]
    func note() throws { moments.append(try moment()) }
    try await PhotoEditor(store).apply([Sepia(amount: 0.3)])
    try note()
    try await PhotoEditor(store).apply([Invert(amount: 1)])
    try note()
    try await EditorB.edit(store, "one")
    try note()
    try await EditorB.edit(store, "two")
    try note()
    try await PhotoEditor(store).apply([Sepia(amount: 0.6)])
    try note()
    try await store.revert()
    try note()
    try await EditorB.edit(store, "three")
    try note()
    for _ in 0..<2 {
      for expected in moments.dropLast().reversed() {
        try await store.undo()
        #expect(try moment() == expected)
      }
      let nothing = try await editingError { try await store.undo() }
      #expect(nothing?.code == .changeNotSupported)
      for expected in moments.dropFirst() {
        try await store.redo()
        #expect(try moment() == expected)
      }
      let end = try await editingError { try await store.redo() }
      #expect(end?.code == .changeNotSupported)
    }
    #expect(try photo.litter() == [])
  }

  @Test func `several steps are one commit and lead to the same states`() async throws {
    let store = photo.store
    var moments = [try moment()]
    for name in ["one", "sepia", "two", "revert", "three"] {
      switch name {
      case "sepia": try await PhotoEditor(store).apply([Sepia(amount: 0.3)])
      case "revert": try await store.revert()
      default: try await EditorB.edit(store, name)
      }
      moments.append(try moment())
    }
    let last = moments.count - 1
    for steps in 1...last {
      let undone = try await store.undo(steps: steps)
      #expect(try moment() == moments[last - steps])
      #expect(undone.undoable.count == last - steps && undone.redoable.count == steps)
      // The states that were passed are all there.
      for passed in moments[(last - steps + 1)...] {
        try await store.redo()
        #expect(try moment() == passed)
      }
      try await store.undo(steps: steps)
      #expect(try await store.redo(steps: steps).redoable.isEmpty)
      #expect(try moment() == moments[last])
    }
    let (files, revision) = (try photo.inventory(), try store.state().revision)
    let error = try await editingError { try await store.undo(steps: last + 1) }
    #expect(error?.code == .changeNotSupported)
    #expect(try photo.inventory() == files && store.state().revision == revision)
    #expect(try photo.litter() == [])
  }

  @Test func `a state that is passed is not restored`() async throws {
    for name in ["one", "two", "three"] { try await EditorB.edit(photo.store, name) }
    let name = SHA256Digest(of: try EditorB.rendering("two")).hex + ".jpg"
    try photo.temporary.write([1, 2, 3], to: ".photoedit/photo.jpg/" + name)
    #expect(try await editingError { try await photo.store.undo() } != nil)
    let state = try await photo.store.undo(steps: 2)
    #expect(state.record?.current == SHA256Digest(of: try EditorB.rendering("one")))
  }

  @Test func `renderings by photoedit are rendered again byte for byte and not stored`()
    async throws
  {
    let first = try await PhotoEditor(photo.store).apply([Sepia(amount: 0.3)]).state
    try await PhotoEditor(photo.store).apply([Invert(amount: 1)])
    #expect(!photo.exists(".photoedit"))
    let state = try await photo.store.undo()
    #expect(state.record == first.record)
    #expect(try photo.digest("photo.edited.jpg") == first.record?.current)
    #expect(!photo.exists(".photoedit"))
  }

  @Test func `an edit without a change adds no state and keeps what can be redone`() async throws {
    let store = photo.store
    try await PhotoEditor(store).apply([Sepia(amount: 0.3)])
    try await PhotoEditor(store).apply([Invert(amount: 1)])
    let undone = try await store.undo()
    let repeated = try await PhotoEditor(store).apply([]).state
    #expect(repeated.journal == undone.journal && repeated.revision != undone.revision)
    #expect(repeated.record?.adjustment == undone.record?.adjustment)
    #expect(try photo.digest("photo.edited.jpg") == repeated.record?.current)
    #expect(try photo.litter() == [])
    // Another quality is a change, although the filters are the same.
    var editor = PhotoEditor(store)
    editor.options.quality = .ijg(50)
    #expect(try await editor.apply([]).state.undoable.count == 2)
  }

  @Test func `the same data with another rendering is a change, with the same one it is not`()
    async throws
  {
    func edit(_ rendering: String) async throws -> Int {
      try await EditorB.edit(photo.store, "one", rendering: rendering).undoable.count
    }
    #expect(try await edit("one") == 1)
    #expect(try await edit("one") == 1)
    #expect(try await edit("two") == 2)
    #expect(try photo.litter() == [])
  }

  @Test func `a new edit discards undone states`() async throws {
    try await EditorB.edit(photo.store, "one")
    try await EditorB.edit(photo.store, "two")
    try await photo.store.undo()
    #expect(try photo.store.state().redoable.count == 1)
    let state = try await EditorB.edit(photo.store, "three")
    #expect(state.redoable.isEmpty && state.undoable.count == 2)
    let kept = try FileSystem.names(in: photo.path(".photoedit/photo.jpg"))
    #expect(kept == [SHA256Digest(of: try EditorB.rendering("one")).hex + ".jpg"])
  }

  @Test func `the journal has a depth, and stored files expire with their entries`() async throws {
    for number in 0..<26 { try await EditorB.edit(photo.store, "\(number)") }
    let state = try photo.store.state()
    #expect(state.undoable.count == SidecarStore.defaultJournalDepth)
    let kept = try FileSystem.names(in: photo.path(".photoedit/photo.jpg"))
    #expect(
      Set(kept)
        == Set(
          try (5..<25).map {
            SHA256Digest(of: try EditorB.rendering("\($0)")).hex + ".jpg"
          }))
    for number in (5..<25).reversed() {
      let state = try await photo.store.undo()
      #expect(state.record?.current == SHA256Digest(of: try EditorB.rendering("\(number)")))
    }
    #expect(try await editingError { try await photo.store.undo() }?.code == .changeNotSupported)
  }

  @Test(arguments: [0, -1])
  func `a journal of depth 0 stores nothing`(depth: Int) async throws {
    let store = photo.store(depth: depth)
    try await EditorB.edit(store, "one")
    try await EditorB.edit(store, "two")
    #expect(try store.state().undoable.isEmpty && !photo.exists(".photoedit"))
    #expect(try await store.revert().isEdited == false)
  }

  @Test func `undo is rejected while the photo has been replaced`() async throws {
    try await EditorB.edit(photo.store, "one")
    try await EditorB.edit(photo.store, "two")
    try photo.temporary.write(try TestImages.bytes("jpeg-1x17.jpg"), to: "photo.jpg")
    let files = try photo.inventory()
    let error = try await editingError { try await photo.store.undo() }
    #expect(error?.code == .invalidResource)
    #expect(try photo.inventory() == files)
    try photo.temporary.write(photo.original, to: "photo.jpg")
    try await photo.store.undo()
  }

  @Test func `a damaged stored file is not restored`() async throws {
    try await EditorB.edit(photo.store, "one")
    try await EditorB.edit(photo.store, "two")
    let name = SHA256Digest(of: try EditorB.rendering("one")).hex + ".jpg"
    try photo.temporary.write([1, 2, 3], to: ".photoedit/photo.jpg/" + name)
    let files = try photo.inventory()
    let error = try await editingError { try await photo.store.undo() }
    #expect(error?.code == .invalidResource)
    #expect(error?.path?.hasSuffix(name) == true)
    #expect(try photo.inventory() == files)
  }

  @Test func `undo does not overwrite a rendering modified by another program`() async throws {
    try await EditorB.edit(photo.store, "one")
    try await EditorB.edit(photo.store, "two")
    try photo.temporary.write([1, 2, 3], to: "photo.edited.jpg")
    let files = try photo.inventory()
    for change in [EditChange.undo, .revert] {
      let error = try await editingError {
        _ = try photo.store.perform(change, expecting: try photo.store.state().revision)
      }
      #expect(error?.file?.kind == .exists)
      #expect(try photo.inventory() == files)
    }
    let forced = photo.store(force: true)
    _ = try forced.perform(.revert, expecting: try forced.state().revision)
    #expect(!photo.exists("photo.edited.jpg"))
  }
}
