// SPDX-License-Identifier: Apache-2.0
#if WebP
  import PhotoEditPixels
  import PhotoEditStorage
  import PhotoEditTestSupport
  import Testing

  @testable import PhotoEditCodecs

  @Suite("WebP", .seeded)
  struct WebPDecoderTests {
    private let photo = TestImage.make(61, 47)
    private let clear = TestImage.make(61, 47, .rgba)

    @Test(arguments: [ChannelLayout.rgb, .rgba], [(1, 1), (13, 7), (200, 130)])
    func `a lossless image round-trips`(
      channels: ChannelLayout, size: (width: Int, height: Int)
    ) throws {
      let image = TestImage.make(size.width, size.height, channels)
      let decoded = try TestImage.decode(WebPFixture.simple(image), rowsPerCall: 5)
      // An image whose alpha is 255 everywhere needs none.
      #expect(decoded.image == image)
      #expect(decoded.notices.isEmpty)
      let header = try WebPDecoder(FileBytes(WebPFixture.simple(image))).header
      #expect(header.format == .webp && header.sourceColor == .rgb && header.bitsPerSample == 8)
    }

    @Test func `a lossy image is close to the original, and its alpha is exact`() throws {
      // Smooth colors: hard edges lose their chroma in every lossy format.
      var smooth = ImageBuffer(
        size: PixelSize(width: 64, height: 48), layout: RowLayout(channels: .rgba))
      for y in 0..<48 {
        for x in 0..<64 {
          for (c, value) in [x * 3, y * 4, x + y, x * 4 % 256].enumerated() {
            smooth[x: x, y: y, channel: c] = value
          }
        }
      }
      // Invisible colors are free to change.
      for y in 0..<48 { smooth[x: 0, y: y, channel: 3] = 1 }
      let file = WebPFixture.simple(smooth, quality: 95)
      let decoded = try TestImage.decode(file).image
      #expect(try WebPDecoder(FileBytes(file)).header.sourceColor == .ycbcr)
      var worst = (color: 0, alpha: 0)
      for y in 0..<48 {
        for x in 0..<64 {
          let visible = smooth[x: x, y: y, channel: 3] > 0
          for c in 0..<4 {
            let d = abs(smooth[x: x, y: y, channel: c] - decoded[x: x, y: y, channel: c])
            if c == 3 {
              worst.alpha = max(worst.alpha, d)
            } else if visible {
              worst.color = max(worst.color, d)
            }
          }
        }
      }
      #expect(worst.alpha == 0)
      #expect(worst.color <= 16)
    }

    @Test func `unknown and metadata chunks change no pixel`() throws {
      let bits = WebPFixture.bitstream(WebPFixture.simple(photo))
      let file = WebPFixture.extended(
        photo.size, flags: 0x2C,
        [
          WebPFixture.chunk("ICCP", [1, 2, 3]), WebPFixture.chunk("abcd", [1]), bits,
          WebPFixture.chunk("EXIF", [1]), WebPFixture.chunk("XMP ", [2]),
        ])
      #expect(try TestImage.decode(file).image == photo)
    }

    @Test(arguments: [Float(-1), 90])
    func `the first frame of an animation is on a transparent canvas`(quality: Float) throws {
      let canvas = PixelSize(width: 80, height: 60)
      let file = WebPFixture.extended(
        canvas, flags: 2,
        [
          WebPFixture.chunk("ANIM", [255, 255, 255, 255, 0, 0]),
          WebPFixture.frame(photo, x: 10, y: 6, quality: quality),
          WebPFixture.frame(clear, x: 0, y: 0),
        ])
      let decoded = try TestImage.decode(file, rowsPerCall: 7).image
      let alone = try TestImage.decode(WebPFixture.simple(photo, quality: quality)).image
      #expect(decoded.size == canvas && decoded.layout.channels == .rgba)
      for y in 0..<60 {
        for x in 0..<80 {
          let isInside = (10..<71).contains(x) && (6..<53).contains(y)
          for c in 0..<4 {
            let expected =
              !isInside ? 0 : c == 3 ? 255 : alone[x: x - 10, y: y - 6, channel: c]
            #expect(decoded[x: x, y: y, channel: c] == expected, "\(x), \(y), \(c)")
          }
        }
      }
    }

    @Test func `an animation whose first frame fills the canvas needs no alpha`() throws {
      let file = WebPFixture.extended(
        photo.size, flags: 2,
        [WebPFixture.frame(photo, x: 0, y: 0), WebPFixture.frame(photo, x: 0, y: 0)])
      #expect(try TestImage.decode(file).image == photo)
    }

    @Test func `contradictory headers are rejected`() throws {
      let bits = WebPFixture.bitstream(WebPFixture.simple(photo))
      let wide = PixelSize(width: photo.size.width + 1, height: photo.size.height)
      let outside = WebPFixture.extended(
        photo.size, flags: 2, [WebPFixture.frame(photo, x: 2, y: 0)])
      for file in [WebPFixture.extended(wide, flags: 0, [bits]), outside] {
        let error = codecError { _ = try TestImage.decode(file) }
        #expect(error == .damaged(message: "contradictory headers", recoveredRows: nil, rows: nil))
      }
    }

    @Test func `a header that claims a huge image is rejected before allocation`() {
      let canvas = PixelSize(width: 60_000, height: 60_000)
      var frame = little(0, 6) + little(59_999, 3) + little(59_999, 3) + little(0, 4)
      // A lossless bitstream of the largest size of the format: 16,384 on a side.
      let bits = WebPFixture.chunk("VP8L", [0x2F, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0, 0, 0, 0])
      frame += bits
      let file = WebPFixture.extended(canvas, flags: 2, [WebPFixture.chunk("ANMF", frame)])
      #expect(codecError { _ = try TestImage.decode(file) } != nil)
      let options = DecoderOptions(limits: ImageLimits(maximumPixels: 1 << 20))
      let error = codecError { _ = try TestImage.decode(WebPFixture.riff(bits), options) }
      #expect(error == .limitExceeded(.pixels, value: 1 << 28, allowed: 1 << 20))
    }

    @Test(arguments: [Float(-1), 80])
    func `a truncated file is rejected with its recovered rows`(quality: Float) throws {
      // Noise makes rows arrive as the file is read.
      var noise = TestImage.make(64, 160)
      var random = SeededNumbers(7)
      for i in noise.bytes.indices { noise.bytes[i] = UInt8(random.below(256)) }
      let file = WebPFixture.simple(noise, quality: quality)
      let whole = try TestImage.decode(file).image
      var seen: Set<Int> = []
      for count in stride(from: 1, to: file.count - 1, by: 97) {
        let short = Array(file.prefix(count))
        guard case .refusal(.damaged(_, let real, let rows)) = Decoding.decode(short) else {
          #expect(count < 12, "\(count) bytes")
          continue
        }
        guard let real, rows == 160 else { continue }
        seen.insert(real)
        let filled = Decoding.lenient(short)
        #expect(filled.image?.rows(real) == whole.rows(real), "\(count) bytes")
        #expect(filled.recoveredRows == real)
        #expect(filled.image?.bytes.dropFirst(real * 64 * 3).allSatisfy { $0 == 0 } == true)
      }
      #expect(seen.count > 5)
    }

    @Test func `a canceled decoder stops`() {
      let options = DecoderOptions(isCancelled: { true })
      let file = WebPFixture.simple(photo)
      #expect(codecError { _ = try TestImage.decode(file, options) } == .cancelled)
    }
  }
#endif
