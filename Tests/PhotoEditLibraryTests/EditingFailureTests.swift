// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Synchronization
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Failed and unusual edits in a library")
struct EditingFailureTests {
  private let folder: TestLibrary
  private let asset: Asset
  private var library: PhotoLibrary { folder.library }

  init() throws {
    folder = try TestLibrary()
    asset = try folder.addPhoto()
  }

  private func commit(_ output: EditingOutput, on target: Asset? = nil) throws {
    let target = target ?? asset
    try library.performChangesAndWait { try $0.change(target).setContentEditingOutput(output) }
  }

  /// Commits an output and expects an error that leaves files and rows unchanged.
  private func refused(
    _ output: EditingOutput, on target: Asset? = nil
  ) async throws -> LibraryError? {
    let (files, before) = (try folder.digests(asset), try folder.refetched(asset))
    let error = try await libraryError { try commit(output, on: target) }
    #expect(try folder.digests(asset) == files)
    let after = try folder.refetched(asset)
    #expect(after.contentRevision == before.contentRevision)
    #expect(after.modificationDate == before.modificationDate)
    return error
  }

  @Test(.requirement("edit-without-rendering"))
  func `an output without a rendered file is rejected and stays usable`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    try FileSystem.remove(output.renderedContentURL.path)
    #expect(try await refused(output)?.code == .missingResource)
    // The output stays usable.
    try Data(try EditorB.rendering("one")).write(to: output.renderedContentURL)
    try commit(output)
    #expect(try folder.refetched(asset).hasAdjustments)
  }

  @Test(.requirement("undecodable-rendering"))
  func `only checked rendering bytes are stored, even if the staged file changed`() async throws {
    let store = try folder.store(asset)
    let (bytes, other) = (try EditorB.rendering("one"), try EditorB.rendering("two"))
    let staging = try store.makeStagingFolder()
    let staged = staging.file("rendered.jpg")
    // The file was changed after it was checked.
    try Data(other).write(to: URL(filePath: staged))
    let record = EditRecord(
      base: nil, current: SHA256Digest(of: bytes), adjustment: try EditorB.data("one"),
      date: Date(timeIntervalSince1970: 0), editor: "b", renderSettings: nil)
    let revision = try store.state().revision
    for content in [FileBytes(other), nil] {
      let error = try await libraryError {
        _ = try store.perform(
          .edit(staged: staged, record, .first, content: content), expecting: revision)
      }
      #expect(error != nil)
      #expect(try folder.refetched(asset).hasAdjustments == false)
    }
    _ = try store.perform(
      .edit(staged: staged, record, .first, content: FileBytes(bytes)), expecting: revision)
    #expect(try folder.digests(asset)[2] == SHA256Digest(of: bytes))
  }

  @Test(.requirement("undecodable-rendering"), arguments: ["empty", "truncated", "garbage"])
  func `a rendering that cannot be decoded is rejected`(kind: String) async throws {
    let output = try await EditorB.output(library, asset, "one")
    let whole = try TestImages.bytes("photo-64.jpg")
    let bytes =
      switch kind {
      case "empty": [UInt8]()
      case "truncated": Array(whole.prefix(whole.count / 2))
      default: Array("no picture at all".utf8)
      }
    try Data(bytes).write(to: output.renderedContentURL)
    #expect(try await refused(output)?.code == .invalidResource)
  }

  @Test(.requirement("rendering-judged-by-content"))
  func `a PNG with the name of a JPEG is rejected by its content`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    try Data(try TestImages.bytes("png-rgb-8.png")).write(to: output.renderedContentURL)
    let error = try await refused(output)
    #expect(error?.code == .invalidResource)
    #expect(error?.message.contains("expected public.jpeg, found public.png") == true)
  }

  @Test(.requirement("rendered-content-types"))
  func `the rendering of a photo is a JPEG file`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    #expect(FileSystem.lastName(of: output.renderedContentURL.path) == "rendered.jpg")
    try Data(try TestImages.bytes("photo-64.jpg")).write(to: output.renderedContentURL)
    try commit(output)
    let resource = try #require(try folder.resources(asset)[.fullSizePhoto])
    #expect(resource.uniformType == "public.jpeg" && resource.file.hasSuffix(".jpg"))
  }

  @Test(.requirement("not-editable-assets")) func `an audio asset cannot be edited`() async throws {
    let audioAsset = try folder.addAsset { $0.mediaType = .audio }
    let error = try await libraryError {
      _ = try await library.contentEditingInput(for: audioAsset)
    }
    #expect(error?.code == .requestNotSupportedForAsset)
  }

  @Test(.requirement("rendering-orientation-is-applied"))
  func `a rendering with an EXIF orientation other than 1 is rejected`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    try Data(try sideways()).write(to: output.renderedContentURL)
    let error = try await refused(output)
    #expect(error?.code == .invalidResource && error?.message.contains("orientation 6") == true)
  }

  /// A JPEG with an EXIF orientation of 6.
  private func sideways() throws -> [UInt8] {
    let bytes = try TestImages.bytes("jpeg-17x1.jpg")
    let exif: [UInt8] =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
      + [0, 0, 0, 0]
    let length = exif.count + 2
    return bytes[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif + bytes[2...]
  }

  @Test(.requirement("edit-needs-adjustment-data"))
  func `an output without adjustment data is rejected`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    output.adjustmentData = nil
    #expect(try await refused(output)?.code == .changeNotSupported)
  }

  @Test(.requirement("equal-adjustment-data"))
  func `equal adjustment data with a new rendering is an edit`() async throws {
    try await EditorB.edit(library, asset, "same")
    let output = try await EditorB.output(library, asset, "same")
    try Data(try EditorB.rendering("other")).write(to: output.renderedContentURL)
    try commit(output)
    let state = try folder.store(asset).state()
    #expect(state.record?.adjustment == (try EditorB.data("same")))
    #expect(state.record?.current == SHA256Digest(of: try EditorB.rendering("other")))
  }

  @Test(.requirement("resumed-edit-keeps-base"))
  func `a resumed session that writes another data format keeps the base`() async throws {
    try await PhotoEditor(folder.store(asset)).apply([Sepia(amount: 0.5)])
    let base = try folder.digests(asset)[2]
    try await EditorB.edit(library, asset, "one")
    let output = try await EditorB.output(library, asset, "two")
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: asset.localIdentifier, formatVersion: "1", data: Data("constant".utf8))
    try commit(output)
    #expect(try folder.digests(asset)[1] == base)
  }

  @Test(.requirement("adjustment-data-is-not-empty", "adjustment-data-limit"))
  func `adjustment data that is empty or over 2 MiB is rejected on creation`() throws {
    for count in [0, AdjustmentData.maximumDataLength + 1] {
      let error = #expect(throws: EditingError.self) {
        try AdjustmentData(
          formatIdentifier: "a", formatVersion: "1", data: Data(repeating: 7, count: count))
      }
      #expect(error?.code == .changeNotSupported)
    }
    #expect(throws: EditingError.self) {
      try AdjustmentData(formatIdentifier: "", formatVersion: "1", data: Data([1]))
    }
    #expect(throws: EditingError.self) {
      try AdjustmentData(formatIdentifier: "a", formatVersion: "", data: Data([1]))
    }
  }

  @Test(.requirement("adjustment-data-limit"))
  func `adjustment data of exactly 2 MiB is returned unchanged`() async throws {
    let data = Data((0..<AdjustmentData.maximumDataLength).map { UInt8(truncatingIfNeeded: $0) })
    let output = try await EditorB.output(library, asset, "one")
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: EditorB.identifier, formatVersion: "1", data: data)
    try commit(output)
    let input = try await library.contentEditingInput(for: asset, options: EditorB.options)
    #expect(input.adjustmentData?.data == data)
  }

  @Test(.requirement("output-belongs-to-its-asset"))
  func `an output cannot be committed on another asset`() async throws {
    let other = try folder.addPhoto()
    let output = try await EditorB.output(library, asset, "one")
    #expect(try await refused(output, on: other)?.code == .changeNotSupported)
    #expect(try folder.refetched(other).hasAdjustments == false)
  }

  @Test(.requirement("output-is-used-once"))
  func `an output can be committed only once, even within one block`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    let error = try await libraryError {
      try library.performChangesAndWait { changes in
        try changes.change(asset).setContentEditingOutput(output)
        try changes.change(asset).setContentEditingOutput(output)
      }
    }
    #expect(error?.code == .changeNotSupported)
    #expect(try folder.refetched(asset).hasAdjustments == false)
    try commit(output)
    #expect(try await refused(output)?.code == .changeNotSupported)
  }

  @Test func `an output and a revert in one block are rejected`() async throws {
    try await EditorB.edit(library, asset, "one")
    let output = try await EditorB.output(library, asset, "two")
    let before = try folder.digests(asset)
    let error = try await libraryError {
      try library.performChangesAndWait { changes in
        let request = try changes.change(asset)
        try request.setContentEditingOutput(output)
        try request.revertAssetContentToOriginal()
      }
    }
    #expect(error?.code == .changeNotSupported && error?.identifiers == [asset.localIdentifier])
    #expect(try folder.digests(asset) == before)
  }

  @Test(.requirement("edit-on-full-disk"))
  func `a commit whose files cannot be placed keeps the old state and the output`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    let error = try await libraryError {
      try library.performChangesAndWait { changes in
        try changes.change(asset).setContentEditingOutput(output)
        try changes.add(BlockedPath())
      }
    }
    #expect(error?.file != nil)
    #expect(try folder.files(asset).count == 1)
    #expect(LibraryError(FileError(.noSpace, path: "a", reason: "full")).code == .notEnoughSpace)
    try commit(output)
    #expect(try folder.digests(asset)[2] == SHA256Digest(of: try EditorB.rendering("one")))
  }

  @Test(.requirement("cancel-input-request"))
  func `a request canceled before delivery reports its cancellation once`() async throws {
    let calls = LockedValue(0)
    let info = await withCheckedContinuation { continuation in
      var options = EditingInputRequestOptions()
      let gate = Gate()
      options.progressHandler = { _ in
        gate.wait()
        return true
      }
      let id = library.requestContentEditingInput(for: asset, options: options) { input, info in
        calls.withLock { $0 += 1 }
        #expect(input == nil)
        continuation.resume(returning: info)
      }
      #expect(id.rawValue != 0)
      library.cancelContentEditingInputRequest(id)
      gate.open()
    }
    #expect(info.isCancelled && info.error?.code == .userCancelled)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test(.requirement("progress-handler-cancels"))
  func `a progress handler that returns false cancels its request`() async throws {
    let info = await withCheckedContinuation { continuation in
      var options = EditingInputRequestOptions()
      options.progressHandler = { _ in false }
      library.requestContentEditingInput(for: asset, options: options) { _, info in
        continuation.resume(returning: info)
      }
    }
    #expect(info.isCancelled && !info.isInCloud)
  }

  @Test func `request identifiers are unique, and a late cancellation does nothing`() async throws {
    var names: Set<ContentEditingInputRequestID> = []
    for _ in 0..<3 {
      let asset = asset
      let (id, input) = await withCheckedContinuation { continuation in
        let box = LockedValue<ContentEditingInputRequestID?>(nil)
        let gate = Gate()
        let id = library.requestContentEditingInput(for: asset) { input, _ in
          gate.wait()
          continuation.resume(returning: (box.withLock { $0 }, input))
        }
        box.withLock { $0 = id }
        gate.open()
      }
      let name = try #require(id)
      names.insert(name)
      #expect(input?.version == .original)
      library.cancelContentEditingInputRequest(name)
    }
    #expect(names.count == 3)
  }

  @Test(.requirement("abandoned-session"))
  func `an abandoned session leaves no files`() async throws {
    do {
      let output = try await EditorB.output(library, asset, "one")
      #expect(FileSystem.itemExists(output.renderedContentURL.path))
    }
    try folder.checkFiles(asset)
    #expect(try folder.refetched(asset).hasAdjustments == false)
  }

  @Test(.requirement("not-editable-assets"))
  func `an asset from another source cannot be edited`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    try library.performChangesAndWait { try $0.add(SourceChange(asset, .cloudShared)) }
    #expect(try await refused(output)?.code == .requestNotSupportedForAsset)
  }

  @Test(.requirement("edit-without-original"))
  func `without the original, a revert fails and edits continue from the rendering`() async throws {
    let store = try folder.store(asset)
    try await PhotoEditor(store).apply([Sepia(amount: 0.5)])
    let original = try #require(try folder.resources(asset)[.photo])
    try FileSystem.remove(library.layout.path(original.file))
    let rendering = try folder.resources(asset)[.fullSizePhoto]?.digest
    let error = try await libraryError { try await store.revert() }
    #expect(error?.code == .missingResource)
    #expect(try folder.resources(asset)[.fullSizePhoto]?.digest == rendering)
    let found = try LibraryCheck().run(at: library.url).findings.filter(\.isError)
    #expect(found.map(\.kind) == [.missingFile])
    #expect(found.first?.identifier == asset.localIdentifier)
    let outcome = try await PhotoEditor(store).apply([Invert(amount: 1)])
    #expect(outcome.version == .current && outcome.kind == .notUnderstood)
  }

  @Test func `editing a trashed asset is rejected`() async throws {
    let removed = try folder.addPhoto()
    let output = try await EditorB.output(library, removed, "one")
    try library.performChangesAndWait { try $0.add(Removal(removed)) }
    let error = try await libraryError { try commit(output, on: removed) }
    #expect(error?.code == .identifierNotFound)
    let state = try await libraryError { _ = try folder.store(removed).state() }
    #expect(state?.code == .missingResource)
  }
}

/// Blocks a thread until it is opened.
private final class Gate: Sendable {
  private let isOpen = Atomic(false)
  func open() { isOpen.store(true, ordering: .releasing) }
  func wait() { while !isOpen.load(ordering: .acquiring) { usleep(200) } }
}

/// Sets the source type of an asset.
private final class SourceChange: ChangeOperation {
  private let row: Int64
  private let source: SourceType

  init(_ asset: Asset, _ source: SourceType) { (row, self.source) = (asset.row, source) }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.database.run(
      "UPDATE asset SET sourceType = ? WHERE id = ?", [.init(source.rawValue), .integer(row)])
  }
}

/// Moves an asset to the trash.
private final class Removal: ChangeOperation {
  private let row: Int64

  init(_ asset: Asset) { row = asset.row }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.touchAsset(row, .deleted)
    try commit.database.run("UPDATE asset SET state = 1 WHERE id = ?", [.integer(row)])
  }
}
