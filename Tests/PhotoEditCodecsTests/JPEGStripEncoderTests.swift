// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("JPEG encoding in bands")
struct JPEGStripEncoderTests {
  static let samplings: [ChromaSampling] = [.s444, .s422, .s420, .s440, .s411]
  static let sizes = [(1, 1), (7, 5), (8, 8), (17, 33), (40, 9), (100, 3)]

  @Test(arguments: samplings, sizes)
  func `every sampling and size round-trips`(sampling: ChromaSampling, size: (Int, Int)) throws {
    // Flat color, because subsampling blurs anything else.
    var image = ImageBuffer(
      size: PixelSize(width: size.0, height: size.1), layout: RowLayout(channels: .rgb))
    for i in image.bytes.indices { image.bytes[i] = [200, 90, 40][i % 3] }
    let bytes = try TestImage.jpeg(image, JPEGSettings(quality: 95, sampling: sampling))
    let (decoded, notices) = try TestImage.decode(bytes)
    #expect(TestImage.distance(decoded, image) <= 3)
    #expect(notices.isEmpty)
    let frame = try JPEGDecoder(FileBytes(bytes)).frame
    #expect(frame.components[0].horizontalSampling == sampling.horizontal)
    #expect(frame.components[0].verticalSampling == sampling.vertical)
    let perRow = (size.0 + frame.mcuSize.width - 1) / frame.mcuSize.width
    #expect(frame.restartInterval == perRow)
  }

  @Test func `detail survives at quality 100`() throws {
    let image = TestImage.make(50, 41)
    let settings = JPEGSettings(quality: 100, sampling: .s444)
    let decoded = try TestImage.decode(try TestImage.jpeg(image, settings)).image
    #expect(TestImage.distance(decoded, image) <= 4)
    let gray = TestImage.make(50, 41, .gray)
    let bytes = try TestImage.jpeg(gray, JPEGSettings(quality: 100, isGray: true))
    #expect(TestImage.distance(try TestImage.decode(bytes).image, gray) <= 2)
  }

  @Test(arguments: samplings)
  func `joined bands equal a single band byte for byte`(sampling: ChromaSampling) throws {
    let settings = JPEGSettings(quality: 80, sampling: sampling)
    let band = JPEGStripEncoder.bandHeight(settings)
    #expect(band == 64 * sampling.vertical)
    let image = TestImage.make(37, 2 * band + 21)
    let serial = try TestImage.jpeg(image, settings)
    for bands in [1, 2] {
      let joined = try TestImage.jpeg(image, settings, rowsPerBand: bands * band)
      #expect(joined == serial, "\(bands) bands at once")
    }
    #expect(try TestImage.decode(serial).notices.isEmpty)
  }

  @Test func `four gray bands are joined correctly`() throws {
    let settings = JPEGSettings(quality: 80, isGray: true)
    let image = TestImage.make(19, 4 * 64 - 3, .gray)
    let serial = try TestImage.jpeg(image, settings)
    #expect(try TestImage.jpeg(image, settings, rowsPerBand: 64) == serial)
  }

  @Test func `RGB rows with gray settings encode luma`() throws {
    let image = TestImage.make(24, 24)
    let bytes = try TestImage.jpeg(image, JPEGSettings(quality: 100, isGray: true))
    let decoded = try TestImage.decode(bytes).image
    #expect(decoded.layout.channels == .gray)
    let (r, g, b) = (
      image[x: 3, y: 4, channel: 0], image[x: 3, y: 4, channel: 1], image[x: 3, y: 4, channel: 2]
    )
    let luma = 0.299 * Double(r) + 0.587 * Double(g) + 0.114 * Double(b)
    #expect(abs(Double(decoded[x: 3, y: 4, channel: 0]) - luma) <= 2)
  }

  @Test func `JFIF is written once and first, and other segments keep their order`() throws {
    let image = TestImage.make(8, 8)
    let exif = JPEGSegment(marker: 0xE1, payload: Array("Exif\0\0abc".utf8))
    let comment = JPEGSegment(marker: 0xFE, payload: [1, 2, 3])
    let bytes = try TestImage.jpeg(
      image, JPEGSettings(quality: 80), segments: [exif, comment])
    #expect(Array(bytes[2..<6]) == [0xFF, 0xE0, 0, 16])
    #expect(Array(bytes[20..<33]) == [0xFF, 0xE1, 0, 11] + exif.payload)
    #expect(Array(bytes[33..<40]) == [0xFF, 0xFE, 0, 5, 1, 2, 3])
    let jfif = JPEGSegment(
      marker: 0xE0, payload: Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72, 0, 0])
    let own = try TestImage.jpeg(image, JPEGSettings(quality: 80), segments: [exif, jfif])
    let frame = try JPEGDecoder(FileBytes(own)).frame
    #expect(Array(own[2..<4]) == [0xFF, 0xE1])
    #expect(frame.densityUnit == 1 && frame.densityX == 72 && frame.densityY == 72)
  }

  @Test func `a coarse 16-bit quantization table is preserved`() throws {
    let table = QuantizationTable((0..<64).map { UInt16(200 + 10 * $0) })
    let settings = JPEGSettings(isGray: false, luma: table, chroma: table, sampling: .s420)
    let bytes = try TestImage.jpeg(TestImage.make(32, 160), settings, rowsPerBand: 128)
    #expect(try JPEGDecoder(FileBytes(bytes)).frame.tables == [table, table, table])
    #expect(try TestImage.decode(bytes).notices.isEmpty)
  }

  @Test func `unsupported sizes and layouts are rejected`() throws {
    let image = TestImage.make(16, 16)
    func error(_ settings: JPEGSettings, width: Int = 16, layout: RowLayout? = nil) -> String {
      let encoder = JPEGStripEncoder(width: width, settings: settings)
      let memory = [UInt8](repeating: 0, count: 65_600 * 8)
      let error = codecError {
        try memory.withUnsafeBytes {
          _ = try encoder.encode(
            rows: 1, layout: layout ?? image.layout, from: $0.baseAddress!,
            bytesPerRow: memory.count)
        }
      }
      return error?.description ?? ""
    }
    let plain = JPEGSettings(quality: 80)
    let square = ChromaSampling(horizontal: 4, vertical: 4)
    #expect(error(JPEGSettings(quality: 80, sampling: square)).contains("4×4"))
    #expect(error(plain, width: 65_501).contains("65501"))
    #expect(error(plain, width: 0).contains("0"))
    #expect(error(plain, layout: RowLayout(channels: .gray)).contains("gray"))
    #expect(error(plain, layout: RowLayout(channels: .rgba)).contains("alpha"))
    #expect(error(plain, layout: RowLayout(channels: .rgb, bytesPerSample: 2)).contains("8-bit"))
  }

  @Test func `bands that do not fit together are rejected`() throws {
    let image = TestImage.make(16, 64)
    let bytesPerRow = 48
    func band(_ rows: Int, quality: Int = 80) throws -> [UInt8] {
      let encoder = JPEGStripEncoder(
        width: 16, settings: JPEGSettings(quality: quality, sampling: .s444))
      return try image.bytes.withUnsafeBytes {
        try encoder.encode(
          rows: rows, layout: image.layout, from: $0.baseAddress!, bytesPerRow: bytesPerRow)
      }
    }
    func join(_ bands: [[UInt8]], height: Int) -> String {
      codecError {
        _ = try JPEGAssembler.join(bands: bands, size: PixelSize(width: 16, height: height))
      }?.description ?? ""
    }
    #expect(try join([band(64), band(8)], height: 72) == "")
    #expect(try join([band(64), band(8)], height: 73).contains("16×72"))
    #expect(try join([band(56), band(8)], height: 64).contains("multiple of eight"))
    #expect(try join([band(64), band(8, quality: 70)], height: 72).contains("band 1"))
    #expect(join([], height: 1).contains("no bands"))
    #expect(join([[0xFF, 0xD8, 0xFF, 0xD9]], height: 1).contains("not a JPEG"))
    let long = JPEGSegment(marker: 0xE1, payload: [UInt8](repeating: 0, count: 65_534))
    let error = codecError {
      _ = try TestImage.jpeg(image, JPEGSettings(quality: 80), segments: [long])
    }
    #expect(error?.description.contains("65534") == true)
  }
}
