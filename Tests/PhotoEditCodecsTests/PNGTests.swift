// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("PNG")
struct PNGTests {
  @Test(arguments: ChannelLayout.allCases, [1, 2])
  func `a written PNG is read back`(channels: ChannelLayout, bytesPerSample: Int) throws {
    for (width, height) in [(1, 1), (13, 7), (64, 33)] {
      let image = TestImage.make(width, height, channels, bytesPerSample: bytesPerSample)
      let bytes = try PNGEncoder.encode(image)
      let (decoded, notices) = try TestImage.decode(bytes, rowsPerCall: 5)
      #expect(decoded == image)
      #expect(notices.isEmpty)
      let header = try PNGDecoder(FileBytes(bytes)).header
      #expect(header.bitsPerSample == 8 * bytesPerSample)
      #expect(header.sourceColor == (channels.colorCount == 1 ? .gray : .rgb))
    }
  }

  @Test func `16-bit samples are stored in big-endian order`() throws {
    let size = PixelSize(width: 1, height: 1)
    var image = ImageBuffer(size: size, layout: RowLayout(channels: .gray, bytesPerSample: 2))
    image[x: 0, y: 0, channel: 0] = 0x1234
    let file = PNGFixture.file(
      width: 1, height: 1, depth: 16, color: 0, rows: [0, 0x12, 0x34])
    #expect(try TestImage.decode(file).image == image)
  }

  @Test func `an empty image is rejected`() {
    let image = ImageBuffer(
      size: PixelSize(width: 0, height: 3), layout: RowLayout(channels: .gray))
    #expect(codecError { _ = try PNGEncoder.encode(image) }?.description.contains("0×3") == true)
  }

  @Test func `samples of small depths are scaled to eight bits`() throws {
    for (depth, row, expected) in [
      (1, [0b0100_0000], [0, 255]), (2, [0b0110_0000], [85, 170]), (4, [0x0F], [0, 255]),
    ] as [(Int, [UInt8], [UInt8])] {
      let file = PNGFixture.file(width: 2, height: 1, depth: depth, color: 0, rows: [0] + row)
      let decoder = try PNGDecoder(FileBytes(file))
      #expect(decoder.header.bitsPerSample == depth)
      #expect(try TestImage.decode(file).image.bytes == expected)
    }
  }

  @Test func `a palette becomes RGB and its transparency alpha`() throws {
    let palette: [UInt8] = [10, 20, 30, 40, 50, 60]
    let plain = PNGFixture.file(
      width: 2, height: 1, depth: 1, color: 3, rows: [0, 0b0100_0000],
      before: [("PLTE", palette)])
    #expect(try PNGDecoder(FileBytes(plain)).header.sourceColor == .palette)
    #expect(try TestImage.decode(plain).image.bytes == palette)
    let clear = PNGFixture.file(
      width: 2, height: 1, depth: 1, color: 3, rows: [0, 0b0100_0000],
      before: [("PLTE", palette), ("tRNS", [7])])
    let image = try TestImage.decode(clear).image
    #expect(image.layout.channels == .rgba)
    #expect(image.bytes == [10, 20, 30, 7, 40, 50, 60, 255])
  }

  @Test func `a transparent gray value becomes alpha and the image stays gray`() throws {
    let file = PNGFixture.file(
      width: 2, height: 1, depth: 8, color: 0, rows: [0, 9, 10], before: [("tRNS", [0, 9])])
    let image = try TestImage.decode(file).image
    #expect(image.layout.channels == .grayAlpha)
    #expect(image.bytes == [9, 0, 10, 255])
  }

  @Test func `an interlaced image shows the same pixels`() throws {
    let (image, notices) = try TestImage.decode(PNGFixture.interlaced, rowsPerCall: 2)
    #expect(try PNGDecoder(FileBytes(PNGFixture.interlaced)).header.isProgressive)
    #expect(image.bytes == (0..<25).map { UInt8($0 * 10) })
    #expect(notices.isEmpty)
  }

  @Test func `unknown chunks change nothing and metadata is not decompressed`() throws {
    let rows: [UInt8] = [0, 1, 2]
    let bare = PNGFixture.file(width: 2, height: 1, depth: 8, color: 0, rows: rows)
    let full = PNGFixture.file(
      width: 2, height: 1, depth: 8, color: 0, rows: rows,
      before: [("prVt", [1, 2, 3]), ("iCCP", [0x78, 0, 0, 1, 2]), ("zTXt", [0x78, 0, 0, 9])])
    let (image, notices) = try TestImage.decode(full)
    #expect(try image == TestImage.decode(bare).image)
    #expect(notices.isEmpty)
  }

  @Test(arguments: ["IDAT", "PLTE", "tRNS", "IHDR"])
  func `a wrong checksum is damage if pixels depend on it`(chunk: String) throws {
    var bytes = PNGFixture.palette
    let at = try #require(PNGFixture.checksumOffset(of: chunk, in: bytes))
    bytes[at] ^= 1
    guard case .damaged(let message, _, _) = codecError({ _ = try TestImage.decode(bytes) })
    else {
      Issue.record("a wrong checksum was not detected")
      return
    }
    #expect(message.contains("CRC"))
    let (image, notices) = try TestImage.decode(bytes, DecoderOptions(isLenient: true))
    #expect(notices.map(\.kind) == [.filled])
    #expect(notices.first?.recoveredRows == 0)
    if chunk != "tRNS" { #expect(try image == TestImage.decode(PNGFixture.palette).image) }
  }

  @Test func `too little image data is damage with the number of recovered rows`() throws {
    let file = PNGFixture.file(
      width: 2, height: 4, depth: 8, color: 0, rows: [0, 1, 2, 0, 3, 4])
    #expect(codecError { _ = try TestImage.decode(file) }?.description.contains("data") == true)
    let (image, notices) = try TestImage.decode(file, DecoderOptions(isLenient: true))
    #expect(image.bytes == [1, 2, 3, 4, 0, 0, 0, 0])
    #expect(notices.map(\.kind) == [.filled])
  }

  @Test func `a truncated file is rejected with its recovered rows`() throws {
    // Noise does not compress, so rows arrive as the file is read.
    var whole = TestImage.make(40, 150)
    var state: UInt32 = 1
    for i in whole.bytes.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      whole.bytes[i] = UInt8(state >> 24)
    }
    let bytes = try PNGEncoder.encode(whole)
    var seen = Set<Int>()
    for count in Array(stride(from: 1, to: bytes.count, by: 37))
      + Array(bytes.count - 40..<bytes.count)
    {
      let short = Array(bytes.prefix(count))
      switch Result(catching: { () throws(CodecError) in try TestImage.decode(short) }) {
      case .success(let result):
        #expect(result.image == whole && !result.notices.isEmpty, "\(count) bytes")
        // Only the last, empty chunk may be missing.
        #expect(count >= bytes.count - 12, "\(count) bytes")
      case .failure(.damaged(_, let real, let rows)):
        guard let real, rows == 150 else { continue }
        seen.insert(real)
        let filled = try TestImage.decode(short, DecoderOptions(isLenient: true))
        #expect(filled.image.bytes.prefix(real * 120) == whole.bytes.prefix(real * 120))
        #expect(filled.image.bytes.count == whole.bytes.count)
        #expect(filled.notices.first?.recoveredRows == real, "\(count) bytes")
      case .failure(let error):
        #expect(count < 8, "\(count) bytes: \(error)")
      }
    }
    // libpng takes data in pieces of a few kilobytes and rejects an incomplete piece.
    #expect(seen.count > 3)
  }

  @Test func `a canceled decoder stops`() throws {
    let options = DecoderOptions(isCancelled: { true })
    for bytes in [PNGFixture.palette, PNGFixture.interlaced] {
      #expect(codecError { _ = try TestImage.decode(bytes, options) } == .cancelled)
    }
  }
}
