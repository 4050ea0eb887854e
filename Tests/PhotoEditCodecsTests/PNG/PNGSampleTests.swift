// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("PNG samples")
struct PNGSampleTests {
  typealias ColorType = PNGSamples.ColorType

  @Test func `every PNG test image opens completely`() throws {
    let entries = try TestImages.inputs().filter { $0.name.hasSuffix(".png") }
    #expect(entries.count > 25)
    for entry in entries {
      let decoding = try Decoding.decode(entry.bytes())
      let image = try #require(decoding.image, "\(entry): \(String(describing: decoding.error))")
      #expect(image.size.width == entry.width && image.size.height == entry.height, "\(entry)")
      #expect(decoding.notices.isEmpty, "\(entry)")
    }
  }

  @Test(arguments: ColorType.allCases, [false, true])
  func `every color type, depth and row order shows its samples`(
    type: ColorType, isInterlaced: Bool
  ) throws {
    for depth in type.depths {
      let fixture = PNGSamples(type: type, depth: depth, isInterlaced: isInterlaced)
      let decoding = Decoding.decode(fixture.file)
      #expect(decoding.image == fixture.image, "\(type) \(depth)")
      #expect(decoding.notices.isEmpty)
      let header = try ImageDecoders.open(FileBytes(fixture.file)).header
      #expect(header.bitsPerSample == depth)
      #expect(header.isProgressive == isInterlaced)
      #expect(header.layout == fixture.layout)
      #expect(
        header.sourceColor
          == (type == .palette ? .palette : type == .rgb || type == .rgba ? .rgb : .gray))
    }
  }

  @Test(arguments: [
    (ColorType.gray, [1, 2, 4, 8, 16]), (.rgb, [8, 16]), (.palette, [1, 2, 4, 8]),
  ])
  func `a transparent color becomes alpha`(type: ColorType, depths: [Int]) {
    for depth in depths {
      for isInterlaced in [false, true] {
        var fixture = PNGSamples(type: type, depth: depth, isInterlaced: isInterlaced)
        if type == .palette {
          fixture.transparency = [0, 77]
        } else {
          fixture.transparency = (0..<type.samplesPerPixel).flatMap { channel in
            let value = fixture.sample(x: 5, y: 6, channel: channel)
            return [UInt8(value >> 8), UInt8(value & 255)]
          }
        }
        let image = Decoding.decode(fixture.file).image
        #expect(image == fixture.image, "\(type) \(depth)")
        let alpha = image?.layout.channels.count ?? 0
        if type != .palette { #expect(image?[x: 5, y: 6, channel: alpha - 1] == 0) }
      }
    }
  }

  @Test(arguments: [(1, 1), (2, 1), (1, 2), (3, 5), (4, 4), (5, 1), (1, 5), (8, 8), (9, 2)])
  func `small interlaced images have empty passes`(width: Int, height: Int) {
    for depth in [1, 8, 16] {
      let fixture = PNGSamples(
        width: width, height: height, type: .gray, depth: depth, isInterlaced: true)
      #expect(Decoding.decode(fixture.file).image == fixture.image, "\(depth)")
    }
  }

  @Test(arguments: [1, 2, 5, 11, 100])
  func `rows do not depend on the number requested at a time`(rowsAtOnce: Int) {
    for isInterlaced in [false, true] {
      let fixture = PNGSamples(type: .rgba, depth: 16, isInterlaced: isInterlaced)
      #expect(Decoding.decode(fixture.file, rowsAtOnce: rowsAtOnce).image == fixture.image)
    }
  }

  @Test func `an encoded image is read back`() throws {
    for channels in ChannelLayout.allCases {
      for bytesPerSample in [1, 2] {
        var image = ImageBuffer(
          size: PixelSize(width: 9, height: 4),
          layout: RowLayout(channels: channels, bytesPerSample: bytesPerSample))
        for i in image.bytes.indices { image.bytes[i] = UInt8(truncatingIfNeeded: i * 73) }
        #expect(Decoding.decode(try PNGEncoder.encode(image)).image == image)
      }
    }
  }

  @Test func `chunks without pixels change nothing, however large they expand`() throws {
    var chunks = PNGSamples(type: .gray, depth: 8).chunks
    // 400 texts that would expand to a megabyte each.
    let text = ("zTXt", Array("a\0\0".utf8) + MetadataFixture.zeros(repeats: 4096))
    chunks.insert(contentsOf: [(type: String, body: [UInt8])](repeating: text, count: 400), at: 1)
    let file = PNGSamples.file(chunks)
    #expect(Decoding.decode(file).image == PNGSamples(type: .gray, depth: 8).image)
  }

  @Test func `a chunk of several megabytes is skipped`() throws {
    // Provenance manifests can be that long. The checksum of so many zeros takes too long here, so
    // the chunk is one that a lenient decoder tolerates.
    let fixture = PNGSamples(type: .gray, depth: 8)
    let length = 9 << 20
    let chunk =
      MetadataFixture.big32(length) + Array("caBX".utf8) + [UInt8](repeating: 0, count: length + 4)
    var file = fixture.file
    file.insert(contentsOf: chunk, at: 33)
    let decoding = Decoding.lenient(file)
    #expect(decoding.image == fixture.image)
    #expect(decoding.notices.map(\.kind) == [.harmless])
  }
}
