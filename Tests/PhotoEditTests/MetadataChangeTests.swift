// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

/// Another program tags an original that is edited by photoedit.
@Suite("Originals with new metadata")
struct MetadataChangeTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  /// The photo with a comment, as added by another program.
  private func tagged(_ text: String) -> [UInt8] {
    let comment = Array(text.utf8)
    return photo.original[..<2] + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment
      + photo.original[2...]
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try photo.bytes(name), as: UTF8.self)
  }

  private func apply() async throws -> PhotoEditor.Outcome {
    try await PhotoEditor(photo.store).apply([Exposure(ev: 0.25)])
  }

  @Test func `the edit is resumed, the journal works, and the sidecar is updated`() async throws {
    let first = try await apply()
    try await EditorB.edit(photo.store(rendering: "b.jpg"), "one")
    try await photo.store.undo()
    let bytes = tagged("five stars")
    try photo.temporary.write(bytes, to: "photo.jpg")
    let beginning = try PhotoEditor(photo.store).begin()
    #expect(beginning.input.hasNewMetadata && beginning.graph == first.graph)
    let second = try await apply()
    #expect(second.kind == .resumed && second.state.original.digest == SHA256Digest(of: bytes))
    #expect(try text("photo.edited.jpg").contains("five stars"))
    #expect(try !PhotoEditor(photo.store).begin().input.hasNewMetadata)
    let undone = try await photo.store.undo()
    #expect(undone.record?.adjustment == first.state.record?.adjustment)
    #expect(undone.original.digest == SHA256Digest(of: bytes))
    // Undo restores the previous bytes.
    #expect(SHA256Digest(of: try photo.bytes("photo.edited.jpg")) == first.state.record?.current)
    try photo.temporary.write(tagged("one star"), to: "photo.jpg")
    #expect(try await photo.store.redo().record?.adjustment == second.state.record?.adjustment)
    #expect(try await photo.store.revert().isEdited == false)
    #expect(!photo.exists("photo.edited.jpg"))
    #expect(try photo.bytes("photo.jpg") == tagged("one star"))
  }

  @Test func `a rendering is still recognized when its photo is tagged`() async throws {
    _ = try await PhotoEditor(photo.store(rendering: "mine.jpg")).apply([Sepia(amount: 1)])
    try photo.temporary.write(tagged("five stars"), to: "photo.jpg")
    #expect(try await apply().state.current.path == photo.path("mine.jpg"))
  }

  @Test func `other pixels, and edits of an earlier version, are rejected`() async throws {
    _ = try await apply()
    let quantization = try #require(
      photo.original.indices.dropLast().first {
        photo.original[$0] == 0xFF && photo.original[$0 + 1] == 0xDB
      })
    var other = photo.original
    other[quantization + 6] += 1
    try photo.temporary.write(other, to: "photo.jpg")
    #expect(try await editingError { _ = try await apply() }?.code == .invalidResource)
    #expect(try await editingError { try await photo.store.undo() }?.code == .invalidResource)

    var list = try PropertyList(bytes: try photo.bytes("photo.jpg.aae"))
    #expect(list.values.removeValue(forKey: "org.photoedit.originalPixelDigest") != nil)
    try photo.temporary.write(try list.xml(), to: "photo.jpg.aae")
    try photo.temporary.write(tagged("five stars"), to: "photo.jpg")
    let error = try await editingError { _ = try await apply() }
    #expect(error?.code == .invalidResource && error?.hint?.contains("--accept-original") == true)
    let accepting = photo.store(replacing: true)
    let outcome = try await PhotoEditor(accepting).apply([Sepia(amount: 1)])
    #expect(outcome.kind == .resumed && outcome.graph.nodes.count == 2)
    try photo.temporary.write(tagged("four stars"), to: "photo.jpg")
    #expect(try await apply().kind == .resumed)
  }

  @Test func `an edit of an earlier version records the pixel digest with its next commit`()
    async throws
  {
    _ = try await apply()
    var list = try PropertyList(bytes: try photo.bytes("photo.jpg.aae"))
    list.values["org.photoedit.originalPixelDigest"] = nil
    try photo.temporary.write(try list.xml(), to: "photo.jpg.aae")
    _ = try await apply()
    try photo.temporary.write(tagged("five stars"), to: "photo.jpg")
    #expect(try await apply().kind == .resumed)
  }
}

@Suite("Pixel digests")
struct PixelDigestTests {
  @Test(arguments: [
    "jpeg-17x31.jpg", "inputs/png-rgb-8.png",
  ])
  func `the pixel digest does not depend on surrounding bytes`(name: String) throws {
    let bytes = try TestImages.bytes(name)
    let digest = try #require(PixelDigest.digest(of: FileBytes(bytes)))
    // Programs may append any data after the image.
    let longer = FileBytes(bytes + Array("appended".utf8))
    #expect(PixelDigest.digest(of: longer) == digest)
    // Any other byte of the coded image counts.
    var other = bytes
    other[other.count - 20] ^= 1
    #expect(PixelDigest.digest(of: FileBytes(other)) != digest)
    #expect(PixelDigest.digest(of: FileBytes(Array("no image".utf8))) == nil)
  }
}
