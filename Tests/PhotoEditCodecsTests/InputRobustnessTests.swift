// SPDX-License-Identifier: Apache-2.0
#if WebP && TIFF && GIF
  import PhotoEditPixels
  import PhotoEditStorage
  import PhotoEditTestSupport
  import Testing

  @testable import PhotoEditCodecs

  @Suite("Hostile WebP, TIFF and GIF", .seeded)
  struct InputRobustnessTests {
    private static let files: [(name: String, bytes: [UInt8])] = {
      let small = TestImage.make(16, 12)
      let clear = TestImage.make(16, 12, .rgba)
      let palette = (0..<48).map { UInt8($0 * 5) }
      let frame = GIFFixture.Frame(
        left: 1, top: 2, width: 10, height: 9, indices: (0..<90).map { UInt8($0 % 16) },
        transparent: 3)
      var gif = GIFFixture(width: 12, height: 12, palette: palette, frames: [frame, frame])
      gif.extensions =
        GIFFixture.block(0xFE, Array("a comment".utf8)) + GIFFixture.xmp("<x/>")
      gif.frames[0].isInterlaced = true
      let tags = TIFFTagFixture(isBigTIFF: true)
      let animation = WebPFixture.extended(
        PixelSize(width: 20, height: 16), flags: 2,
        [
          WebPFixture.chunk("ICCP", [1, 2, 3]), WebPFixture.frame(small, x: 2, y: 2),
          WebPFixture.chunk("EXIF", Array("II*\0".utf8)), WebPFixture.chunk("XMP ", [60]),
        ])
      return [
        ("lossless WebP", WebPFixture.simple(clear)),
        ("lossy WebP", WebPFixture.simple(clear, quality: 60)), ("animation", animation),
        ("GIF", gif.build()),
        ("tags", tags.file([tags.text(270, "text")], below: [(34_665, [tags.short(0x8827, 1)])])),
      ]
        + [1, 5, 7, 8, 32_773, 34_925, 50_000, 50_001].map { compression in
          (
            "TIFF \(compression)",
            TIFFFixture(
              width: 16, height: 12, compression: compression, rowsPerStrip: 8
            ).file(small.bytes)
          )
        }
        + [
          (
            "tiles",
            TIFFFixture(
              width: 16, height: 12, samples: 4, compression: 5, extra: 1, isSeparate: true,
              tile: 16
            ).file(clear.bytes)
          ),
          (
            "fax",
            TIFFFixture(width: 32, height: 12, bits: 1, samples: 1, photometric: 0, compression: 4)
              .file((0..<48).map { UInt8($0 * 37 % 256) })
          ),
        ]
    }()

    /// Decodes twice into differently poisoned memory, so that an unwritten byte would differ.
    private func check(_ bytes: [UInt8], _ what: @autoclosure () -> String) {
      let limits = ImageLimits(
        maximumPixels: 1 << 14, maximumSide: 1 << 10, maximumMetadataBytes: 1 << 16)
      for isLenient in [false, true] {
        let options = DecoderOptions(limits: limits, isLenient: isLenient)
        let first = Decoding.decode(bytes, options: options, poison: 0)
        #expect(first == Decoding.decode(bytes, options: options, poison: 255), "\(what())")
        #expect(first.error != .outOfMemory, "\(what())")
      }
      guard let metadata = try? ImageMetadata.read(FileBytes(bytes), limits: limits) else { return }
      let facts = RenderedImageProperties(size: PixelSize(width: 5, height: 4))
      let segments = metadata.segments(forRendering: facts).segments
      #expect(
        segments.allSatisfy { $0.payload.count <= JPEGSegment.maximumPayloadCount }, "\(what())")
    }

    @Test(arguments: files.indices)
    func `a file truncated anywhere never traps`(index: Int) throws {
      let (name, bytes) = Self.files[index]
      try #require(!bytes.isEmpty, "\(name)")
      #expect(Decoding.decode(bytes).image != nil, "\(name)")
      for count in 0..<bytes.count { check(Array(bytes.prefix(count)), "\(name), \(count) bytes") }
    }

    @Test(arguments: files.indices)
    func `flipped bits never trap and never expose uninitialized memory`(index: Int) {
      let (name, bytes) = Self.files[index]
      var random = SeededNumbers(20_260_601 + index)
      for round in 0..<SeededNumbers.cases(250) {
        var spoilt = bytes
        for _ in 0...round % 4 {
          let bit = random.below(bytes.count * 8)
          spoilt[bit / 8] ^= 1 << UInt8(bit % 8)
        }
        check(spoilt, "\(name), round \(round)")
      }
    }
  }
#endif
