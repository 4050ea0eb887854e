// SPDX-License-Identifier: Apache-2.0
#if TIFF
  import CPhotoEditImageWriters
  import PhotoEditPixels
  import PhotoEditStorage
  import Testing

  @testable import PhotoEditCodecs

  @Suite("TIFF")
  struct TIFFDecoderTests {
    /// Smooth colors with a few edges, which exercise every compression.
    private static func image(
      _ channels: ChannelLayout, bytesPerSample: Int = 1, width: Int = 37, height: Int = 29
    ) -> ImageBuffer {
      TestImage.make(width, height, channels, bytesPerSample: bytesPerSample)
    }

    private static func fixture(for image: ImageBuffer) -> TIFFFixture {
      var fixture = TIFFFixture(width: image.size.width, height: image.size.height)
      fixture.bits = 8 * image.layout.bytesPerSample
      fixture.samples = image.layout.channels.count
      fixture.photometric = image.layout.channels.colorCount == 1 ? 1 : 2
      // Straight alpha.
      fixture.extra = image.layout.channels.hasAlpha ? 2 : -1
      return fixture
    }

    @Test(arguments: ChannelLayout.allCases, [1, 2])
    func `strips, tiles, planes and byte orders do not change the samples`(
      channels: ChannelLayout, bytesPerSample: Int
    ) throws {
      let image = Self.image(channels, bytesPerSample: bytesPerSample)
      for shape in 0..<16 {
        var fixture = Self.fixture(for: image)
        fixture.tile = shape & 1 == 0 ? 0 : 16
        fixture.isSeparate = shape & 2 != 0
        fixture.isBigEndian = shape & 4 != 0
        fixture.isBigTIFF = shape & 8 != 0
        let decoded = try TestImage.decode(fixture.file(image.bytes), rowsPerCall: 7)
        #expect(decoded.image == image, "\(fixture)")
        #expect(decoded.notices.isEmpty, "\(fixture)")
      }
      let header = try TIFFDecoder(FileBytes(Self.fixture(for: image).file(image.bytes))).header
      #expect(header.format == .tiff && header.bitsPerSample == 8 * bytesPerSample)
      #expect(header.sourceColor == (channels.colorCount == 1 ? .gray : .rgb))
    }

    /// None, LZW, Deflate with both numbers, PackBits, LZMA, Zstandard, lossless WebP.
    @Test(arguments: [1, 5, 8, 32_946, 32_773, 34_925, 50_000, 50_001])
    func `every lossless compression returns the original samples`(compression: Int) throws {
      try #require(pe_writer_has_compression(UInt16(compression)) != 0)
      for (channels, depth) in [(ChannelLayout.rgb, 1), (.gray, 2), (.rgba, 2), (.rgb, 2)] {
        for (predictor, tile) in [(1, 0), (1, 16), (2, 0), (2, 16)] {
          let predicts = [5, 8, 32_946, 34_925, 50_000].contains(compression)
          if predictor == 2, !predicts { continue }
          // WebP supports 8-bit colors only.
          if compression == 50_001, depth == 2 || channels == .gray { continue }
          let image = Self.image(channels, bytesPerSample: depth)
          var fixture = Self.fixture(for: image)
          (fixture.compression, fixture.predictor, fixture.tile) = (compression, predictor, tile)
          let file = fixture.file(image.bytes)
          try #require(!file.isEmpty, "\(fixture)")
          #expect(try TestImage.decode(file, rowsPerCall: 3).image == image, "\(fixture)")
        }
      }
    }

    /// Modified Huffman, Group 3, Group 4.
    @Test(arguments: [2, 3, 4], [0, 1])
    func `fax compressions restore black and white`(compression: Int, photometric: Int) throws {
      var fixture = TIFFFixture(bits: 1, samples: 1, photometric: photometric)
      fixture.compression = compression
      let rows = fixture.sampleRows
      let file = fixture.file(rows)
      try #require(!file.isEmpty)
      for isReversed in [false, true] {
        fixture.isLeastSignificantFirst = isReversed
        let decoded = try TestImage.decode(fixture.file(rows)).image
        for y in 0..<fixture.height {
          for x in 0..<fixture.width {
            let bit = rows[y * fixture.bytesPerRow + x / 8] >> (7 - x % 8) & 1
            let isWhite = (bit == 1) == (photometric == 1)
            #expect(decoded[x: x, y: y, channel: 0] == (isWhite ? 255 : 0), "\(x), \(y)")
          }
        }
      }
    }

    @Test(arguments: [1, 2, 4, 6, 8, 10, 12, 14, 16], [0, 1])
    func `samples of any depth are scaled to 8 or 16 bits, and white stays white`(
      bits: Int, photometric: Int
    ) throws {
      let fixture = TIFFFixture(bits: bits, samples: 1, photometric: photometric)
      var rows = fixture.sampleRows
      // libtiff takes wide samples in the byte order of the machine.
      func sample(_ x: Int, _ y: Int) -> Int {
        let start = y * fixture.bytesPerRow
        if bits == 16 {
          return Int(rows[start + 2 * x]) | Int(rows[start + 2 * x + 1]) << 8
        }
        return (0..<bits).reduce(0) { value, i in
          let bit = x * bits + i
          return value << 1 | Int(rows[start + bit / 8] >> UInt8(7 - bit % 8) & 1)
        }
      }
      rows.replaceSubrange(0..<2, with: [255, 255])
      let decoded = try TestImage.decode(fixture.file(rows)).image
      let target = bits > 8 ? 65_535 : 255
      let highest = 1 << bits - 1
      #expect(decoded.maximum == target)
      for y in 0..<fixture.height {
        for x in 0..<fixture.width {
          let value = (Double(sample(x, y)) * Double(target) / Double(highest)).rounded()
          let expected = photometric == 0 ? target - Int(value) : Int(value)
          #expect(decoded[x: x, y: y, channel: 0] == expected, "\(x), \(y)")
        }
      }
    }

    @Test(arguments: [1, 2, 4, 8], [UInt16(257), 1])
    func `a palette of 16 bits, or of 8 in 16, becomes RGB`(bits: Int, scale: UInt16) throws {
      let colors = 1 << bits
      var fixture = TIFFFixture(bits: bits, samples: 1, photometric: 3)
      fixture.palette = (0..<3 * colors).map { UInt16($0 * 53 % 256) * scale }
      let rows = fixture.sampleRows
      let decoded = try TestImage.decode(fixture.file(rows)).image
      #expect(decoded.layout == RowLayout(channels: .rgb))
      for y in 0..<fixture.height {
        for x in 0..<fixture.width {
          let byte = Int(rows[y * fixture.bytesPerRow + x * bits / 8])
          let index = byte >> (8 - bits - x * bits % 8) & (colors - 1)
          for c in 0..<3 {
            #expect(decoded[x: x, y: y, channel: c] == (c * colors + index) * 53 % 256)
          }
        }
      }
    }

    @Test(arguments: [1, 2])
    func `premultiplied colors are divided by alpha`(depth: Int) throws {
      var image = Self.image(.rgba, bytesPerSample: depth)
      let straight = image
      let highest = image.maximum
      for y in 0..<29 {
        for x in 0..<37 {
          let alpha = image[x: x, y: y, channel: 3]
          for c in 0..<3 {
            let value = image[x: x, y: y, channel: c]
            image[x: x, y: y, channel: c] = (value * alpha + highest / 2) / highest
          }
        }
      }
      var fixture = Self.fixture(for: image)
      fixture.extra = 1
      let decoded = try TestImage.decode(fixture.file(image.bytes)).image
      for y in 0..<29 {
        for x in 0..<37 {
          let alpha = straight[x: x, y: y, channel: 3]
          #expect(decoded[x: x, y: y, channel: 3] == alpha)
          for c in 0..<3 {
            // Half a level of the stored color, amplified by the division.
            let allowed = alpha == 0 ? highest : highest / (2 * alpha) + 1
            let d = abs(decoded[x: x, y: y, channel: c] - straight[x: x, y: y, channel: c])
            #expect(d <= allowed, "\(x), \(y), \(c)")
          }
        }
      }
    }

    @Test(arguments: [false, true])
    func `a channel of unknown meaning is dropped and not used as alpha`(isSeparate: Bool) throws {
      let image = Self.image(.rgba)
      var fixture = Self.fixture(for: image)
      fixture.extra = 0
      fixture.isSeparate = isSeparate
      let file = fixture.file(image.bytes)
      let decoded = try TestImage.decode(file).image
      #expect(decoded.layout.channels == .rgb)
      for i in 0..<image.size.pixelCount {
        #expect(decoded.bytes[(3 * i)..<(3 * i + 3)] == image.bytes[(4 * i)..<(4 * i + 3)])
      }
      let losses = try ImageMetadata.read(FileBytes(file)).losses.map(\.kind)
      #expect(losses == [.channels])
    }

    @Test(arguments: [1, 2])
    func `CMYK becomes RGB with a notice`(depth: Int) throws {
      let image = Self.image(.rgba, bytesPerSample: depth)
      var fixture = Self.fixture(for: image)
      (fixture.photometric, fixture.extra) = (5, -1)
      let (decoded, notices) = try TestImage.decode(fixture.file(image.bytes))
      #expect(notices.map(\.kind) == [.convertedWithoutProfile])
      #expect(decoded.layout == RowLayout(channels: .rgb, bytesPerSample: depth))
      let highest = image.maximum
      for y in 0..<29 {
        for x in 0..<37 {
          let paper = highest - image[x: x, y: y, channel: 3]
          for c in 0..<3 {
            let light = (highest - image[x: x, y: y, channel: c]) * paper
            let expected = (Double(light) / Double(highest)).rounded()
            #expect(decoded[x: x, y: y, channel: c] == Int(expected))
          }
        }
      }
    }

    @Test(arguments: [(2, 0, 0), (6, 1, 0), (6, 2, 0), (6, 2, 16), (2, 0, 16)])
    func `embedded JPEG decodes close to the original`(
      photometric: Int, subsampling: Int, tile: Int
    ) throws {
      var image = ImageBuffer(
        size: PixelSize(width: 48, height: 32), layout: RowLayout(channels: .rgb))
      for y in 0..<32 {
        for x in 0..<48 {
          for (c, value) in [x * 5, y * 6, 128 + x - y].enumerated() {
            image[x: x, y: y, channel: c] = value
          }
        }
      }
      var fixture = Self.fixture(for: image)
      (fixture.photometric, fixture.subsampling) = (photometric, subsampling)
      (fixture.compression, fixture.tile, fixture.rowsPerStrip) = (7, tile, 16)
      let file = fixture.file(image.bytes)
      try #require(!file.isEmpty)
      let (decoded, notices) = try TestImage.decode(file, rowsPerCall: 5)
      #expect(notices.isEmpty)
      #expect(decoded.largestDifference(to: image) <= 12)
      let color = try TIFFDecoder(FileBytes(file)).header.sourceColor
      #expect(color == (photometric == 6 ? .ycbcr : .rgb))
    }

    @Test(arguments: [1, 5])
    func `YCbCr without JPEG is converted in any orientation`(compression: Int) throws {
      // Clumps of four lumas and their two shared chroma differences.
      var fixture = TIFFFixture(width: 8, height: 4, photometric: 6, compression: compression)
      (fixture.subsampling, fixture.rowsPerStrip, fixture.orientation) = (2, 4, 3)
      let clump: [UInt8] = [200, 200, 200, 200, 128, 128]
      let dark: [UInt8] = [40, 40, 40, 40, 128, 128]
      // Rows as libtiff counts them: 8 pixels take 12 bytes for two lines, 6 for each.
      var rows = (0..<4).flatMap { _ in clump } + (0..<4).flatMap { _ in dark }
      rows += [UInt8](repeating: 0, count: fixture.bytesPerRow * 4 - rows.count)
      let file = fixture.file(rows)
      try #require(!file.isEmpty)
      let decoded = try TestImage.decode(file).image
      for x in 0..<8 {
        for c in 0..<3 {
          #expect(decoded[x: x, y: 0, channel: c] == 200)
          #expect(decoded[x: x, y: 3, channel: c] == 40)
        }
      }
    }

    @Test(arguments: 1...8)
    func `the orientation is reported and not applied`(orientation: Int) throws {
      let image = Self.image(.rgb)
      var fixture = Self.fixture(for: image)
      fixture.orientation = orientation
      let file = fixture.file(image.bytes)
      #expect(try TestImage.decode(file).image == image)
      let metadata = try ImageMetadata.read(FileBytes(file))
      #expect(metadata.orientation.rawValue == orientation)
    }

    @Test func `the first of several pages is read`() throws {
      let image = Self.image(.rgb)
      var fixture = Self.fixture(for: image)
      fixture.pages = 3
      let file = fixture.file(image.bytes)
      #expect(try TestImage.decode(file).image == image)
      let losses = try ImageMetadata.read(FileBytes(file)).losses
      #expect(losses.map(\.kind) == [.frames])
      #expect(losses.first?.detail.contains("3 pages") == true)
    }

    @Test func `a canceled decoder stops`() {
      let options = DecoderOptions(isCancelled: { true })
      for tile in [0, 16] {
        let image = Self.image(.rgb)
        var fixture = Self.fixture(for: image)
        fixture.tile = tile
        let file = fixture.file(image.bytes)
        #expect(codecError { _ = try TestImage.decode(file, options) } == .cancelled)
      }
    }
  }
#endif
