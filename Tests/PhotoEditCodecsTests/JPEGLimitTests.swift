// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("Limits")
struct JPEGLimitTests {
  private func jpeg(width: Int, height: Int, _ source: [UInt8] = JPEGFixture.plain) throws
    -> [UInt8]
  {
    var bytes = source
    let frame = try markerOffset(0xC0, in: bytes)
    bytes.replaceSubrange(
      frame + 5..<frame + 9,
      with: [
        UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255),
      ])
    return bytes
  }

  @Test func `a bomb is rejected from its header for its side or its pixel count`() throws {
    let wide = try jpeg(width: 65_501, height: 1)
    #expect(
      codecError { _ = try JPEGDecoder(FileBytes(wide)) }
        == .limitExceeded(.side, value: 65_501, allowed: 65_500))
    let large = try jpeg(width: 16_385, height: 16_384)
    #expect(
      codecError { _ = try JPEGDecoder(FileBytes(large)) }
        == .limitExceeded(.pixels, value: 16_385 * 16_384, allowed: 1 << 28))
    #expect(
      try JPEGDecoder(FileBytes(jpeg(width: 16_384, height: 16_384))).header.size.width == 16_384)
  }

  @Test func `caller-provided limits are exact to the pixel`() throws {
    let bytes = FileBytes(JPEGFixture.plain)
    func open(_ limits: ImageLimits) -> CodecError? {
      codecError { _ = try ImageDecoders.open(bytes, options: DecoderOptions(limits: limits)) }
    }
    #expect(open(ImageLimits(maximumPixels: 1440)) == nil)
    #expect(
      open(ImageLimits(maximumPixels: 1439)) == .limitExceeded(.pixels, value: 1440, allowed: 1439))
    #expect(open(ImageLimits(maximumSide: 40)) == nil)
    #expect(open(ImageLimits(maximumSide: 39)) == .limitExceeded(.side, value: 40, allowed: 39))
  }

  @Test func `decoding stops at the first scan over the limit`() throws {
    func decode(_ scans: Int) -> CodecError? {
      let options = DecoderOptions(limits: ImageLimits(maximumScans: scans))
      return codecError { _ = try TestImage.decode(JPEGFixture.progressive, options) }
    }
    #expect(decode(10) == nil)
    #expect(decode(9) == .limitExceeded(.scans, value: 10, allowed: 9))
  }

  @Test func `a scan bomb is stopped`() throws {
    // Repeats the last scan of the progressive file.
    let bytes = JPEGFixture.progressive
    let last = try #require(
      (0..<bytes.count - 1).last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    var bomb = Array(bytes.dropLast(2))
    for _ in 0..<600 { bomb += bytes[last..<bytes.count - 2] }
    let options = DecoderOptions(isLenient: true)
    let error = codecError { _ = try TestImage.decode(bomb + [0xFF, 0xD9], options) }
    #expect(error == .limitExceeded(.scans, value: 501, allowed: 500))
  }

  @Test(arguments: [
    (PixelSize(width: 40, height: 36), 500), (PixelSize(width: 4032, height: 3024), 500),
    (PixelSize(width: 16_384, height: 16_384), 64),
  ])
  func `large images are allowed fewer scans`(size: PixelSize, scans: Int) {
    #expect(ImageLimits().scans(for: size) == scans)
  }

  @Test func `a PNG decompression bomb is rejected from its header`() throws {
    var bytes = try PNGEncoder.encode(TestImage.make(8, 8))
    bytes.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xDD, 0, 0, 0, 1])
    #expect(
      codecError { _ = try PNGDecoder(FileBytes(bytes)) }
        == .limitExceeded(.side, value: 65_501, allowed: 65_500))
    bytes.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    #expect(
      codecError { _ = try PNGDecoder(FileBytes(bytes)) }
        == .limitExceeded(.side, value: 0x7FFF_FFFF, allowed: 65_500))
  }
}
