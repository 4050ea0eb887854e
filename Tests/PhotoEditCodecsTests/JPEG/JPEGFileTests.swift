// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("JPEG files of every type")
struct JPEGFileTests {
  typealias Fixture = JPEGScene

  @Test func `every JPEG test image opens completely`() throws {
    let entries = try TestImages.inputs().filter { $0.name.hasSuffix(".jpg") }
    #expect(entries.count > 30)
    for entry in entries {
      let decoding = try Decoding.decode(entry.bytes())
      let image = try #require(decoding.image, "\(entry): \(String(describing: decoding.error))")
      #expect(image.size.width == entry.width && image.size.height == entry.height, "\(entry)")
      #expect(decoding.recoveredRows == entry.height, "\(entry)")
    }
  }

  @Test(arguments: [
    ("jpeg-gray.jpg", SourceColor.gray, ChannelLayout.gray), ("jpeg-rgb.jpg", .rgb, .rgb),
    ("jpeg-444.jpg", .ycbcr, .rgb), ("jpeg-cmyk.jpg", .cmyk, .rgb),
    ("jpeg-cmyk-no-adobe.jpg", .cmyk, .rgb), ("jpeg-ycck.jpg", .ycck, .rgb),
  ])
  func `the header reports the color types of the file and of the rows`(
    name: String, color: SourceColor, channels: ChannelLayout
  ) throws {
    let header = try ImageDecoders.open(FileBytes(TestImages.bytes(name))).header
    #expect(header.sourceColor == color)
    #expect(header.layout == RowLayout(channels: channels))
    #expect(header.bitsPerSample == 8)
    #expect(header.format == .jpeg)
  }

  @Test(arguments: [
    ("jpeg-411.jpg", 4, 1), ("jpeg-422.jpg", 2, 1), ("jpeg-440.jpg", 1, 2), ("jpeg-444.jpg", 1, 1),
  ])
  func `every subsampling shows the same image`(name: String, h: Int, v: Int) throws {
    let decoder = try JPEGDecoder(FileBytes(TestImages.bytes(name)))
    #expect(decoder.frame.components[0].horizontalSampling == h)
    #expect(decoder.frame.components[0].verticalSampling == v)
    let image = try #require(Decoding.decode(TestImages.bytes(name)).image)
    let best = try #require(Decoding.decode(TestImages.bytes("jpeg-444.jpg")).image)
    let total = zip(image.bytes, best.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(total < 6 * image.bytes.count)
  }

  @Test(arguments: ["jpeg-progressive.jpg", "jpeg-restart.jpg", "jpeg-arithmetic.jpg"])
  func `the same coefficients in another coding give the same pixels`(name: String) throws {
    let bytes = try TestImages.bytes(name)
    let image = try #require(Decoding.decode(bytes).image)
    // Rewritten as baseline from its coefficients.
    let transform = JPEGCoefficientTransform(
      orientation: .up, crop: Region(image.size), chroma: .keep)
    let baseline = try transform.run(FileBytes(bytes)).bytes
    #expect(Decoding.decode(baseline).image == image)
    let frame = try JPEGDecoder(FileBytes(baseline)).frame
    #expect(!frame.isProgressive && !frame.isArithmetic)
  }

  // MARK: CMYK

  @Test func `CMYK with and without the Adobe marker gives the same RGB`() throws {
    let adobe = try #require(Decoding.decode(TestImages.bytes("jpeg-cmyk.jpg")).image)
    let plain = try #require(Decoding.decode(TestImages.bytes("jpeg-cmyk-no-adobe.jpg")).image)
    let ycck = try #require(Decoding.decode(TestImages.bytes("jpeg-ycck.jpg")).image)
    #expect(adobe == plain)
    let total = zip(adobe.bytes, ycck.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(total < 8 * adobe.bytes.count)
    // An image and its negative are distinguished.
    let negative = zip(adobe.bytes, plain.bytes).reduce(0) { $0 + abs(255 - Int($1.0) - Int($1.1)) }
    #expect(negative > 30 * adobe.bytes.count)
  }

  @Test func `converting a CMYK image to RGB reports a notice`() throws {
    let notices = try Decoding.decode(TestImages.bytes("jpeg-cmyk.jpg")).notices
    #expect(notices.map(\.kind) == [.convertedWithoutProfile])
    #expect(try Decoding.decode(TestImages.bytes("jpeg-rgb.jpg")).notices.isEmpty)
  }

  @Test func `CMYK components do not depend on the Adobe marker`() throws {
    var options = DecoderOptions()
    options.deliversCMYK = true
    let images = try ["jpeg-cmyk.jpg", "jpeg-cmyk-no-adobe.jpg"].map {
      try ImageDecoders.decode(FileBytes(TestImages.bytes($0)), options: options)
    }
    #expect(images[0] == images[1])
    // No colorant is white.
    let rgb = try #require(Decoding.decode(TestImages.bytes("jpeg-cmyk-no-adobe.jpg")).image)
    for pixel in 0..<rgb.size.pixelCount {
      let black = 255 - Int(images[1].bytes[4 * pixel + 3])
      let red = (255 - Int(images[1].bytes[4 * pixel])) * black
      #expect(Int(rgb.bytes[3 * pixel]) == (red + 127) / 255)
    }
  }

  // MARK: Oddities

  @Test(arguments: ["jpeg-extraneous-bytes.jpg"])
  func `stray bytes are a notice`(name: String) throws {
    let decoding = try Decoding.decode(TestImages.bytes(name))
    #expect(decoding.notices.map(\.kind) == [.harmless])
    #expect(decoding.image == (try Decoding.decode(TestImages.bytes("jpeg-comment.jpg")).image))
  }

  @Test(arguments: ["jpeg-trailing-bytes.jpg", "jpeg-unknown-app.jpg", "jpeg-comment.jpg"])
  func `bytes after the end and unknown segments change nothing`(name: String) throws {
    let decoding = try Decoding.decode(TestImages.bytes(name))
    #expect(decoding.notices.isEmpty)
    #expect(decoding.image == (try Decoding.decode(TestImages.bytes("jpeg-comment.jpg")).image))
  }

  @Test func `a baseline scan without a spectral range is read correctly`() throws {
    var bytes = try TestImages.bytes("photo-64.jpg")
    let scan = try Fixture.segment(0xDA, of: bytes)
    let selection = scan.lowerBound + 2 + Int(bytes[scan.lowerBound + 3]) - 3
    #expect(bytes[selection...].starts(with: [0, 63, 0]))
    bytes[selection + 1] = 0
    let decoding = Decoding.decode(bytes)
    #expect(decoding.notices.map(\.kind) == [.harmless])
    #expect(decoding.image == (try Decoding.decode(TestImages.bytes("photo-64.jpg")).image))
  }

  @Test func `a newer JFIF version and an unknown Adobe transform are notices`() throws {
    let image = Fixture.scene(width: 24, height: 16)
    for payload: [UInt8] in [
      Array("JFIF\0".utf8) + [9, 1, 0, 0, 1, 0, 1, 0, 0],
      Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 7],
    ] {
      let marker: UInt8 = payload[0] == 0x4A ? 0xE0 : 0xEE
      let segment = JPEGSegment(marker: marker, payload: payload)
      let decoding = Decoding.decode(
        try Fixture.encode(image, Fixture.settings(), segments: [segment]))
      #expect(decoding.notices.map(\.kind) == [.harmless])
      #expect(
        decoding.image == Decoding.decode(try Fixture.encode(image, Fixture.settings())).image)
    }
  }

  @Test(arguments: [1, 2, 7, 16, 17, 100, 1000])
  func `rows do not depend on the number requested at a time`(rowsAtOnce: Int) throws {
    for name in ["jpeg-17x31.jpg", "jpeg-ycck.jpg", "jpeg-progressive.jpg", "jpeg-440.jpg"] {
      let bytes = try TestImages.bytes(name)
      #expect(Decoding.decode(bytes, rowsAtOnce: rowsAtOnce) == Decoding.decode(bytes), "\(name)")
    }
  }

  @Test func `luma-only decoding returns the Y plane as gray`() throws {
    let options = DecoderOptions(decodesLumaOnly: true)
    let luma = try #require(
      Decoding.decode(TestImages.bytes("jpeg-444.jpg"), options: options)
        .image)
    let color = try #require(Decoding.decode(TestImages.bytes("jpeg-444.jpg")).image)
    #expect(luma.layout == RowLayout(channels: .gray))
    for y in stride(from: 0, to: color.size.height, by: 5) {
      for x in stride(from: 0, to: color.size.width, by: 7) {
        let rgb = (0..<3).map { Double(color[x: x, y: y, channel: $0]) }
        // Clipped colors have lost their luma.
        guard rgb.allSatisfy({ $0 > 0 && $0 < 255 }) else { continue }
        let expected = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]
        #expect(abs(Double(luma[x: x, y: y, channel: 0]) - expected) <= 1.5)
      }
    }
    let rgb = try ImageDecoders.open(FileBytes(TestImages.bytes("jpeg-rgb.jpg")), options: options)
    #expect(rgb.header.layout == RowLayout(channels: .rgb))
  }
}
