// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

/// States as a crash leaves them, built by hand; `Tools/crash-tests` kills real processes.
@Suite("Recovery after interruption")
struct RecoveryTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  /// Rolls back a finished commit to the moment after the sidecar's rename.
  ///
  /// - Parameter mark: The mark of the previous bytes.
  private func unpublish(
    _ name: String, _ digest: SHA256Digest?, former: [UInt8]?, mark: RenderingMark? = nil
  ) throws {
    let paths = SidecarPaths(photo: photo.photo)
    let pending = paths.pending(photo.path(name), try #require(digest))
    #expect(rename(photo.path(name), pending) == 0)
    if let former { try photo.temporary.write(former, to: name) }
    mark?.write(to: photo.path(name))
  }

  /// A file that no state refers to still belongs to photoedit while it waits to be replaced.
  @Test func `a rendering left by an interrupted edit is replaced`() async throws {
    #expect(mkdir(photo.path("away"), 0o755) == 0)
    let name = "away/mine.jpg"
    let away = photo.store(rendering: name)
    // An edit undone without naming its folder leaves its rendering there.
    try await EditorB.edit(away, "one")
    try await photo.store.undo()
    let (bytes, mark) = (try photo.bytes(name), RenderingMark(of: photo.path(name)))
    #expect(mark?.rendering == SHA256Digest(of: bytes))
    let state = try await EditorB.edit(away, "two")
    try unpublish(name, state.record?.current, former: bytes, mark: mark)
    #expect(try await EditorB.edit(away, "three").current.path == photo.path(name))
    #expect(try photo.bytes(name) == EditorB.rendering("three"))
    #expect(try photo.litter() == [])
  }

  @Test func `an unpublished commit is read, and completed by any change`() async throws {
    for change in [EditChange.undo, .revert] {
      let first = try await EditorB.edit(photo.store, "one")
      let bytes = try photo.bytes("photo.edited.jpg")
      let state = try await EditorB.edit(photo.store, "two")
      try unpublish("photo.edited.jpg", state.record?.current, former: bytes)
      let waiting = try photo.store.state()
      #expect(waiting.record == state.record && waiting.current.path.hasSuffix(".pending"))
      let input = try await photo.store.editingInput()
      let file = try #require(input.fullSizeImageURL)
      #expect(try Data(contentsOf: file) == Data(EditorB.rendering("two")))
      let after = try photo.store.perform(change, expecting: waiting.revision)
      #expect(after.record == (after.isEdited ? first.record : nil))
      if !after.isEdited { try await photo.store.undo() }
      try await photo.store.revert()
    }
    #expect(try photo.litter() == [])
  }

  /// A repeated command finds the state that it asked for, and must also leave its files.
  @Test func `an interrupted change can be completed without another change`() async throws {
    try await EditorB.edit(photo.store, "one")
    let one = try photo.bytes("photo.edited.jpg")
    let state = try await EditorB.edit(photo.store, "two")
    try unpublish("photo.edited.jpg", state.record?.current, former: one)
    photo.store.finishInterruptedChange()
    #expect(try photo.store.state() == state)
    #expect(try photo.bytes("photo.edited.jpg") == EditorB.rendering("two"))

    // An undo to the original that was killed before it removed the rendering.
    let rendering = try photo.bytes("photo.edited.jpg")
    let mark = RenderingMark(of: photo.path("photo.edited.jpg"))
    let undone = try await photo.store.undo(steps: 2)
    let journal = try photo.inventory()
    try photo.temporary.write(rendering, to: "photo.edited.jpg")
    mark?.write(to: photo.path("photo.edited.jpg"))
    photo.store.finishInterruptedChange()
    #expect(try photo.inventory() == journal)
    #expect(try photo.store.state() == undone)

    // One that was killed before it removed what no state refers to any more.
    let stale = SidecarPaths(photo: photo.photo).journalPath(SHA256Digest(of: [1]))
    try photo.temporary.write(
      [1], to: ".photoedit/photo.jpg/" + FileSystem.lastName(of: stale))
    photo.store.finishInterruptedChange()
    #expect(try photo.inventory() == journal)
  }

  @Test func `a held store does not read a sidecar through a link`() async throws {
    try await EditorB.edit(photo.store, "one")
    let name = ".photoedit/photo.jpg/" + SHA256Digest(of: [1]).hex + ".jpg"
    try FileSystem.createFolder(photo.path(".photoedit"))
    try FileSystem.createFolder(photo.path(".photoedit/photo.jpg"))
    try photo.temporary.write([1], to: name)
    let sidecar = photo.path("photo.jpg.aae")
    #expect(mkdir(photo.path("away"), 0o755) == 0)
    try FileSystem.rename(sidecar, to: photo.path("away/moved"))
    #expect(symlink("away/moved", sidecar) == 0)
    let held = photo.store.held(beneath: try OpenFolder(photo.path("")))
    #expect(throws: EditingError.self) { try held.state() }
    #expect(throws: EditingError.self) { try held.load() }
    held.finishInterruptedChange()
    #expect(photo.exists(name))
    photo.store.finishInterruptedChange()
    #expect(!photo.exists(name))
  }

  @Test func `completing a change needs the lock and leaves the user's files`() async throws {
    let state = try await EditorB.edit(photo.store, "one")
    let rendering = try photo.bytes("photo.edited.jpg")
    try unpublish("photo.edited.jpg", state.record?.current, former: nil)
    do {
      let busy = try OpenFile(reading: photo.photo)
      defer { withExtendedLifetime(busy) {} }
      #expect(try busy.lock() == .acquired)
      photo.store.finishInterruptedChange()
      #expect(!photo.exists("photo.edited.jpg"))
    }
    photo.store.finishInterruptedChange()
    #expect(try photo.bytes("photo.edited.jpg") == rendering)
    try await photo.store.revert()
    try photo.temporary.write([1, 2, 3], to: "photo.edited.jpg")
    photo.store.finishInterruptedChange()
    #expect(try photo.bytes("photo.edited.jpg") == [1, 2, 3])
  }

  @Test func `a base and a rendering with one digest both get their names`() async throws {
    try await EditorB.edit(photo.store, "one")
    // Another editor that returns its input.
    let output = try await photo.store.editingOutput(for: try await photo.store.editingInput())
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: "com.example.same", formatVersion: "1", data: Data([1]))
    try Data(EditorB.rendering("one")).write(to: output.renderedContentURL)
    let state = try await photo.store.commit(output)
    #expect(state.record?.base == state.record?.current)
    #expect(try photo.digest("photo.base.jpg") == photo.digest("photo.edited.jpg"))
    try unpublish("photo.edited.jpg", state.record?.current, former: nil)
    try unpublish("photo.base.jpg", state.record?.base, former: nil)
    try await EditorB.edit(photo.store, "two")
    try await photo.store.undo()
    #expect(try photo.digest("photo.base.jpg") == state.record?.base)
    #expect(try photo.digest("photo.edited.jpg") == state.record?.current)
  }

  @Test func `a file written to the path in the meantime is not rolled back`() async throws {
    let state = try await EditorB.edit(photo.store, "one")
    try unpublish("photo.edited.jpg", state.record?.current, former: [1, 2, 3])
    let error = try await editingError { try await EditorB.edit(photo.store, "two") }
    #expect(error?.file?.kind == .exists)
    #expect(try photo.bytes("photo.edited.jpg") == [1, 2, 3])
    #expect(try photo.store.state().record == state.record)
    #expect(try await photo.store.editingInput().version == .current)
  }

  @Test func `a superseded rendering left after a revert is replaced`() async throws {
    let state = try await EditorB.edit(photo.store, "one")
    let bytes = try photo.bytes("photo.edited.jpg")
    try await photo.store.revert()
    try photo.temporary.write(bytes, to: "photo.edited.jpg")
    try photo.store.checkDestination(after: try photo.store.state())
    #expect(try await EditorB.edit(photo.store, "two").isEdited)
    try await photo.store.revert()
    try photo.temporary.write(bytes, to: "photo.edited.jpg")
    let undone = try await photo.store.undo()
    #expect(undone.record?.current != state.record?.current)
  }

  @Test func `pending files of failed changes are removed, other files are not`() async throws {
    let paths = SidecarPaths(photo: photo.photo)
    let mine = paths.pending(photo.path("photo.edited.jpg"), SHA256Digest(of: [1]))
    let other = SidecarPaths(photo: photo.path("photo.png"))
      .pending(photo.path("photo.edited.jpg"), SHA256Digest(of: [1]))
    #expect(mine != other)
    for path in [mine, mine + ".part", other] { try Data([1]).write(to: URL(filePath: path)) }
    try await EditorB.edit(photo.store, "one")
    #expect(try photo.litter().map { photo.path($0) } == [other])
  }

  @Test func `a partial copy in the journal does not count as a copy`() async throws {
    try await EditorB.edit(photo.store, "one")
    let bytes = try EditorB.rendering("one")
    #expect(mkdir(photo.path(".photoedit"), 0o700) == 0)
    #expect(mkdir(photo.path(".photoedit/photo.jpg"), 0o700) == 0)
    let name = ".photoedit/photo.jpg/" + SHA256Digest(of: bytes).hex + ".jpg"
    try photo.temporary.write(Array(bytes[..<10]), to: name)
    try photo.temporary.write(Array(bytes[..<10]), to: name + ".part")
    try await EditorB.edit(photo.store, "two")
    #expect(try photo.bytes(name) == bytes)
    #expect(try await photo.store.undo().record?.current == SHA256Digest(of: bytes))
  }

  @Test func `of two concurrent writers, one succeeds, and the other gets an error`() async throws {
    let store = photo.store
    for round in 0..<10 {
      let outputs = [
        try await store.editingOutput(for: try await EditorB.input(store)),
        try await store.editingOutput(for: try await EditorB.input(store)),
      ]
      for (index, output) in outputs.enumerated() {
        output.adjustmentData = try EditorB.data("\(round) \(index)")
        try Data(EditorB.rendering("\(round) \(index)")).write(to: output.renderedContentURL)
      }
      let codes = try await withThrowingTaskGroup(of: EditingError.Code?.self) { group in
        for output in outputs {
          group.addTask { try await editingError { try await store.commit(output) }?.code }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.filter { $0 == nil }.count == 1)
      #expect(codes.contains(.operationInterrupted))
      let record = try #require(try store.state().record)
      #expect(try photo.digest("photo.edited.jpg") == record.current)
      let text = String(decoding: record.adjustment.data, as: UTF8.self)
      #expect(record.current == SHA256Digest(of: try EditorB.rendering(text)))
    }
  }
}
