// SPDX-License-Identifier: Apache-2.0
#if GIF
  import PhotoEditPixels
  import PhotoEditStorage
  import Testing

  @testable import PhotoEditCodecs

  @Suite("GIF")
  struct GIFDecoderTests {
    /// 256 different colors.
    static let colors: [UInt8] = (0..<256).flatMap {
      [UInt8($0), UInt8(255 - $0), UInt8($0 ^ 0x55)]
    }
    static let four: [UInt8] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]

    static func indices(_ width: Int, _ height: Int, below limit: Int = 256) -> [UInt8] {
      (0..<width * height).map { UInt8(($0 * 7 + $0 / width * 3) % limit) }
    }

    static func painted(_ indices: [UInt8], _ palette: [UInt8]) -> [UInt8] {
      indices.flatMap { palette[(3 * Int($0))..<(3 * Int($0) + 3)] }
    }

    static func still(_ width: Int, _ height: Int, isInterlaced: Bool = false) -> GIFFixture {
      GIFFixture(
        width: width, height: height, palette: colors,
        frames: [
          .init(
            width: width, height: height, indices: indices(width, height),
            isInterlaced: isInterlaced)
        ])
    }

    @Test(arguments: [false, true], [(1, 1), (5, 3), (37, 29), (64, 9)])
    func `every pixel has the color of its index`(
      isInterlaced: Bool, size: (width: Int, height: Int)
    ) throws {
      let fixture = Self.still(size.width, size.height, isInterlaced: isInterlaced)
      let decoded = try TestImage.decode(fixture.build(), rowsPerCall: 4)
      #expect(decoded.image.layout.channels == .rgb && decoded.notices.isEmpty)
      #expect(decoded.image.bytes == Self.painted(fixture.frames[0].indices, Self.colors))
      let header = try GIFDecoder(FileBytes(fixture.build())).header
      #expect(header.format == .gif && header.sourceColor == .palette)
      #expect(header.bitsPerSample == 8 && header.isProgressive == isInterlaced)
    }

    @Test func `a local palette takes precedence over the global one`() throws {
      var fixture = Self.still(8, 8)
      fixture.frames[0].palette = Self.four
      fixture.frames[0].indices = Self.indices(8, 8, below: 4)
      let decoded = try TestImage.decode(fixture.build()).image
      #expect(decoded.bytes == Self.painted(fixture.frames[0].indices, Self.four))
      #expect(try GIFDecoder(FileBytes(fixture.build())).header.bitsPerSample == 2)
    }

    @Test func `the transparent index becomes alpha over black`() throws {
      var fixture = Self.still(6, 4)
      let hidden = fixture.frames[0].indices[5]
      fixture.frames[0].transparent = hidden
      let decoded = try TestImage.decode(fixture.build()).image
      #expect(decoded.layout.channels == .rgba)
      for (i, index) in fixture.frames[0].indices.enumerated() {
        let color = Self.painted([index], Self.colors) + [255]
        #expect(
          Array(decoded.bytes[(4 * i)..<(4 * i + 4)]) == (index == hidden ? [0, 0, 0, 0] : color))
      }
    }

    @Test func `canvas areas outside the image stay transparent`() throws {
      var fixture = Self.still(5, 4)
      fixture.width = 9
      fixture.height = 8
      fixture.frames[0].left = 3
      fixture.frames[0].top = 2
      let decoded = try TestImage.decode(fixture.build()).image
      #expect(decoded.size == PixelSize(width: 9, height: 8) && decoded.layout.channels == .rgba)
      for y in 0..<8 {
        for x in 0..<9 {
          let isInside = (3..<8).contains(x) && (2..<6).contains(y)
          #expect(decoded[x: x, y: y, channel: 3] == (isInside ? 255 : 0))
          guard isInside else { continue }
          let index = fixture.frames[0].indices[(y - 2) * 5 + x - 3]
          #expect(decoded[x: x, y: y, channel: 0] == Int(Self.colors[3 * Int(index)]))
        }
      }
    }

    @Test func `an image larger than its canvas enlarges the canvas`() throws {
      var fixture = Self.still(7, 5)
      fixture.width = 2
      fixture.height = 1
      let decoded = try TestImage.decode(fixture.build()).image
      #expect(decoded.size == PixelSize(width: 7, height: 5))
      #expect(decoded.bytes == Self.painted(fixture.frames[0].indices, Self.colors))
    }

    @Test func `the first image of an animation is read`() throws {
      var fixture = Self.still(8, 6)
      fixture.frames.append(.init(width: 8, height: 6, indices: [UInt8](repeating: 9, count: 48)))
      let decoded = try TestImage.decode(fixture.build()).image
      #expect(decoded.bytes == Self.painted(fixture.frames[0].indices, Self.colors))
    }

    @Test func `a file without a palette or without an image is rejected`() {
      var bare = Self.still(4, 4)
      bare.palette = nil
      var empty = Self.still(4, 4)
      empty.frames = []
      for fixture in [bare, empty] {
        guard case .damaged = codecError({ _ = try TestImage.decode(fixture.build()) }) else {
          Issue.record("not refused")
          continue
        }
      }
    }

    @Test func `a canvas over the limit is rejected before allocation`() {
      var fixture = Self.still(4, 4)
      fixture.width = 65_535
      fixture.height = 65_535
      let error = codecError { _ = try TestImage.decode(fixture.build()) }
      #expect(error == .limitExceeded(.side, value: 65_535, allowed: 65_500))
    }

    @Test(arguments: [false, true])
    func `a truncated file is rejected with its recovered rows`(isInterlaced: Bool) throws {
      let fixture = Self.still(40, 33, isInterlaced: isInterlaced)
      let file = fixture.build()
      let whole = try TestImage.decode(file).image
      var seen: Set<Int> = []
      for count in 1..<(file.count - 2) {
        let short = Array(file.prefix(count))
        guard case .refusal(.damaged(_, let real, let rows)) = Decoding.decode(short) else {
          #expect(count < 6, "\(count) bytes")
          continue
        }
        guard let real, rows == 33 else { continue }
        seen.insert(real)
        let filled = Decoding.lenient(short)
        #expect(filled.image?.rows(real) == whole.rows(real), "\(count) bytes")
        #expect(filled.recoveredRows == real, "\(count) bytes")
      }
      // An interlaced file has no complete rows from the top before its last pass. giflib takes
      // data in blocks of up to 255 bytes and rejects an incomplete block.
      #expect(isInterlaced ? seen == [0] : seen.count > 3)
    }

    @Test func `a damaged interlaced image keeps its coarse passes`() throws {
      let fixture = Self.still(16, 32, isInterlaced: true)
      let file = fixture.build()
      let filled = try #require(Decoding.lenient(Array(file.prefix(file.count - 200))).image)
      let whole = try TestImage.decode(file).image
      // The first pass has every eighth row, and each stands for the rows below it.
      for y in stride(from: 0, to: 32, by: 8) {
        #expect(filled.rows(y + 1).suffix(48) == whole.rows(y + 1).suffix(48))
      }
      #expect(filled.rows(2).suffix(48) == whole.rows(1).suffix(48))
    }

    @Test(arguments: [false, true])
    func `a canceled decoder stops`(isInterlaced: Bool) {
      let options = DecoderOptions(isCancelled: { true })
      let file = Self.still(8, 8, isInterlaced: isInterlaced).build()
      #expect(codecError { _ = try TestImage.decode(file, options) } == .cancelled)
    }
  }
#endif
