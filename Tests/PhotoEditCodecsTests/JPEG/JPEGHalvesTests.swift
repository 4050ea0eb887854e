// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Entropy decoding and reconstruction in separate steps give the same pixels as one pass.
@Suite("JPEG split decoding", .seeded)
struct JPEGHalvesTests {
  private typealias Fixture = JPEGScene

  /// Decodes in two steps, with a few MCU rows and an odd number of pixel rows at a time; nil if
  /// the file does not support it.
  private static func decode(
    _ bytes: [UInt8], _ options: DecoderOptions, mcuRowsAtOnce: Int = 3
  ) -> Decoding? {
    do throws(CodecError) {
      let bytes = FileBytes(bytes)
      let whole = try ImageDecoders.open(bytes, options: options) as? JPEGDecoder
      guard whole?.frame.usesSplitDecoding == true else { return nil }
      let reader = try JPEGEntropyDecoder(bytes, options: options)
      let layout = reader.layout
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: layout.mcuRows * layout.bytesPerRow, alignment: 64)
      defer { memory.deallocate() }
      memset(memory, 0x5A, layout.mcuRows * layout.bytesPerRow)
      for first in stride(from: 0, to: layout.mcuRows, by: mcuRowsAtOnce) {
        let rows = first..<min(first + mcuRowsAtOnce, layout.mcuRows)
        try reader.readRows(rows, into: memory + first * layout.bytesPerRow)
      }
      let reconstructor = try JPEGPixelReconstructor(bytes, options: options)
      let header = reconstructor.header
      var image = ImageBuffer(size: header.size, layout: header.layout)
      let bytesPerRow = header.layout.bytesPerRow(width: header.size.width)
      try image.bytes.withUnsafeMutableBufferPointer { pixels throws(CodecError) in
        guard let base = UnsafeMutableRawPointer(pixels.baseAddress) else { return }
        for first in stride(from: 0, to: header.size.height, by: 7) {
          let rows = first..<min(first + 7, header.size.height)
          let mcuRows = layout.rows(forPixelRows: rows)
          try reconstructor.readRows(
            rows.count, into: base + first * bytesPerRow, bytesPerRow: bytesPerRow,
            coefficients: mcuRows.map { memory + $0 * layout.bytesPerRow },
            first: mcuRows.lowerBound)
        }
      }
      return .image(image, notices: reader.notices)
    } catch {
      return .refusal(error)
    }
  }

  private static func check(_ bytes: [UInt8], _ label: @autoclosure () -> String) -> Bool {
    var wasRead = false
    for isLenient in [false, true] {
      for isLumaOnly in [false, true] {
        // At an eighth, only the first coefficient of each block is read.
        for scale in [DecodingScale.full, .eighth] {
          let options = DecoderOptions(
            limits: Decoding.small, isLenient: isLenient, decodesLumaOnly: isLumaOnly,
            scale: scale)
          guard let halves = decode(bytes, options) else { continue }
          wasRead = true
          let whole = Decoding.decode(bytes, options: options)
          #expect(
            halves == whole,
            "\(label()), lenient \(isLenient), luma only \(isLumaOnly), scale \(scale)")
        }
      }
    }
    return wasRead
  }

  @Test(
    arguments: [ChromaSampling.s444, .s422, .s420, .s440, .s411],
    [(1, 1), (16, 16), (17, 33), (100, 70), (63, 129)])
  func `split decoding gives the same pixels for every sampling and size`(
    sampling: ChromaSampling, size: (width: Int, height: Int)
  ) throws {
    let image = Fixture.scene(width: size.width, height: size.height)
    for quality in [30, 100] {
      let jpeg = try Fixture.encode(image, Fixture.settings(quality: quality, sampling: sampling))
      #expect(Self.check(jpeg, "\(sampling) \(size) \(quality)"))
    }
  }

  @Test func `split decoding gives the same pixels for every test image`() throws {
    var halves = 0
    for entry in try TestImages.inputs() where entry.path.hasSuffix(".jpg") {
      if Self.check(try entry.bytes(), entry.path) { halves += 1 }
    }
    #expect(halves > 10)
  }

  // A damaged table may contain zeros, so that only the first product of a block is left.
  @Test(arguments: [(1, 1), (20, 20), (80, 80), (255, 255), (255, 0)] as [(UInt8, UInt8)])
  func `split decoding gives the same pixels for coefficients out of range`(
    first: UInt8, others: UInt8
  ) throws {
    var random = SeededNumbers(5)
    var image = Fixture.scene(width: 170, height: 90)
    // Flat blocks with the largest DC values, blocks of noise, and blocks of both extremes.
    for y in 0..<90 {
      for x in 0..<170 {
        let level =
          switch (x / 16 + y / 16) % 4 {
          case 0: 0
          case 1: 255
          case 2: random.below(256)
          default: random.below(2) * 255
          }
        for channel in 0..<3 { image[x: x, y: y, channel: channel] = level }
      }
    }
    var jpeg = try Fixture.encode(image, Fixture.settings(quality: 98, sampling: .s420))
    let tables = try Fixture.segment(0xDB, of: jpeg)
    for i in tables.dropFirst(5).prefix(64) { jpeg[i] = others }
    jpeg[tables.lowerBound + 5] = first
    #expect(Self.check(jpeg, "quantization values \(first) and \(others)"))
  }

  @Test(arguments: ["baseline", "gray", "restart", "inks", "odd"])
  func `split decoding reports and fills damage the same way`(kind: String) throws {
    let bytes = try JPEGRobustnessTests.sample(kind)
    let scan = try Fixture.segment(0xDA, of: bytes)
    var random = SeededNumbers(20_261_121)
    for round in 0..<SeededNumbers.cases(200) {
      var damaged = bytes
      for _ in 0...random.below(2) {
        let offset = scan.lowerBound + random.below(bytes.count - scan.lowerBound)
        switch random.below(4) {
        case 0 where offset < damaged.count: damaged.remove(at: offset)
        case 1 where offset <= damaged.count:
          damaged.insert(UInt8(random.below(256)), at: offset)
        case 2 where offset < damaged.count: damaged[offset] = 0xFF
        default:
          if offset < damaged.count { damaged[offset] ^= 1 << UInt8(random.below(8)) }
        }
      }
      _ = Self.check(damaged, "\(kind), round \(round)")
    }
  }

  @Test func `split decoding gives the same result for truncation at any length`() throws {
    let bytes = try Fixture.encode(
      Fixture.scene(width: 40, height: 40), Fixture.settings(quality: 50, sampling: .s420))
    for count in stride(
      from: bytes.count, to: try Fixture.segment(0xDA, of: bytes).lowerBound, by: -1)
    {
      _ = Self.check(Array(bytes[..<count]), "cut at \(count)")
    }
  }

  /// Reads coefficients in restart intervals, last first; nil if there are none or one is rejected.
  private static func intervals(_ bytes: [UInt8], _ rowsPerInterval: Int) throws -> [UInt8]? {
    let reader = try JPEGEntropyDecoder(
      FileBytes(bytes), options: DecoderOptions(), rowsPerInterval: { _ in rowsPerInterval })
    guard let intervals = reader.intervals else { return nil }
    let (layout, step) = (reader.layout, intervals.rowsPerInterval)
    var memory = [UInt8](repeating: 0x5A, count: layout.mcuRows * layout.bytesPerRow)
    let isClean = memory.withUnsafeMutableBytes { memory in
      for first in stride(from: 0, to: layout.mcuRows, by: step).reversed() {
        do throws(CodecError) {
          try intervals.readRows(
            first..<min(first + step, layout.mcuRows),
            into: memory.baseAddress! + first * layout.bytesPerRow)
        } catch {
          return false
        }
      }
      return true
    }
    return isClean ? memory : nil
  }

  private static func coefficients(_ bytes: [UInt8]) throws -> [UInt8]? {
    let reader = try JPEGEntropyDecoder(FileBytes(bytes), options: DecoderOptions())
    let layout = reader.layout
    var memory = [UInt8](repeating: 0, count: layout.mcuRows * layout.bytesPerRow)
    return memory.withUnsafeMutableBytes { memory -> Bool in
      do throws(CodecError) {
        try reader.readRows(0..<layout.mcuRows, into: memory.baseAddress!)
        return reader.notices.allSatisfy { $0.kind == .convertedWithoutProfile }
      } catch {
        return false
      }
    } ? memory : nil
  }

  @Test(arguments: [ChromaSampling.s444, .s420], [1, 2, 3, 8, 100])
  func `coefficients read by restart interval match those read from the top`(
    sampling: ChromaSampling, rowsPerInterval: Int
  ) throws {
    let jpeg = try Fixture.encode(
      Fixture.scene(width: 70, height: 150), Fixture.settings(sampling: sampling), inBands: true)
    let whole = try #require(try Self.coefficients(jpeg))
    let rows = (150 + 8 * sampling.vertical - 1) / (8 * sampling.vertical)
    #expect(try Self.intervals(jpeg, rowsPerInterval) == (rowsPerInterval < rows ? whole : nil))
  }

  @Test func `a damaged restart interval is rejected or matches reading from the top`() throws {
    let jpeg = try Fixture.encode(
      Fixture.scene(width: 40, height: 60), Fixture.settings(quality: 60), inBands: true)
    let scan = try Fixture.segment(0xDA, of: jpeg)
    var random = SeededNumbers(5)
    var refused = 0
    for round in 0..<SeededNumbers.cases(400) {
      var damaged = jpeg
      let offset = scan.lowerBound + 14 + random.below(jpeg.count - scan.lowerBound - 14)
      switch random.below(3) {
      case 0: damaged.remove(at: offset)
      case 1: damaged.insert(UInt8(random.below(256)), at: offset)
      default: damaged[offset] ^= 1 << UInt8(random.below(8))
      }
      guard let intervals = try Self.intervals(damaged, 1) else {
        refused += 1
        continue
      }
      #expect(try Self.coefficients(damaged) == intervals, "round \(round), place \(offset)")
    }
    // A flipped bit can produce other valid codes.
    #expect(refused > SeededNumbers.cases(100))
  }

  @Test(.enabled(if: Corpora.path != nil, "set PHOTOEDIT_CORPORA to a folder of test files"))
  func `split decoding gives the same pixels for corpus files`() throws {
    let root = try #require(Corpora.path)
    var (halves, sliced) = (0, 0)
    for name in try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    where name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: root + "/" + name)))
      guard Self.check(bytes, name) else { continue }
      halves += 1
      if let intervals = try? Self.intervals(bytes, 1) {
        #expect(try Self.coefficients(bytes) == intervals, "\(name) in slices")
        sliced += 1
      }
    }
    print("corpora: \(halves) images use split decoding, \(sliced) restart intervals")
    #expect(halves > 100)
  }
}
