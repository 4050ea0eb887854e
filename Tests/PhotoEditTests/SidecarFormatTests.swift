// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditContainers
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

@Suite("Sidecar file format")
struct SidecarFormatTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  /// The keys of an AAE file, as read by any property list parser.
  private struct AAE: Decodable {
    var adjustmentFormatIdentifier: String
    var adjustmentFormatVersion: String
    var adjustmentData: Data
    var adjustmentBaseVersion: Int
    var adjustmentEditorBundleID: String
    var adjustmentTimestamp: Date
  }

  @Test func `a sidecar is an AAE file`() async throws {
    var editor = PhotoEditor(photo.store)
    editor.date = Date(timeIntervalSince1970: 1_600_000_000)
    let outcome = try await editor.apply([Sepia(amount: 1)])
    let bytes = Data(try photo.bytes("photo.jpg.aae"))
    let aae = try PropertyListDecoder().decode(AAE.self, from: bytes)
    #expect(aae.adjustmentFormatIdentifier == FilterGraph.formatIdentifier)
    #expect(aae.adjustmentFormatVersion == FilterGraph.formatVersion)
    #expect(aae.adjustmentData == Data(outcome.graph.canonicalBytes()))
    #expect(aae.adjustmentBaseVersion == 0)
    #expect(aae.adjustmentEditorBundleID == "org.photoedit")
    #expect(aae.adjustmentTimestamp == editor.date)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"))
    let outer = text.split(separator: "\n").filter { $0.hasPrefix("\t<key>") }
    #expect(outer == outer.sorted() && outer.count >= 6)
  }

  @Test func `a base other than the original has another base version`() async throws {
    try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    try await EditorB.edit(photo.store, "one")
    let bytes = Data(try photo.bytes("photo.jpg.aae"))
    #expect(try PropertyListDecoder().decode(AAE.self, from: bytes).adjustmentBaseVersion != 0)
  }

  private func list() throws -> PropertyList {
    try PropertyList(bytes: try photo.bytes("photo.jpg.aae"))
  }

  private func store(_ list: PropertyList) throws {
    try photo.temporary.write(try list.xml(), to: "photo.jpg.aae")
  }

  @Test func `unknown keys survive every change`() async throws {
    try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    var list = try list()
    let external: [String: PropertyListValue] = [
      "adjustmentRenderTypes": .integer(3), "com.example.flag": .bool(true),
      "com.example.off": .bool(false), "com.example.zero": .integer(0),
      "com.example.one": .integer(1), "com.example.negative": .integer(-7),
      "com.example.real": .real(0.5), "com.example.data": .data(Data([0, 1, 255])),
      "com.example.date": .date(Date(timeIntervalSince1970: 1_500_000_000)),
      "com.example.text": .string("<&> \"é\" 😀\n\ttwo lines"), "com.example.empty": .string(""),
      "com.example.list": .array([.string("a"), .dictionary(["k": .array([])])]),
    ]
    list.values.merge(external) { $1 }
    try store(list)
    try await EditorB.edit(photo.store, "one")
    try await photo.store.undo()
    try await photo.store.revert()
    let after = try self.list()
    for (key, value) in external { #expect(after.values[key] == value, "\(key)") }
  }

  /// Changes that must be rejected and touch nothing.
  private func checkRefused(_ words: String..., comment: Comment? = nil) async throws {
    let files = try photo.inventory()
    let store = photo.store(force: true)
    for body: () async throws -> Void in [
      { _ = try store.state() }, { try await PhotoEditor(store).apply([Sepia(amount: 1)]) },
      { try await store.revert() }, { try await store.undo() }, { try await store.redo() },
    ] {
      let error = try await editingError(body)
      #expect(error?.code == .invalidResource, comment)
      #expect(error?.path == photo.path("photo.jpg.aae"), comment)
      for word in words { #expect(error?.message.contains(word) == true, comment) }
    }
    #expect(try photo.inventory() == files, comment)
  }

  @Test func `a newer format version is rejected and left unchanged`() async throws {
    try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    var list = try list()
    list.values["org.photoedit.layout"] = .integer(Int64(SidecarDocument.layout + 1))
    try store(list)
    try await checkRefused("newer version", "layout \(SidecarDocument.layout + 1)")
  }

  @Test func `a sidecar truncated anywhere is rejected and left unchanged`() async throws {
    try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    let whole = try photo.bytes("photo.jpg.aae")
    let rendering = try photo.digest("photo.edited.jpg")
    let end = whole.count - Array("</plist>\n".utf8).count
    for count in 0..<end {
      try photo.temporary.write(Array(whole[..<count]), to: "photo.jpg.aae")
      let error = try await editingError { _ = try photo.store.state() }
      #expect(error?.code == .invalidResource, "\(count) of \(whole.count) bytes")
    }
    for count in [0, 1, end / 2, end - 1] {
      try photo.temporary.write(Array(whole[..<count]), to: "photo.jpg.aae")
      try await checkRefused("damaged", comment: "\(count) bytes")
    }
    #expect(try photo.digest("photo.edited.jpg") == rendering)
    #expect(try photo.bytes("photo.jpg") == photo.original)
  }

  @Test(arguments: [
    "org.photoedit.originalDigest", "org.photoedit.revision", "org.photoedit.renderingPath",
    "org.photoedit.renderingDigest", "adjustmentData", "adjustmentFormatIdentifier",
    "adjustmentFormatVersion",
  ])
  func `a sidecar without a required key is rejected`(key: String) async throws {
    try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    var list = try list()
    list.values[key] = nil
    try store(list)
    try await checkRefused("damaged")
    list.values[key] = .bool(true)
    try store(list)
    try await checkRefused("damaged")
  }

  @Test func `an invalid journal is rejected`() async throws {
    try await EditorB.edit(photo.store, "one")
    var list = try list()
    list.values["org.photoedit.undo"] = .array([.string("no entry")])
    try store(list)
    try await checkRefused("journal")
  }

  @Test(
    arguments: [
      (5, true), (60, true), (70, false), (5_000, false), (100_000, false),
    ], ["", "<!--</array>-->", "<![CDATA[</array>]]>", "\n"])
  func `deep nesting is rejected without a crash`(
    level: (depth: Int, isAllowed: Bool), between: String
  ) async throws {
    try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    let whole = String(decoding: try photo.bytes("photo.jpg.aae"), as: UTF8.self)
    let nest =
      String(repeating: "<array>" + (level.isAllowed ? "" : between), count: level.depth)
      + String(repeating: "</array>", count: level.depth)
    let nested = whole.replacing(
      "<dict>\n", with: "<dict>\n<key>x</key>\(nest)\n", maxReplacements: 1)
    try photo.temporary.write(Array(nested.utf8), to: "photo.jpg.aae")
    let error = try await editingError { _ = try photo.store.state() }
    #expect((error == nil) == level.isAllowed)
    if !level.isAllowed { #expect(error?.code == .invalidResource) }
  }

  @Test(arguments: [
    "photo\u{1}.jpg", "a\u{1B}[31m.jpg", "line\nfeed.jpg", "return\r.jpg", "t\tb.jpg",
    "<&>\"'.jpg", "emoji😀.jpg", "e\u{301}.jpg", "\u{301}first.jpg", "-o.jpg", "..jpg", "photo",
    ".hidden.jpg", "a b.jpg ", "CON.jpg", "\u{202E}gpj.exe.jpg", "100%.jpg", "a.b.c.jpg",
  ])
  func `any name is accepted or is rejected before anything is written`(name: String) async throws {
    let photo = try PhotoFolder(as: "photo.tmp")
    let path = photo.path(name)
    #expect(rename(photo.photo, path) == 0)
    let before = try photo.inventory()
    let store = SidecarStore(path: path)
    let error = try await editingError { try await PhotoEditor(store).apply([Sepia(amount: 1)]) }
    guard error == nil else {
      #expect(error?.code == .changeNotSupported, "\(error?.description ?? "")")
      #expect(try photo.inventory() == before)
      return
    }
    let state = try store.state()
    #expect(state.isEdited)
    #expect(FileSystem.folder(of: state.current.path) == photo.temporary.path)
    try await EditorB.edit(store, "one")
    try await store.undo()
    #expect(try store.state().record == state.record)
    try await store.revert()
    #expect(try FileSystem.names(in: photo.temporary.path).filter { $0.contains("edited") } == [])
    #expect(try photo.litter() == [])
  }

  @Test(arguments: [225, 229, 230, 240, 244, 245, 251, 252, 255])
  func `long names work up to the limit of the file system`(count: Int) async throws {
    let photo = try PhotoFolder(as: "photo.tmp")
    let name = String(repeating: "n", count: count - 4) + ".jpg"
    #expect(rename(photo.photo, photo.path(name)) == 0)
    let before = try photo.inventory()
    let store = SidecarStore(path: photo.path(name))
    let error = try await editingError { try await PhotoEditor(store).apply([Sepia(amount: 1)]) }
    // "NAME.edited.jpg" is seven bytes longer, the sidecar four.
    if count + 7 <= 255 {
      #expect(error == nil)
      try await store.revert()
    } else {
      #expect(error?.file?.kind == .invalidDestination, "\(error?.description ?? "")")
      #expect(error?.message.contains("255") == true)
      #expect(try photo.inventory() == before)
    }
    let otherPath = SidecarStore(path: photo.path(name), rendering: photo.path("out.jpg"))
    let second = try await editingError {
      try await PhotoEditor(otherPath).apply([Sepia(amount: 1)])
    }
    #expect((second == nil) == (count + 4 <= 255), "\(second?.description ?? "")")
    #expect(try photo.litter() == [])
  }
}
