// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("JPEG decoding")
struct JPEGDecoderTests {
  private static let rgb = RowLayout(channels: .rgb)
  private static let gray = RowLayout(channels: .gray)

  @Test func `the header reports size, color and coding process`() throws {
    let bytes = FileBytes(JPEGFixture.progressive)
    let decoder = try JPEGDecoder(bytes)
    #expect(decoder.header.size == PixelSize(width: 40, height: 36))
    #expect(decoder.header.layout == Self.rgb)
    #expect(decoder.header.sourceColor == .ycbcr)
    #expect(decoder.header.bitsPerSample == 8)
    #expect(decoder.header.isProgressive)
    #expect(decoder.frame.mcuSize == PixelSize(width: 16, height: 16))
    #expect(decoder.frame.densityUnit == 0)
    #expect(try JPEGDecoder(FileBytes(JPEGFixture.arithmetic)).frame.isArithmetic)
    #expect(try JPEGDecoder(FileBytes(JPEGFixture.rgb)).frame.color == .rgb)
  }

  // The progressive file holds the coefficients of the plain one; the other two hold those of the
  // same image with the same quantization.
  @Test(arguments: [JPEGFixture.Process.progressive, .arithmetic])
  func `every coding process produces the same pixels`(process: JPEGFixture.Process) throws {
    let plain = try TestImage.decode(JPEGFixture.plain)
    let other = try TestImage.decode(process.bytes)
    #expect(other.image == plain.image)
    #expect(other.notices.isEmpty)
  }

  @Test(arguments: [1, 3, 16, 36, 1000])
  func `rows do not depend on the number requested at a time`(count: Int) throws {
    for bytes in [JPEGFixture.plain, JPEGFixture.scanByScan, JPEGFixture.cmyk] {
      let whole = try TestImage.decode(bytes, rowsPerCall: 64).image
      #expect(try TestImage.decode(bytes, rowsPerCall: count).image == whole)
    }
  }

  @Test func `reading after the last row returns no rows`() throws {
    let decoder = try JPEGDecoder(FileBytes(JPEGFixture.plain))
    var rows = [UInt8](repeating: 0, count: 120 * 40)
    let counts = try rows.withUnsafeMutableBytes { memory in
      let base = memory.baseAddress!
      return [
        try decoder.readRows(40, into: base, bytesPerRow: 120),
        try decoder.readRows(40, into: base, bytesPerRow: 120),
      ]
    }
    #expect(counts == [36, 0])
  }

  @Test func `padding after a row stays untouched`() throws {
    let decoder = try JPEGDecoder(FileBytes(JPEGFixture.cmyk))
    var rows = [UInt8](repeating: 7, count: 64 * 16)
    try rows.withUnsafeMutableBytes { memory in
      _ = try decoder.readRows(16, into: memory.baseAddress!, bytesPerRow: 64)
    }
    #expect((0..<16).allSatisfy { rows[$0 * 64 + 48..<$0 * 64 + 64].allSatisfy { $0 == 7 } })
  }

  @Test func `luma-only decoding returns the Y plane`() throws {
    let options = DecoderOptions(decodesLumaOnly: true)
    let color = try TestImage.decode(JPEGFixture.scanByScan).image
    let luma = try TestImage.decode(JPEGFixture.scanByScan, options).image
    #expect(luma.layout == Self.gray)
    for y in 0..<36 {
      for x in 0..<40 {
        let (r, g, b) = (
          color[x: x, y: y, channel: 0], color[x: x, y: y, channel: 1],
          color[x: x, y: y, channel: 2]
        )
        // Where no channel is clipped, the inverse of BT.601 recovers Y except for rounding.
        guard [r, g, b].allSatisfy({ (1...254).contains($0) }) else { continue }
        let y601 = 0.299 * Double(r) + 0.587 * Double(g) + 0.114 * Double(b)
        #expect(abs(y601 - Double(luma[x: x, y: y, channel: 0])) < 1.5)
      }
    }
    // An image without a Y plane ignores the option.
    #expect(try TestImage.decode(JPEGFixture.rgb, options).image.layout == Self.rgb)
    #expect(try TestImage.decode(JPEGFixture.cmyk, options).image.layout == Self.rgb)
  }

  @Test func `CMYK components become RGB, inverted with and without the Adobe marker`() throws {
    func first(_ bytes: [UInt8]) throws -> (rgb: [Int], notices: [DecoderWarning]) {
      let (image, notices) = try TestImage.decode(bytes)
      return ((0..<3).map { image[x: 8, y: 8, channel: $0] }, notices)
    }
    func isNear(_ a: [Int], _ b: [Double]) -> Bool {
      zip(a, b).allSatisfy { abs(Double($0) - $1) <= 2 }
    }
    let adobe = try markerOffset(0xEE, in: JPEGFixture.cmyk)
    let cmyk = try first(JPEGFixture.cmyk)
    #expect(isNear(cmyk.rgb, [183.2, 137.4, 91.6]))
    #expect(cmyk.notices.map(\.kind) == [.convertedWithoutProfile])

    var plain = JPEGFixture.cmyk
    plain.removeSubrange(adobe..<adobe + 16)
    #expect(try first(plain).rgb == cmyk.rgb)

    // Read as luma and chroma, the stored (204, 153, 102) are the CMY values (87.5, 41.0, 6.7).
    var ycck = JPEGFixture.cmyk
    ycck[adobe + 15] = 2
    #expect(try JPEGDecoder(FileBytes(ycck)).frame.color == .ycck)
    #expect(isNear(try first(ycck).rgb, [78.6, 36.9, 6.0]))
  }

  @Test func `JPEG processes that libjpeg cannot read are rejected by name`() throws {
    let frame = try markerOffset(0xC0, in: JPEGFixture.plain)
    func patched(_ change: (inout [UInt8]) -> Void) -> CodecError? {
      var bytes = JPEGFixture.plain
      change(&bytes)
      return codecError { _ = try JPEGDecoder(FileBytes(bytes)) }
    }
    #expect(patched { $0[frame + 4] = 12 } == .unsupported("a JPEG with 12 bits per sample"))
    #expect(patched { $0[frame + 1] = 0xC3 } == .unsupported("a lossless JPEG"))
    #expect(patched { $0[frame + 1] = 0xC5 } == .unsupported("a hierarchical JPEG"))
    #expect(patched { $0[frame + 1] = 0xF7 } == .unsupported("a JPEG-LS image"))
    let withoutHeight = patched {
      $0[frame + 5] = 0
      $0[frame + 6] = 0
    }
    #expect(withoutHeight?.description.contains("DNL") == true)
    let two = patched {
      $0.replaceSubrange(frame + 2..<frame + 4, with: [0, 14])
      $0[frame + 9] = 2
      $0.removeSubrange(frame + 16..<frame + 19)
    }
    #expect(two == .unsupported("a JPEG with 2 components"))
  }

  @Test func `a canceled decoder stops and reports the cancellation again`() throws {
    let options = DecoderOptions(isCancelled: { true })
    for bytes in [JPEGFixture.plain, JPEGFixture.progressive] {
      let decoder = try JPEGDecoder(FileBytes(bytes), options: options)
      var rows = [UInt8](repeating: 0, count: 120 * 36)
      for _ in 0..<2 {
        let error = codecError {
          try rows.withUnsafeMutableBytes {
            _ = try decoder.readRows(36, into: $0.baseAddress!, bytesPerRow: 120)
          }
        }
        #expect(error == .cancelled)
      }
    }
  }
}
