// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Every failure leaves each file unchanged and the output usable.
@Suite("Rejected commits")
struct RefusalTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  /// A rendering that must be rejected, and the message.
  struct BadRendering: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]?
    var code: EditingError.Code
    var words: [String]

    var testDescription: String { name }
  }

  static func badRenderings() throws -> [BadRendering] {
    let good = try TestImages.bytes("jpeg-17x31.jpg")
    let heic = [0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 0, count: 600)
    let sideways =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
      + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
      + "xmlns:tiff='http://ns.adobe.com/tiff/1.0/' tiff:Orientation='6'/></rdf:RDF></x:xmpmeta>"
    let xmp = Array("http://ns.adobe.com/xap/1.0/".utf8) + [0] + Array(sideways.utf8)
    let length = xmp.count + 2
    let onlyXMP =
      good[..<2] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + xmp + good[2...]
    return [
      .init(
        name: "nothing written", bytes: nil, code: .missingResource,
        words: ["rendered.jpg", "no rendering was written"]),
      .init(name: "zero bytes", bytes: [], code: .invalidResource, words: ["rendered.jpg"]),
      .init(
        name: "PNG", bytes: try TestImages.bytes("png-rgb-8.png"), code: .invalidResource,
        words: ["rendered.jpg", "expected public.jpeg", "found public.png"]),
      .init(
        name: "HEIC", bytes: heic, code: .invalidResource,
        words: ["rendered.jpg"]),
      .init(
        name: "text", bytes: Array("this is no picture".utf8), code: .invalidResource,
        words: ["rendered.jpg"]),
      .init(
        name: "half a JPEG", bytes: Array(good[..<(good.count * 3 / 4)]), code: .invalidResource,
        words: ["rendered.jpg", "cannot be decoded"]),
      .init(
        name: "a JPEG's first bytes", bytes: Array(good[..<20]), code: .invalidResource,
        words: ["rendered.jpg"]),
      .init(
        name: "EXIF orientation 6", bytes: try TestImages.bytes("orientation-6.jpg"),
        code: .invalidResource, words: ["orientation 6", "must be up"]),
      .init(
        name: "XMP orientation 6", bytes: Array(onlyXMP), code: .invalidResource,
        words: ["orientation 6", "must be up"]),
    ]
  }

  /// The files without those of outputs, which are removed with the last reference to an output.
  private func filesWithoutStaging() throws -> [String: String] {
    try photo.inventory().filter { !$0.key.contains(".photoedit-") }
  }

  @Test(arguments: try badRenderings())
  func `an unacceptable rendering changes nothing`(bad: BadRendering) async throws {
    try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    try await EditorB.edit(photo.store, "one")
    let files = try filesWithoutStaging()
    let output = try await photo.store.editingOutput(for: try await EditorB.input(photo.store))
    output.adjustmentData = try EditorB.data("two")
    if let bytes = bad.bytes { try Data(bytes).write(to: output.renderedContentURL) }
    let error = try await editingError { try await photo.store.commit(output) }
    #expect(error?.code == bad.code)
    for word in bad.words {
      #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
    }
    #expect(try filesWithoutStaging() == files)
    // The output is still usable.
    try Data(try EditorB.rendering("two")).write(to: output.renderedContentURL)
    let state = try await photo.store.commit(output)
    #expect(state.record?.current == SHA256Digest(of: try EditorB.rendering("two")))
  }

  private func readyOutput(_ text: String = "one") async throws -> EditingOutput {
    let output = try await photo.store.editingOutput(for: try await EditorB.input(photo.store))
    try Data(try EditorB.rendering(text)).write(to: output.renderedContentURL)
    return output
  }

  @Test func `missing adjustment data is rejected`() async throws {
    let output = try await readyOutput()
    let error = try await editingError { try await photo.store.commit(output) }
    #expect(error?.code == .changeNotSupported)
    #expect(error?.hint?.contains("adjustmentData") == true)
    output.adjustmentData = try EditorB.data("one")
    #expect(try await photo.store.commit(output).isEdited)
  }

  @Test(arguments: [
    ("id", "1", 0, false), ("", "1", 1, false), ("id", "", 1, false), ("id", "1", 1, true),
    ("id", "1", 2 << 20, true), ("id", "1", 2 << 20 + 1, false),
    (String(repeating: "é", count: 512), "1", 1, true),
    (String(repeating: "é", count: 512) + "x", "1", 1, false),
    ("id", String(repeating: "1", count: 1025), 1, false),
  ])
  func `limits of adjustment data are exact to the byte`(
    identifier: String, version: String, count: Int, isAllowed: Bool
  ) async throws {
    let error = try await editingError {
      _ = try AdjustmentData(
        formatIdentifier: identifier, formatVersion: version, data: Data(count: count))
    }
    #expect((error == nil) == isAllowed)
    if !isAllowed { #expect(error?.code == .changeNotSupported) }
  }

  @Test func `data of the maximum size is returned unchanged`() async throws {
    let data = Data(
      (0..<AdjustmentData.maximumDataLength).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let output = try await readyOutput()
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: EditorB.identifier, formatVersion: "1", data: data)
    try await photo.store.commit(output)
    #expect(try await EditorB.input(photo.store).adjustmentData?.data == data)
  }

  @Test func `an output is committed once`() async throws {
    let output = try await readyOutput()
    output.adjustmentData = try EditorB.data("one")
    try await photo.store.commit(output)
    let files = try photo.inventory()
    let error = try await editingError { try await photo.store.commit(output) }
    #expect(error?.code == .changeNotSupported)
    #expect(error?.message.contains("already committed") == true)
    #expect(try photo.inventory() == files)
  }

  @Test func `the output of one photo is rejected by another`() async throws {
    let other = try PhotoFolder()
    let output = try await readyOutput()
    output.adjustmentData = try EditorB.data("one")
    let files = try other.inventory()
    let error = try await editingError { try await other.store.commit(output) }
    #expect(error?.code == .changeNotSupported)
    #expect(error?.description.contains(photo.photo) == true)
    #expect(error?.description.contains(other.photo) == true)
    #expect(try other.inventory() == files)
    #expect(try await photo.store.commit(output).isEdited)
  }

  @Test func `photos whose names only look the same are two photos`() async throws {
    let composed = photo.path("caf\u{E9}.jpg")
    let decomposed = photo.path("cafe\u{301}.jpg")
    for path in [composed, decomposed] { try Data(photo.original).write(to: URL(filePath: path)) }
    let store = SidecarStore(path: composed)
    let output = try await store.editingOutput(for: try await store.editingInput())
    let error = try await editingError {
      try await SidecarStore(path: decomposed).commit(output)
    }
    #expect(error?.code == .changeNotSupported)
  }

  @Test func `a concurrent edit takes precedence, and the output can be used later`() async throws {
    let output = try await readyOutput()
    output.adjustmentData = try EditorB.data("late")
    try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    let files = try filesWithoutStaging()
    let error = try await editingError { try await photo.store.commit(output) }
    #expect(error?.code == .operationInterrupted)
    #expect(error?.message.contains("edited by another process") == true)
    #expect(try filesWithoutStaging() == files)
    #expect(try Data(contentsOf: output.renderedContentURL) == Data(try EditorB.rendering("one")))
  }

  @Test func `a photo changed since the session began is not recorded as edited`() async throws {
    let output = try await readyOutput()
    output.adjustmentData = try EditorB.data("one")
    try photo.temporary.write(try TestImages.bytes("jpeg-1x17.jpg"), to: "photo.jpg")
    let error = try await editingError { try await photo.store.commit(output) }
    #expect(error?.code == .operationInterrupted)
    #expect(error?.message.contains(photo.digest.hex) == true)
    #expect(!photo.exists("photo.jpg.aae") && !photo.exists("photo.edited.jpg"))
  }

  @Test func `an output survives a failure after the rendering was moved`() async throws {
    let output = try await readyOutput()
    output.adjustmentData = try EditorB.data("one")
    // A folder at the sidecar's path fails late, when everything else is prepared.
    try FileManager.default.createDirectory(
      atPath: photo.path("photo.jpg.aae/x"), withIntermediateDirectories: true)
    let files = try photo.inventory()
    let error = try await editingError {
      _ = try photo.store.perform(
        .edit(
          staged: output.renderedContentURL.path,
          EditRecord(
            base: nil, current: SHA256Digest(of: try! EditorB.rendering("one")),
            adjustment: try EditorB.data("one"), date: Date(timeIntervalSince1970: 0), editor: "b",
            renderSettings: nil), .first), expecting: "none:")
    }
    #expect(error != nil)
    #expect(try photo.inventory() == files)
    try FileManager.default.removeItem(atPath: photo.path("photo.jpg.aae"))
    #expect(try await photo.store.commit(output).isEdited)
  }

  @Test func `an abandoned session leaves no files`() async throws {
    let files = try photo.inventory()
    do {
      let output = try await readyOutput()
      #expect(try photo.litter().count == 2)
      _ = output.adjustmentData
    }
    #expect(try photo.inventory() == files)
  }

  @Test func `the files of a killed session are removed by the next one`() async throws {
    let folder = photo.path(".photoedit-staging-AbCdEf")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data([1]).write(to: URL(filePath: folder + "/rendered.jpg"))
    try await EditorB.edit(photo.store, "one")
    #expect(try photo.litter() == [])
  }
}
