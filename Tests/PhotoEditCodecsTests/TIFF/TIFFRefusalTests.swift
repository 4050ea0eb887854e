// SPDX-License-Identifier: Apache-2.0
#if TIFF
  import CPhotoEditImageWriters
  import PhotoEditPixels
  import PhotoEditStorage
  import PhotoEditTestSupport
  import Testing

  @testable import PhotoEditCodecs

  @Suite("Rejected TIFF files", .seeded)
  struct TIFFRefusalTests {
    typealias Fixture = TIFFTagFixture

    private func refusal(_ file: [UInt8]) -> CodecError? {
      codecError { _ = try TestImage.decode(file) }
    }

    @Test func `the base file of these tests is readable`() throws {
      for isBigEndian in [false, true] {
        for isBigTIFF in [false, true] {
          let file = Fixture(isBigEndian: isBigEndian, isBigTIFF: isBigTIFF).file()
          #expect(try TestImage.decode(file).image.bytes == Fixture.pixels)
        }
      }
    }

    @Test func `an offset outside of the file is reported with a possible count`() {
      let failure = refusal(Fixture().file([Fixture().long(273, 4000)]))
      #expect("\(failure!)".contains("got 0 bytes, expected 4"), "\(failure!)")
    }

    @Test func `camera raw files are rejected by name and never opened as their thumbnail`() {
      let fixture = Fixture()
      let reduced = [fixture.long(254, 1)]
      let sensor = [fixture.long(254, 0), fixture.short(262, 32_803), fixture.short(259, 1)]
      let cases: [(file: [UInt8], name: String)] = [
        (fixture.file([fixture.bytes(50_706, [1, 4, 0, 0], type: 1)]), "a raw camera file (DNG)"),
        (
          fixture.file(reduced + [fixture.text(271, "NIKON CORPORATION")], below: [(330, sensor)]),
          "a raw camera file (NEF)"
        ),
        (
          fixture.file(
            reduced + [fixture.text(271, "SONY")], below: [(330, [fixture.short(256, 9)])]),
          "a raw camera file (ARW)"
        ),
        (
          fixture.file([fixture.text(271, "PENTAX")], next: [[fixture.short(259, 65_535)]]),
          "a raw camera file (PEF)"
        ),
        (fixture.file([fixture.short(262, 32_803)]), "a raw camera file"),
        (fixture.file([fixture.short(262, 34_892)]), "a raw camera file"),
        (fixture.file(below: [(330, sensor)]), "a raw camera file"),
      ]
      for (file, name) in cases {
        #expect(codecError { _ = try TIFFDecoder(FileBytes(file)) } == .unsupported(name))
        #expect(file.withUnsafeBytes { bytes in try? ImageFormat.detect(bytes) } == .raw)
      }
    }

    @Test func `smaller versions of an image, as in pyramids, do not make it a raw file`()
      throws
    {
      let fixture = Fixture()
      let file = fixture.file(below: [(330, [fixture.long(254, 1), fixture.short(262, 1)])])
      #expect(try TestImage.decode(file).image.bytes == Fixture.pixels)
    }

    @Test func `a thumbnail before the image is skipped`() throws {
      let fixture = Fixture()
      let page = [
        fixture.short(256, 2), fixture.short(257, 1), fixture.short(258, 8), fixture.short(259, 1),
        fixture.short(262, 1), fixture.long(273, 16), fixture.short(277, 1), fixture.short(278, 1),
        fixture.long(279, 2),
      ]
      let file = fixture.file([fixture.long(254, 1)], next: [page])
      #expect(try TestImage.decode(file).image.size == PixelSize(width: 2, height: 1))
    }

    @Test func `unsupported kinds are rejected by name`() {
      let fixture = Fixture()
      let cases: [([Fixture.Field], String)] = [
        ([fixture.short(339, 3), fixture.short(258, 32)], "floating-point samples"),
        ([fixture.short(339, 3), fixture.short(258, 16)], "floating-point samples"),
        ([fixture.short(339, 2)], "negative samples"),
        ([fixture.short(258, 32)], "32 bits per sample"),
        ([fixture.short(262, 8), fixture.short(277, 3), fixture.short(258, 8, 8, 8)], "in Lab"),
        ([fixture.short(259, 6)], "old-style JPEG compression"),
        ([fixture.short(259, 777)], "compression 777"),
        ([fixture.short(262, 4)], "a mask"),
        ([fixture.short(262, 5)], "colorants other than cyan, magenta, yellow and black"),
        ([fixture.short(262, 99)], "photometric interpretation 99"),
        ([fixture.short(277, 1000)], "channels"),
      ]
      for (fields, name) in cases {
        guard case .unsupported(let what) = refusal(fixture.file(fields)) else {
          Issue.record("\(name): \(String(describing: refusal(fixture.file(fields))))")
          continue
        }
        #expect(what.contains(name))
      }
    }

    @Test func `a small file that claims a huge image allocates no memory`() {
      let fixture = Fixture()
      #expect(
        refusal(fixture.file([fixture.long(256, 60_000), fixture.long(257, 60_000)]))
          == .limitExceeded(.pixels, value: 3_600_000_000, allowed: 1 << 28))
      let tiles = fixture.file([
        fixture.long(322, 1 << 30), fixture.long(323, 16), fixture.long(324, 16),
        fixture.long(325, 4),
      ])
      guard case .unsupported(let what) = refusal(tiles) else {
        Issue.record("\(String(describing: refusal(tiles)))")
        return
      }
      #expect(what.contains("tiles of 1073741824 x 16"))
    }

    @Test func `tiles of few pixels and many channels allocate no memory either`() {
      let fixture = Fixture()
      func file(side: Int, channels: Int) -> [UInt8] {
        let depths = [Int](repeating: 16, count: channels).flatMap { fixture.number($0, 2) }
        return fixture.file([
          Fixture.Field(tag: 258, type: 3, count: channels, bytes: depths),
          fixture.short(277, channels), fixture.long(322, side), fixture.long(323, side),
          fixture.long(324, 16), fixture.long(325, 4),
        ])
      }
      #expect(
        refusal(file(side: 8192, channels: 32))
          == .unsupported("a TIFF image with tiles of 4294967296 bytes, more than 536870912"))
      // Large tiles with a usual number of channels are read, and found to be missing.
      let error = refusal(file(side: 2048, channels: 4))
      guard case .damaged = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    /// libtiff before 4.6 leaves the rest of such a block uninitialized.
    @Test(arguments: [(tile: 0, tag: 256, size: 48), (16, 322, 32)])
    func `a WebP block smaller than stated is damage`(
      tile: Int, tag: Int, size: Int
    ) throws {
      var fixture = TIFFFixture(width: 16, height: 16, compression: 50_001, rowsPerStrip: 16)
      fixture.tile = tile
      var random = SeededNumbers(12)
      let file = fixture.file((0..<16 * 48).map { _ in UInt8(random.below(256)) })
      #expect(Decoding.decode(file).image != nil)
      let read = try #require(file.withUnsafeBytes { TIFFFile($0).flatMap { TIFFPages($0) } })
      var spoilt = file
      spoilt[try #require(read.image.entry(tag)?.value).lowerBound] = UInt8(size)
      guard case .refusal(.damaged) = Decoding.decode(spoilt) else {
        Issue.record("\(Decoding.decode(spoilt))")
        return
      }
      let lenient = Decoding.lenient(spoilt)
      #expect(lenient.recoveredRows == 0)
      #expect(lenient.image?.bytes.allSatisfy { $0 == 0 } == true)
    }

    @Test(arguments: [8, 32_946], [0, 16])
    func `a checksum of a block that does not match is damage`(compression: Int, tile: Int) throws {
      for (predictor, isSeparate) in [(1, false), (2, false), (1, true)] {
        var fixture = TIFFFixture(width: 40, height: 44, compression: compression)
        (fixture.tile, fixture.rowsPerStrip) = (tile, 8)
        (fixture.predictor, fixture.isSeparate) = (predictor, isSeparate)
        var random = SeededNumbers(13)
        let file = fixture.file(
          (0..<fixture.bytesPerRow * fixture.height).map { _ in UInt8(random.below(256)) })
        let whole = try TestImage.decode(file)
        #expect(whole.notices.isEmpty)
        let read = try #require(file.withUnsafeBytes { TIFFFile($0).flatMap { TIFFPages($0) } })
        func values(_ tag: Int) throws -> [Int] {
          let entry = try #require(read.image.entry(tag)), size = entry.type == 3 ? 2 : 4
          return stride(
            from: entry.value?.lowerBound ?? 0, to: entry.value?.upperBound ?? 0, by: size
          )
          .map { start in (0..<size).reduce(0) { $0 | Int(file[start + $1]) << (8 * $1) } }
        }
        let offsets = try values(tile == 0 ? 273 : 324), counts = try values(tile == 0 ? 279 : 325)
        #expect(offsets.count > 5)
        for (index, (offset, count)) in zip(offsets, counts).enumerated() {
          var spoilt = file
          spoilt[offset + count - 1 - index % 4] ^= 1
          guard case .refusal(.damaged(_, let real, 44)) = Decoding.decode(spoilt) else {
            Issue.record("\(fixture), block \(index): \(Decoding.decode(spoilt).error as Any)")
            continue
          }
          let lenient = Decoding.lenient(spoilt)
          #expect(lenient.recoveredRows == real)
          let first = tile == 0 ? index % 6 * 8 : index % 9 / 3 * 16
          #expect((lenient.image?.rows(first) == whole.image.rows(first)) as Bool)
        }
      }
    }

    /// None, LZW, Deflate, PackBits, Zstandard, LZMA.
    @Test(arguments: [1, 5, 8, 32_773, 50_000, 34_925], [0, 16])
    func `a missing block is damage, and rows before it are recovered`(
      compression: Int, tile: Int
    ) throws {
      var fixture = TIFFFixture(width: 40, height: 48, compression: compression)
      (fixture.tile, fixture.rowsPerStrip) = (tile, 8)
      var random = SeededNumbers(11)
      let rows = (0..<fixture.bytesPerRow * fixture.height).map { _ in
        UInt8(random.below(256))
      }
      let file = fixture.file(rows)
      let whole = try TestImage.decode(file).image
      let read = try #require(file.withUnsafeBytes { TIFFFile($0).flatMap { TIFFPages($0) } })
      let tag = tile == 0 ? 273 : 324
      let offsets = try #require(read.image.entry(tag)?.value)
      let size = try #require(read.image.entry(tag)).type == 3 ? 2 : 4
      for index in 0..<(offsets.count / size) {
        var spoilt = file
        // After the end of the file, whether the offset has 16 or 32 bits.
        for i in 0..<size { spoilt[offsets.lowerBound + index * size + i] = 0xFF }
        guard case .refusal(.damaged(_, let real, 48)) = Decoding.decode(spoilt) else {
          Issue.record("\(fixture), block \(index): \(Decoding.decode(spoilt).error as Any)")
          continue
        }
        let first = tile == 0 ? index * 8 : index / 3 * 16
        #expect(try #require(real) >= first, "\(fixture), block \(index)")
        let filled = Decoding.lenient(spoilt)
        #expect(filled.recoveredRows == real)
        #expect(filled.image?.rows(first) == whole.rows(first))
        // Blocks after the damage are read anyway.
        if first + 16 < 48 {
          #expect(filled.image?.bytes.suffix(120) == whole.bytes.suffix(120), "block \(index)")
        }
      }
    }
  }
#endif
