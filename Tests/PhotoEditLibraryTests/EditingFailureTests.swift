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

@Suite("Failures and odd outputs of edits in a library")
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

  /// Commits and expects a refusal that changes no file and no row.
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

  @Test func `T1: nothing at the place of the rendering`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    try FileSystem.remove(output.renderedContentURL.path)
    #expect(try await refused(output)?.code == .missingResource)
    // The output stays usable.
    try Data(try EditorB.rendering("one")).write(to: output.renderedContentURL)
    try commit(output)
    #expect(try folder.refetched(asset).hasAdjustments)
  }

  @Test func `T2: what was checked is what is kept, and no bytes pass for others`() async throws {
    let store = try folder.store(asset)
    let (bytes, other) = (try EditorB.rendering("one"), try EditorB.rendering("two"))
    let staging = try store.makeStagingFolder()
    let staged = staging.file("rendered.jpg")
    // The file has become another one since it was checked.
    try Data(other).write(to: URL(filePath: staged))
    let record = EditRecord(
      base: nil, current: Digest(of: bytes), adjustment: try EditorB.data("one"),
      date: Date(timeIntervalSince1970: 0), editor: "b", recipe: nil)
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
    #expect(try folder.digests(asset)[2] == Digest(of: bytes))
  }

  @Test(arguments: ["empty", "truncated", "garbage"])
  func `T2: a rendering that cannot be decoded`(kind: String) async throws {
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

  @Test func `T3: a PNG under the name of a JPEG is judged by its content`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    try Data(try TestImages.bytes("png-rgb-8.png")).write(to: output.renderedContentURL)
    let error = try await refused(output)
    #expect(error?.code == .invalidResource)
    #expect(error?.message.contains("expected public.jpeg, found public.png") == true)
  }

  @Test func `T4: JPEG is the one format of renderings, whatever the name says`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    #expect(FileSystem.lastName(of: output.renderedContentURL.path) == "rendered.jpg")
    try Data(try TestImages.bytes("photo-64.jpg")).write(to: output.renderedContentURL)
    try commit(output)
    let resource = try #require(try folder.resources(asset)[.fullSizePhoto])
    #expect(resource.uniformType == "public.jpeg" && resource.file.hasSuffix(".jpg"))
  }

  @Test func `T18: sound has no content to edit`() async throws {
    let sound = try folder.addAsset { $0.mediaType = .audio }
    let error = try await libraryError {
      _ = try await library.contentEditingInput(for: sound)
    }
    #expect(error?.code == .requestNotSupportedForAsset)
  }

  @Test func `T6: a rendering that lies on its side`() async throws {
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

  @Test func `T7: an output without adjustment data`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    output.adjustmentData = nil
    #expect(try await refused(output)?.code == .changeNotSupported)
  }

  @Test func `T8: the data of before with a new rendering is an edit`() async throws {
    try await EditorB.edit(library, asset, "same")
    let output = try await EditorB.output(library, asset, "same")
    try Data(try EditorB.rendering("other")).write(to: output.renderedContentURL)
    try commit(output)
    let state = try folder.store(asset).state()
    #expect(state.record?.adjustment == (try EditorB.data("same")))
    #expect(state.record?.current == Digest(of: try EditorB.rendering("other")))
  }

  @Test func `T9: a yes session that writes another format keeps the base`() async throws {
    try await GraphEditing(folder.store(asset)).apply([Sepia(amount: 0.5)])
    let base = try folder.digests(asset)[2]
    try await EditorB.edit(library, asset, "one")
    let output = try await EditorB.output(library, asset, "two")
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: asset.localIdentifier, formatVersion: "1", data: Data("constant".utf8))
    try commit(output)
    #expect(try folder.digests(asset)[1] == base)
  }

  @Test func `T10 and T11: data that is empty or beyond 2 MiB is refused when it is made`() throws {
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

  @Test func `T11: data of exactly 2 MiB comes back unchanged`() async throws {
    let data = Data((0..<AdjustmentData.maximumDataLength).map { UInt8(truncatingIfNeeded: $0) })
    let output = try await EditorB.output(library, asset, "one")
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: EditorB.identifier, formatVersion: "1", data: data)
    try commit(output)
    let input = try await library.contentEditingInput(for: asset, options: EditorB.options)
    #expect(input.adjustmentData?.data == data)
  }

  @Test func `T12: the output of one asset is not for another`() async throws {
    let other = try folder.addPhoto()
    let output = try await EditorB.output(library, asset, "one")
    #expect(try await refused(output, on: other)?.code == .changeNotSupported)
    #expect(try folder.refetched(other).hasAdjustments == false)
  }

  @Test func `T13: an output is used once, also within one block`() async throws {
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

  @Test func `2.3: an output and a revert in one block`() async throws {
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

  @Test func `T14: files that cannot be placed leave the old state and the output whole`()
    async throws
  {
    let output = try await EditorB.output(library, asset, "one")
    let error = try await libraryError {
      try library.performChangesAndWait { changes in
        try changes.change(asset).setContentEditingOutput(output)
        try changes.add(BlockedPlace())
      }
    }
    #expect(error?.file != nil)
    #expect(try folder.files(asset).count == 1)
    #expect(LibraryError(FileError(.noSpace, path: "a", reason: "full")).code == .notEnoughSpace)
    try commit(output)
    #expect(try folder.digests(asset)[2] == Digest(of: try EditorB.rendering("one")))
  }

  @Test func `T15: a request that is cancelled before its delivery says so once`() async throws {
    let calls = Guarded(0)
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

  @Test func `T16: a progress handler that says no cancels`() async throws {
    let info = await withCheckedContinuation { continuation in
      var options = EditingInputRequestOptions()
      options.progressHandler = { _ in false }
      library.requestContentEditingInput(for: asset, options: options) { _, info in
        continuation.resume(returning: info)
      }
    }
    #expect(info.isCancelled && !info.isInCloud)
  }

  @Test func `requests have names of their own, and a late cancellation does nothing`()
    async throws
  {
    var names: Set<ContentEditingInputRequestID> = []
    for _ in 0..<3 {
      let asset = asset
      let (id, input) = await withCheckedContinuation { continuation in
        let box = Guarded<ContentEditingInputRequestID?>(nil)
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

  @Test func `T17: a session that is given up leaves nothing`() async throws {
    do {
      let output = try await EditorB.output(library, asset, "one")
      #expect(FileSystem.isThere(output.renderedContentURL.path))
    }
    try folder.checkFiles(asset)
    #expect(try folder.refetched(asset).hasAdjustments == false)
  }

  @Test func `T18: what is not the user's own is not edited`() async throws {
    let output = try await EditorB.output(library, asset, "one")
    try library.performChangesAndWait { try $0.add(SourceChange(asset, .cloudShared)) }
    #expect(try await refused(output)?.code == .requestNotSupportedForAsset)
  }

  @Test func `T19: without the original nothing reverts, and edits go on from the rendering`()
    async throws
  {
    let store = try folder.store(asset)
    try await GraphEditing(store).apply([Sepia(amount: 0.5)])
    let original = try #require(try folder.resources(asset)[.photo])
    try FileSystem.remove(library.layout.path(original.file))
    let rendering = try folder.resources(asset)[.fullSizePhoto]?.digest
    let error = try await libraryError { try await store.revert() }
    #expect(error?.code == .missingResource)
    #expect(try folder.resources(asset)[.fullSizePhoto]?.digest == rendering)
    let found = try LibraryCheck().run(at: library.url).findings.filter(\.isError)
    #expect(found.map(\.kind) == [.missingFile])
    #expect(found.first?.identifier == asset.localIdentifier)
    let outcome = try await GraphEditing(store).apply([Invert(amount: 1)])
    #expect(outcome.version == .current && outcome.kind == .notUnderstood)
  }

  @Test func `L5: a deletion's rule holds for edits: refused requests name the asset`() async throws
  {
    let gone = try folder.addPhoto()
    let output = try await EditorB.output(library, gone, "one")
    try library.performChangesAndWait { try $0.add(Removal(gone)) }
    let error = try await libraryError { try commit(output, on: gone) }
    #expect(error?.code == .identifierNotFound)
    let state = try await libraryError { _ = try folder.store(gone).state() }
    #expect(state?.code == .missingResource)
  }
}

/// Holds somebody up until it is opened.
private final class Gate: Sendable {
  private let isOpen = Atomic(false)
  func open() { isOpen.store(true, ordering: .releasing) }
  func wait() { while !isOpen.load(ordering: .acquiring) { usleep(200) } }
}

/// Says that an asset came from elsewhere.
private final class SourceChange: ChangeOperation {
  private let row: Int64
  private let source: SourceType

  init(_ asset: Asset, _ source: SourceType) { (row, self.source) = (asset.row, source) }

  func apply(to commit: Commit) throws(LibraryError) {
    try commit.database.run(
      "UPDATE asset SET sourceType = ? WHERE id = ?", [.init(source.rawValue), .integer(row)])
  }
}

/// Puts an asset into the trash.
private final class Removal: ChangeOperation {
  private let row: Int64

  init(_ asset: Asset) { row = asset.row }

  func apply(to commit: Commit) throws(LibraryError) {
    try commit.touchAsset(row, .deleted)
    try commit.database.run("UPDATE asset SET state = 1 WHERE id = ?", [.integer(row)])
  }
}
