// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Rejected JPEGs")
struct JPEGRefusalTests {
  typealias Fixture = JPEGScene

  @Test(arguments: [
    (0xC3, "a lossless JPEG"), (0xC5, "a hierarchical JPEG"), (0xC6, "a hierarchical JPEG"),
    (0xC7, "a hierarchical JPEG"), (0xCB, "a lossless JPEG"), (0xCD, "a hierarchical JPEG"),
    (0xCF, "a hierarchical JPEG"), (0xDE, "a hierarchical JPEG"), (0xF7, "a JPEG-LS image"),
  ])
  func `other coding processes are rejected by name`(marker: Int, name: String) throws {
    var bytes = try TestImages.bytes("photo-64.jpg")
    bytes[try Fixture.segment(0xC0, of: bytes).lowerBound + 1] = UInt8(marker)
    #expect(throws: CodecError.unsupported(name)) { try ImageDecoders.open(FileBytes(bytes)) }
  }

  /// A file with another size in its header.
  private func resized(_ width: Int, _ height: Int) throws -> FileBytes {
    var bytes = try TestImages.bytes("photo-64.jpg")
    let start = try Fixture.segment(0xC0, of: bytes).lowerBound
    bytes.replaceSubrange(
      start + 5..<start + 9,
      with: [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) })
    return FileBytes(bytes)
  }

  @Test func `sizes over the limits are rejected before allocation`() throws {
    let bytes = try resized(16_385, 16_384)
    let wide = try resized(65_501, 1)
    let bomb = try FileBytes(TestImages.bytes("malformed/jpeg-bomb.jpg"))
    #expect(
      throws: CodecError.limitExceeded(.pixels, value: 16_385 * 16_384, allowed: 1 << 28)
    ) { try ImageDecoders.open(bytes) }
    #expect(throws: CodecError.limitExceeded(.side, value: 65_501, allowed: 65_500)) {
      try ImageDecoders.open(wide)
    }
    #expect(throws: CodecError.self) { try ImageDecoders.open(bomb) }
    // The limits themselves are allowed; opening allocates nothing yet.
    #expect(try ImageDecoders.open(resized(16_384, 16_384)).header.size.pixelCount == 1 << 28)
    #expect(try ImageDecoders.open(resized(65_500, 4)).header.size.width == 65_500)
  }

  @Test func `sampling factors without an integer ratio are rejected by name`() throws {
    var bytes = try TestImages.bytes("jpeg-444.jpg")
    let frame = try Fixture.segment(0xC0, of: bytes).lowerBound
    bytes[frame + 11] = 0x31
    bytes[frame + 14] = 0x21
    let error = #expect(throws: CodecError.self) {
      try ImageDecoders.open(FileBytes(bytes)).readToEnd()
    }
    guard case .unsupported? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a failed decoder fails again`() throws {
    for name in ["malformed/jpeg-truncated.jpg", "malformed/jpeg-truncated-progressive.jpg"] {
      let decoder = try ImageDecoders.open(FileBytes(TestImages.bytes(name)))
      let first = #expect(throws: CodecError.self) { try decoder.readToEnd() }
      for _ in 0..<3 {
        let again = #expect(throws: CodecError.self) { try decoder.readToEnd() }
        #expect(again == first)
      }
    }
  }
}
