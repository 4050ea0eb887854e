// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Deleting edited assets")
struct TrashedEditTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  private func change(_ block: (ChangeContext) throws -> Void) throws {
    try folder.library.performChangesAndWait(block)
  }

  /// The digests of all asset files except manifests.
  private func files() throws -> [String: SHA256Digest] {
    try folder.inventory().filter { $0.key.hasPrefix("assets/") && !$0.key.hasSuffix(".json") }
  }

  /// Adds an asset edited by two programs in turn.
  private func addEdited() async throws -> Asset {
    let asset = try folder.addPhoto()
    try await PhotoEditor(folder.store(asset)).apply([Sepia(amount: 0.5)])
    try await EditorB.edit(folder.library, asset, "one")
    return try folder.refetched(asset)
  }

  @Test(.requirement("trash-restores-albums"))
  func `a restored asset keeps its edits and its undo history`() async throws {
    let asset = try await addEdited()
    let before = try folder.store(asset).state()
    let (digests, stored) = (try folder.digests(asset), try files())
    try change { try $0.delete([asset]) }
    let hidden = try await libraryError { _ = try folder.store(asset).state() }
    #expect(hidden?.code == .missingResource)
    #expect(try files() == stored, "the trash keeps every file")

    try change { try $0.restore([asset]) }
    let back = try folder.refetched(asset)
    let store = try folder.store(back)
    #expect(try folder.digests(back) == digests && files() == stored && back.hasAdjustments)
    let after = try store.state()
    #expect(after.record == before.record && after.undoable == before.undoable)
    let input = try await folder.library.contentEditingInput(for: back, options: EditorB.options)
    #expect(input.adjustmentData == (try EditorB.data("one")) && input.version == .base)

    let first = try #require(before.undoable.last ?? nil)
    let undone = try await store.undo()
    #expect(undone.record == first)
    let original = try await store.undo()
    #expect(!original.isEdited && original.redoable.count == 2)
    let redone = try await store.redo()
    #expect(redone.record == first)
  }

  @Test(.requirement("trash-restores-albums"))
  func `purging removes all versions and the journal and retires the identifier`() async throws {
    let asset = try await addEdited()
    let other = try folder.addPhoto("photo-64.jpg")
    try change { try $0.delete([asset]) }
    try change { try $0.purge([asset]) }
    try folder.library.synchronize()
    let identifiers = [asset.localIdentifier]
    #expect(try folder.library.fetchAssets(withLocalIdentifiers: identifiers).isEmpty)
    #expect(try folder.library.fetchTrashedAssets().isEmpty)
    let dead = try await libraryError { _ = try folder.store(asset).state() }
    #expect(dead?.code == .missingResource)
    let error = try await libraryError { try change { try $0.restore([asset]) } }
    #expect(error?.code == .identifierNotFound)
    #expect(try files().count == 1)
    try folder.checkFiles(other)
    #expect(try LibraryCheck().run(at: folder.library.url).findings == [])
  }

  @Test(.requirement("trash-restores-albums"))
  func `a restored Live Photo keeps its edit and reverts to its original pair`() async throws {
    let (still, movie) = (try ImageFile.live("L-1"), MovieFile.live("L-1"))
    let asset = try folder.create([(.photo, still), (.pairedVideo, movie)])
    try await PhotoEditor(folder.store(asset)).apply([Sepia(amount: 0.5)])
    let stored = try files()
    try change { try $0.delete([asset]) }
    try change { try $0.restore([asset]) }
    let back = try folder.refetched(asset)
    #expect(try files() == stored)
    #expect(back.hasAdjustments && back.playbackStyle == .image)
    try await folder.store(back).revert()
    let reverted = try folder.refetched(asset)
    #expect(!reverted.hasAdjustments && reverted.playbackStyle == .livePhoto)
    let paths = try folder.files(of: reverted)
    #expect(try digest(try #require(paths[.photo])) == SHA256Digest(of: still))
    #expect(try digest(try #require(paths[.pairedVideo])) == SHA256Digest(of: movie))
  }
}
