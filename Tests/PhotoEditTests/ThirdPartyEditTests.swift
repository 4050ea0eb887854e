// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Third-party edits next to a photo")
struct ThirdPartyEditTests {
  private let photo: PhotoFolder
  private let theirs = ["IMG_0001.AAE", "IMG_E0001.JPG"]

  init() throws {
    photo = try PhotoFolder(as: "IMG_0001.JPG")
    try photo.temporary.write(Self.aae(), to: "IMG_0001.AAE")
    try photo.temporary.write(try EditorB.rendering("theirs"), to: "IMG_E0001.JPG")
  }

  static func aae(
    identifier: String = "com.apple.photo", version: String = "1.6", base: Int = 0
  ) -> [UInt8] {
    let data = "H4sIAAAA"
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>adjustmentBaseVersion</key><integer>\(base)</integer>
      <key>adjustmentData</key><data>\(data)</data>
      <key>adjustmentEditorBundleID</key><string>com.apple.mobileslideshow</string>
      <key>adjustmentFormatIdentifier</key><string>\(identifier)</string>
      <key>adjustmentFormatVersion</key><string>\(version)</string>
      <key>adjustmentTimestamp</key><date>2020-05-01T12:00:00Z</date></dict></plist>
      """.utf8)
  }

  @Test func `numbers with invalid text are rejected without a crash`() throws {
    let text = "<plist version=\"1.0\"><dict><key>a</key><integer>\n"
    let bytes = Array(text.utf8) + [0xFF, 0xFF, 0xC0] + Array("1</integer></dict></plist>".utf8)
    #expect(throws: (any Error).self) { try AppleEdit(bytes) }
  }

  /// Every attribute of their files that an access could change.
  private func facts() throws -> [[Int]] {
    try theirs.map { name in
      let file = try PhotoFacts(photo.path(name))
      return file.numbers + (try photo.bytes(name)).map { Int($0) }
    }
  }

  @Test func `an edit that is not resumable continues from its rendering, which is unchanged`()
    async throws
  {
    let before = try facts()
    let store = photo.store
    let state = try store.state()
    #expect(state.isThirdParty && state.record?.adjustment.formatIdentifier == "com.apple.photo")
    #expect(state.current.path == photo.path("IMG_E0001.JPG"))
    let theirDigest = SHA256Digest(of: try EditorB.rendering("theirs"))

    let outcome = try await PhotoEditor(store).apply([Sepia(amount: 1)])
    #expect(outcome.version == .current && outcome.kind == .notUnderstood)
    #expect(outcome.blockingReasons.first?.contains("com.apple.photo") == true)
    #expect(outcome.state.record?.base == theirDigest && !outcome.state.isThirdParty)
    #expect(try photo.digest("IMG_0001.base.jpg") == theirDigest)
    #expect(try facts() == before)

    #expect(try await PhotoEditor(store).apply([Invert(amount: 1)]).version == .base)
    let back = try await store.undo()
    #expect(back.record == outcome.state.record)
    let external = try await store.undo()
    #expect(external.isThirdParty && external.record?.current == theirDigest)
    #expect(try store.state() == external)
    #expect(!photo.exists("IMG_0001.base.jpg") && !photo.exists("IMG_0001.edited.jpg"))
    #expect(try await store.redo().record == outcome.state.record)
    #expect(try photo.digest("IMG_0001.base.jpg") == theirDigest)

    let reverted = try await photo.store(force: true).revert()
    #expect(!reverted.isEdited && !reverted.isThirdParty)
    #expect(try await store.editingInput().version == .original)
    #expect(try await store.undo().record == outcome.state.record)
    #expect(try facts() == before)
    #expect(try photo.litter() == [])
  }

  @Test func `revert hides a third-party edit without changing it, and undo shows it again`()
    async throws
  {
    let before = try facts()
    #expect(try await photo.store.revert().isEdited == false)
    #expect(try photo.store.state().isEdited == false)
    #expect(try await photo.store.undo().isThirdParty)
    #expect(try await photo.store.redo().isEdited == false)
    try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    #expect(try photo.store.state().record?.base == nil)
    try await photo.store.revert()
    #expect(try photo.store.state().isEdited == false)
    #expect(try facts() == before)
  }

  @Test(arguments: [
    "IMG_E0001.JPG", "IMG_0001.AAE", "IMG_0001.JPG.aae", "IMG_0001.base.jpg",
    ".photoedit", "IMG_0001.JPG", "./IMG_E0001.JPG", "../x/IMG_E0001.JPG",
  ])
  func `a rendering never replaces adjustment data, even with force`(name: String) async throws {
    let before = try facts()
    let files = try photo.inventory()
    let recorded = name.replacing(
      "../x", with: "../" + FileSystem.lastName(of: photo.temporary.path))
    let error = try await editingError {
      try await PhotoEditor(photo.store(rendering: recorded, force: true)).apply([Sepia(amount: 1)])
    }
    #expect(error?.file?.kind == .exists)
    #expect(try photo.inventory() == files)
    #expect(try facts() == before)
  }

  @Test func `a commit after a later edit by the other program is rejected`() async throws {
    let store = photo.store
    let output = try await store.editingOutput(for: try await store.editingInput())
    output.adjustmentData = try EditorB.data("one")
    try Data(try EditorB.rendering("one")).write(to: output.renderedContentURL)
    try photo.temporary.write(try EditorB.rendering("theirs, again"), to: "IMG_E0001.JPG")
    let error = try await editingError { try await store.commit(output) }
    #expect(error?.code == .operationInterrupted)
    #expect(!photo.exists("IMG_0001.JPG.aae"))
  }

  @Test func `adjustment data without a rendering is reported as the original`() async throws {
    try FileSystem.remove(photo.path("IMG_E0001.JPG"))
    let state = try photo.store.state()
    #expect(!state.isEdited && state.notices.count == 1)
    #expect(state.notices.first?.contains("rendering is missing") == true)
    let outcome = try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    #expect(outcome.version == .original)
    #expect(try photo.bytes("IMG_0001.AAE") == Self.aae())
  }

  @Test(arguments: [[], [0x62], Array("bplist00garbage".utf8), Array("<plist><dict>".utf8)])
  func `damaged third-party data is reported without blocking edits`(bytes: [UInt8]) async throws {
    try photo.temporary.write(bytes, to: "IMG_0001.AAE")
    let state = try photo.store.state()
    #expect(!state.isEdited && state.notices.count == 1, "\(state.notices)")
    #expect(try await PhotoEditor(photo.store).apply([Sepia(amount: 1)]).version == .original)
    #expect(try photo.bytes("IMG_0001.AAE") == bytes)
  }

  @Test(arguments: [
    ("com.apple.photo", "1.10"), ("com.apple.photo", ""), ("", "1"), ("😀", "1"),
    (String(repeating: "x", count: 10_240), "1"), ("org.photoedit.graph", "9.9"),
  ])
  func `an edit continues from its rendering for any format name and version`(
    identifier: String, version: String
  ) async throws {
    try photo.temporary.write(
      Self.aae(identifier: identifier, version: version), to: "IMG_0001.AAE")
    let state = try photo.store.state()
    #expect(state.isThirdParty)
    #expect(state.record?.adjustment.formatIdentifier == identifier)
    #expect(state.record?.adjustment.formatVersion == version)
    #expect(try await PhotoEditor(photo.store).apply([Sepia(amount: 1)]).version == .current)
    let undone = try await photo.store.undo()
    #expect(undone.isThirdParty && undone.record?.adjustment == state.record?.adjustment)
    #expect(try await photo.store.redo().record?.base == state.record?.current)
  }

  @Test func `a base other than the original cannot be requested`() async throws {
    try photo.temporary.write(Self.aae(base: 1), to: "IMG_0001.AAE")
    var options = EditingInputRequestOptions()
    options.canHandleAdjustmentData = { _ in true }
    let input = try await photo.store.editingInput(options)
    #expect(input.version == .current && input.adjustmentData == nil)
  }

  @Test func `a file of another program at the sidecar's path is never overwritten`() async throws {
    let photo = try PhotoFolder()
    try photo.temporary.write(Self.aae(), to: "photo.jpg.aae")
    let files = try photo.inventory()
    let error = try await editingError {
      try await PhotoEditor(photo.store(force: true)).apply([Sepia(amount: 1)])
    }
    #expect(error?.code == .changeNotSupported && error?.file?.kind == .exists)
    #expect(error?.path == photo.path("photo.jpg.aae"))
    #expect(try photo.inventory() == files)
  }

  @Test(.enabled(if: Corpora.path != nil, "no corpora on this machine"))
  func `real adjustment data is read and left unchanged`() async throws {
    let folder = "\(try #require(Corpora.path))/osxphotos-aae"
    var count = 0
    for name in try FileSystem.names(in: folder) {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + name)))
      let photo = try PhotoFolder(as: "IMG_0001.JPG")
      try photo.temporary.write(bytes, to: "IMG_0001.AAE")
      try photo.temporary.write(try EditorB.rendering("theirs"), to: "IMG_E0001.JPG")
      let state = try photo.store.state()
      #expect(state.isThirdParty || !state.notices.isEmpty, "\(name)")
      let outcome = try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
      #expect(outcome.version == (state.isThirdParty ? .current : .original), "\(name)")
      try await photo.store.revert()
      #expect(try photo.bytes("IMG_0001.AAE") == bytes)
      if state.isThirdParty { count += 1 }
    }
    #expect(count >= 5)
  }
}
