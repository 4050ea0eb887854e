// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Editing through the library")
struct EditingScenarioTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func content(_ input: EditingInput) throws -> SHA256Digest {
    SHA256Digest(of: [UInt8](try Data(contentsOf: #require(input.fullSizeImageURL))))
  }

  @Test func `ten editing steps of a photo store the expected files`() async throws {
    // 1: Add a photo.
    let asset = try folder.addPhoto()
    let store = try folder.store(asset)
    let original = SHA256Digest(of: try TestImages.bytes("jpeg-17x31.jpg"))
    #expect(try folder.digests(asset) == [original, nil, nil, nil])
    // 2: A edits.
    let first = try await PhotoEditor(store).apply([Exposure(ev: 0.5)])
    #expect(first.version == .original && first.kind == .first)
    #expect(try folder.digests(asset)[..<3] == [original, nil, first.state.record?.current])
    // 3: A resumes with its data, on the original.
    let second = try await PhotoEditor(store).apply([Invert(amount: 1)])
    #expect(second.version == .original && second.kind == .resumed)
    #expect(second.graph.nodes.map(\.filter) == ["exposure", "invert"])
    let a = try #require(second.state.record?.current)
    #expect(try folder.digests(asset)[..<3] == [original, nil, a])
    // 4: B gets A's rendering and no data.
    let fourth = try await library.contentEditingInput(for: asset, options: EditorB.options)
    #expect(fourth.adjustmentData == nil && fourth.version == .current)
    #expect(try content(fourth) == a)
    try await EditorB.edit(library, asset, "one")
    let b = SHA256Digest(of: try EditorB.rendering("one"))
    #expect(try folder.digests(asset)[..<3] == [original, a, b])
    #expect(try folder.refetched(asset).pixelHeight == 1)
    // 5: B resumes with its data, on A's rendering and not on the original.
    let fifth = try await library.contentEditingInput(for: asset, options: EditorB.options)
    #expect(fifth.adjustmentData == (try EditorB.data("one")) && fifth.version == .base)
    #expect(try content(fifth) == a)
    try await EditorB.edit(library, asset, "two")
    let b2 = SHA256Digest(of: try EditorB.rendering("two"))
    #expect(try folder.digests(asset)[..<3] == [original, a, b2])
    // The session of step 4 keeps its input after later commits.
    #expect(try content(fourth) == a)
    // 6: A does not understand B's data and continues from B's rendering.
    let sixth = try await PhotoEditor(store).apply([Sepia(amount: 1)])
    #expect(sixth.version == .current && sixth.kind == .notUnderstood)
    #expect(sixth.graph.nodes.count == 1)
    #expect(sixth.blockingReasons.first?.contains(EditorB.identifier) == true)
    let finished = try folder.digests(asset)
    #expect(finished[..<3] == [original, b2, sixth.state.record?.current])
    // 7: A PNG instead of a JPEG changes no digest.
    let output = try await EditorB.output(library, asset, "png")
    try Data(try TestImages.bytes("png-rgb-8.png")).write(to: output.renderedContentURL)
    let error = try await libraryError {
      try await library.performChanges {
        try $0.change(asset).setContentEditingOutput(output)
      }
    }
    #expect(error?.code == .invalidResource)
    #expect(try folder.digests(asset) == finished)
    // 8: A commit whose files cannot be placed keeps the old state.
    try await interruptedCommit(asset, finished)
    // 9: Revert to the original in one step.
    #expect(try await store.revert().isEdited == false)
    #expect(try folder.digests(asset) == [original, nil, nil, nil])
    let reverted = try folder.refetched(asset)
    #expect(!reverted.hasAdjustments && reverted.pixelHeight == 31 && reverted.pixelWidth == 17)
    // 10: Revert again, which commits nothing.
    let version = try library.read { db throws(LibraryError) in try db.version() }
    try await store.revert()
    #expect(try library.read { db throws(LibraryError) in try db.version() } == version)
    #expect(try folder.refetched(asset).modificationDate == reverted.modificationDate)
  }

  @Test func `several steps of undo are one commit`() async throws {
    let asset = try folder.addPhoto()
    let store = try folder.store(asset)
    var records = [try store.state().record]
    for name in ["one", "two", "three"] {
      try await EditorB.edit(library, asset, name)
      records.append(try store.state().record)
    }
    let token = try library.currentChangeToken
    let state = try await store.undo(steps: 3)
    #expect(state.record == records[0] && state.redoable.count == 3)
    #expect(try library.fetchPersistentChanges(since: token).map(\.date).count == 1)
    for record in records.dropFirst() { #expect(try await store.redo().record == record) }
    #expect(try await store.undo(steps: 2).record == records[1])
    #expect(try await store.redo(steps: 2).record == records[3])
    await #expect(throws: EditingError.self) { try await store.redo() }
    await #expect(throws: EditingError.self) { try await store.undo(steps: 4) }
    #expect(try store.state().record == records[3])
  }

  private func interruptedCommit(_ asset: Asset, _ finished: [SHA256Digest?]) async throws {
    let output = try await EditorB.output(library, asset, "three")
    let error = try await libraryError {
      try await library.performChanges {
        try $0.change(asset).setContentEditingOutput(output)
        try $0.add(BlockedPath())
      }
    }
    #expect(error != nil)
    #expect(try folder.digests(asset) == finished)
    let name = SHA256Digest(of: try EditorB.rendering("three")).hex.prefix(16)
    #expect(try folder.files(asset).contains { $0.contains(name) } == false)
    // The output is still complete.
    #expect(output.adjustmentData != nil)
    #expect(try Data(contentsOf: output.renderedContentURL).isEmpty == false)
  }

  @Test func `size, dates and the edited flag come from the current version`() async throws {
    let asset = try folder.addPhoto()
    try await EditorB.edit(library, asset, "one")
    let edited = try folder.refetched(asset)
    #expect(edited.hasAdjustments && edited.pixelWidth == 17 && edited.pixelHeight == 1)
    #expect(edited.modificationDate > asset.modificationDate)
    #expect(edited.contentModificationDate == edited.modificationDate)
    #expect(edited.contentRevision == asset.contentRevision + 1)
    #expect(edited.creationDate == asset.creationDate && edited.addedDate == asset.addedDate)
    let record = try folder.library.read { db throws(LibraryError) in
      try db.first(
        "SELECT kind, isContent FROM changedObject WHERE object = ? ORDER BY change DESC",
        [.integer(asset.row)]
      ) { [$0.int(0), $0.int(1)] }
    }
    #expect(record == [2, 1])
    try folder.checkFiles(asset)
  }

  @Test func `undo and redo restore every state`() async throws {
    let asset = try folder.addPhoto()
    let store = try folder.store(asset)
    var states: [[SHA256Digest?]] = [Array(try folder.digests(asset)[..<3])]
    try await PhotoEditor(store).apply([Sepia(amount: 0.5)])
    states.append(Array(try folder.digests(asset)[..<3]))
    try await EditorB.edit(library, asset, "one")
    states.append(Array(try folder.digests(asset)[..<3]))
    try await PhotoEditor(store).apply([Invert(amount: 1)])
    states.append(Array(try folder.digests(asset)[..<3]))
    try await store.revert()
    states.append(Array(try folder.digests(asset)[..<3]))
    try folder.checkFiles(asset)
    for state in states.dropLast().reversed() {
      try await store.undo()
      #expect(Array(try folder.digests(asset)[..<3]) == state)
      try folder.checkFiles(asset)
    }
    let error = try await libraryError { try await store.undo() }
    #expect(error?.code == .changeNotSupported)
    for state in states.dropFirst() {
      try await store.redo()
      #expect(Array(try folder.digests(asset)[..<3]) == state)
      try folder.checkFiles(asset)
    }
    #expect(try await libraryError { try await store.redo() }?.code == .changeNotSupported)
  }

  @Test func `an edit without a change adds no state and keeps what can be redone`() async throws {
    let asset = try folder.addPhoto()
    let store = try folder.store(asset)
    try await PhotoEditor(store).apply([Sepia(amount: 0.5)])
    try await EditorB.edit(library, asset, "one")
    let undone = try await store.undo()
    let repeated = try await PhotoEditor(store).apply([]).state
    #expect(repeated.journal == undone.journal && repeated.revision != undone.revision)
    try await store.redo()
    try await EditorB.edit(library, asset, "one")
    #expect(try store.state().journal.undo.count == 2)
    try folder.checkFiles(asset)
  }

  @Test(arguments: [
    (nil, "com.example.retouch"), ("org.example.client", "org.example.client"),
  ])
  func `an edit has the name of its editor, or of the client`(
    client: String?, expected: String
  ) async throws {
    let folder = try TestLibrary(client: client)
    let asset = try folder.addPhoto()
    func editor() throws -> String? { try folder.store(asset).state().record?.editor }
    try await EditorB.edit(folder.library, asset, "one")
    #expect(try editor() == expected)
    let output = try await EditorB.output(folder.library, asset, "two")
    output.editor = "com.example.app"
    try await folder.library.performChanges {
      try $0.change(asset).setContentEditingOutput(output)
    }
    #expect(try editor() == "com.example.app")
    try await PhotoEditor(folder.store(asset)).apply([Sepia(amount: 0.5)])
    #expect(try editor() == client ?? "org.photoedit")
  }

  @Test func `files are removed with the states that leave the journal`() async throws {
    let shallow = try TestLibrary(journalDepth: 2)
    let asset = try shallow.addPhoto()
    for text in ["one", "two", "three", "four"] {
      try await EditorB.edit(shallow.library, asset, text)
    }
    // Two earlier renderings, the current one, the original and the adjustment data.
    #expect(try shallow.files(asset).count == 5)
    #expect(try shallow.store(asset).state().undoable.count == 2)
    try shallow.checkFiles(asset)
  }

  @Test func `a session conflicts with another edit but not with property changes`() async throws {
    let asset = try folder.addPhoto()
    let output = try await EditorB.output(library, asset, "one")
    let late = try await EditorB.output(library, asset, "two")
    try await library.performChanges { try $0.change(asset).setFavorite(true) }
    try await library.performChanges {
      let request = try $0.change(asset)
      try request.setContentEditingOutput(output)
      try request.setTitle("edited")
    }
    let edited = try folder.refetched(asset)
    #expect(edited.isFavorite && edited.title == "edited" && edited.hasAdjustments)
    let error = try await libraryError {
      try await library.performChanges { try $0.change(asset).setContentEditingOutput(late) }
    }
    #expect(error?.code == .operationInterrupted)
    // The asset is unchanged, and the rejected output is still complete.
    #expect(try folder.refetched(asset).contentRevision == edited.contentRevision)
    #expect(try Data(contentsOf: late.renderedContentURL).isEmpty == false)
  }

  @Test func `an asset can be created with an edit`() async throws {
    let bytes = try TestImages.bytes("jpeg-17x31.jpg")
    let insertion = PhotoInsertion(
      library.layout, "born.jpg", bytes, at: Date(timeIntervalSince1970: 5))
    let placeholder = ObjectPlaceholder(insertion.identifier)
    try library.performChangesAndWait { changes in
      try changes.add(insertion)
      let output = try EditingOutput(placeholder: placeholder, in: changes)
      output.adjustmentData = try EditorB.data("born")
      try Data(try EditorB.rendering("born")).write(to: output.renderedContentURL)
      try changes.setContentEditingOutput(output, for: placeholder)
    }
    let asset = try #require(try folder.asset(placeholder.localIdentifier))
    #expect(asset.hasAdjustments && asset.pixelHeight == 1)
    #expect(try library.read { db throws(LibraryError) in try db.version() } == 1)
    try await folder.store(asset).revert()
    #expect(try folder.refetched(asset).pixelHeight == 31)
    #expect(try folder.digests(asset) == [SHA256Digest(of: bytes), nil, nil, nil])
  }

  @Test func `adjustment data is stored as a standard AAE file`() async throws {
    let asset = try folder.addPhoto()
    try await EditorB.edit(library, asset, "one")
    let resource = try #require(try folder.resources(asset)[.adjustmentData])
    let data = try Data(contentsOf: URL(filePath: library.layout.path(resource.file)))
    struct AAE: Decodable {
      var adjustmentFormatIdentifier: String
      var adjustmentFormatVersion: String
      var adjustmentData: Data
      var adjustmentBaseVersion: Int
      var adjustmentEditorBundleID: String
    }
    let aae = try PropertyListDecoder().decode(AAE.self, from: data)
    #expect(aae.adjustmentFormatIdentifier == EditorB.identifier)
    #expect(aae.adjustmentFormatVersion == "1.0" && aae.adjustmentData == Data("one".utf8))
    #expect(aae.adjustmentBaseVersion == 0 && aae.adjustmentEditorBundleID == EditorB.identifier)
  }
}

/// An operation that fails when its file is moved into place.
final class BlockedPath: ChangeOperation {
  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.place(commit.files.layout.staging + "/none", at: "assets/none")
  }
}
