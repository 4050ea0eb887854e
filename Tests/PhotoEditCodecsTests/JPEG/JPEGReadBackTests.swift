// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import Testing

@Suite("JPEG round trip")
struct JPEGReadBackTests {
  typealias Fixture = JPEGScene

  static let samplings: [ChromaSampling] = [.s444, .s422, .s420]

  @Test(arguments: [1, 63, 64, 65, 127, 128, 129, 256, 257], samplings)
  func `bands encoded separately and joined equal a single encoding byte for byte`(
    height: Int, sampling: ChromaSampling
  ) throws {
    let image = Fixture.scene(width: 37, height: height)
    let settings = Fixture.settings(sampling: sampling)
    let bands = try Fixture.encode(image, settings, inBands: true)
    #expect(try bands == Fixture.encode(image, settings))
    let decoded = Decoding.decode(bands)
    #expect(decoded.image?.size == image.size)
    #expect(decoded.notices.isEmpty)
  }

  @Test func `gray bands are joined the same way`() throws {
    let image = Fixture.scene(width: 19, height: 131, channels: .gray)
    let settings = Fixture.settings(isGray: true)
    #expect(JPEGStripEncoder.bandHeight(settings) == 64)
    let bands = try Fixture.encode(image, settings, inBands: true)
    #expect(try bands == Fixture.encode(image, settings))
    #expect(try #require(Decoding.decode(bands).image).largestDifference(to: image) < 48)
  }

  @Test(arguments: samplings, [1, 50, 93, 100])
  func `the requested tables and sampling are read back`(
    sampling: ChromaSampling, quality: Int
  ) throws {
    let settings = Fixture.settings(quality: quality, sampling: sampling)
    let jpeg = try Fixture.encode(Fixture.scene(width: 40, height: 24), settings)
    let frame = try JPEGDecoder(FileBytes(jpeg)).frame
    #expect(frame.size == PixelSize(width: 40, height: 24))
    #expect(frame.tables == [settings.luma, settings.chroma, settings.chroma])
    #expect(frame.components.map(\.horizontalSampling) == [sampling.horizontal, 1, 1])
    #expect(frame.components.map(\.verticalSampling) == [sampling.vertical, 1, 1])
    #expect(frame.restartInterval == (40 + 8 * sampling.horizontal - 1) / (8 * sampling.horizontal))
    #expect(frame.color == .ycbcr)
    #expect(!frame.isProgressive && !frame.isArithmetic && !frame.hasAdobeMarker)
    #expect(frame.estimatedQuality == quality)
  }

  @Test func `tables that match no quality are also kept`() throws {
    let luma = QuantizationTable((1...64).map { UInt16($0 * 3) })
    let chroma = QuantizationTable((1...64).map { UInt16(256 - $0 * 4 + 3) })
    let settings = JPEGSettings(isGray: false, luma: luma, chroma: chroma, sampling: .s422)
    let jpeg = try Fixture.encode(Fixture.scene(width: 16, height: 16), settings)
    #expect(try JPEGDecoder(FileBytes(jpeg)).frame.tables == [luma, chroma, chroma])
  }

  @Test func `the decoded image is close to the original`() throws {
    let image = Fixture.scene(width: 61, height: 45)
    let jpeg = try Fixture.encode(image, Fixture.settings(quality: 100, sampling: .s444))
    #expect(try #require(Decoding.decode(jpeg).image).largestDifference(to: image) <= 4)
  }

  @Test func `metadata is written first and in order`() throws {
    let segments = [
      JPEGSegment(marker: 0xE1, payload: [1, 2, 3]), JPEGSegment(marker: 0xFE, payload: []),
    ]
    let jpeg = try Fixture.encode(
      Fixture.scene(width: 8, height: 8), Fixture.settings(), segments: segments)
    #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF, 0xE1, 0, 5, 1, 2, 3, 0xFF, 0xFE, 0, 2, 0xFF]))
    #expect(Decoding.decode(jpeg).notices.isEmpty)
  }

  @Test func `a segment too long for a JPEG is rejected`() {
    let segment = JPEGSegment(marker: 0xE1, payload: [UInt8](repeating: 0, count: 65_534))
    #expect(throws: CodecError.encoding("a segment of 65534 bytes (maximum: 65533)")) {
      try Fixture.encode(
        Fixture.scene(width: 8, height: 8), Fixture.settings(), segments: [segment])
    }
  }

  @Test func `more rows or columns than a JPEG can hold are rejected`() throws {
    let band = try Fixture.encode(Fixture.scene(width: 8, height: 8), Fixture.settings())
    #expect(throws: CodecError.encoding("JPEG height must be 1–65500 (found 65501)")) {
      try JPEGAssembler.join(
        bands: [band], size: PixelSize(width: 8, height: 65_501), segments: [])
    }
    let wide = ImageBuffer(
      size: PixelSize(width: 65_501, height: 1), layout: RowLayout(channels: .gray))
    #expect(throws: CodecError.self) {
      try Fixture.encode(wide, Fixture.settings(isGray: true))
    }
  }
}
