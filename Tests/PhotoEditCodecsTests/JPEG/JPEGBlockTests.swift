// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("JPEG coefficients by block")
struct JPEGBlockTests {
  typealias Fixture = JPEGScene
  typealias Chroma = JPEGCoefficientTransform.Chroma

  /// The component grids of a file.
  private func grids(_ bytes: [UInt8]) throws -> [CoefficientGrid] {
    let frame = try JPEGDecoder(FileBytes(bytes)).frame
    return try jpegCoefficients(FileBytes(bytes)).enumerated().map { index, values in
      let block = frame.blockSize(index)
      let columns = (frame.size.width + block.width - 1) / block.width
      return CoefficientGrid(
        columns: columns, rows: values.count / 64 / columns, values: values)
    }
  }

  /// The expected result of a transform, block by block.
  private func expected(
    _ bytes: [UInt8], _ transform: JPEGCoefficientTransform
  ) throws -> [CoefficientGrid] {
    let frame = try JPEGDecoder(FileBytes(bytes)).frame
    let crop = transform.crop
    let rotated = try grids(bytes).enumerated().map { index, grid in
      let block = frame.blockSize(index)
      return grid.cropped(
        columns: crop.x / block.width..<(crop.maxX + block.width - 1) / block.width,
        rows: crop.y / block.height..<(crop.maxY + block.height - 1) / block.height
      ).rotated(transform.orientation)
    }
    switch transform.chroma {
    case .keep: return rotated
    case .drop: return [rotated[0]]
    case .zero:
      return [rotated[0]]
        + rotated.dropFirst().map {
          CoefficientGrid(
            columns: $0.columns, rows: $0.rows,
            values: [Int16](repeating: 0, count: $0.columns * $0.rows * 64))
        }
    }
  }

  private func check(
    _ bytes: [UInt8], _ orientation: Orientation, _ crop: Region, _ chroma: Chroma
  ) throws {
    let transform = JPEGCoefficientTransform(orientation: orientation, crop: crop, chroma: chroma)
    let frame = try JPEGDecoder(FileBytes(bytes)).frame
    let label: Comment = "\(orientation) \(crop) \(chroma)"
    #expect(transform.isExact(for: frame), label)
    let result = try transform.run(FileBytes(bytes))
    #expect(result.notices.isEmpty, label)
    let output = try JPEGDecoder(FileBytes(result.bytes))
    #expect(output.header.size == orientation.applied(to: crop.size), label)
    #expect(try grids(result.bytes) == expected(bytes, transform), label)
    for (index, table) in output.frame.tables.enumerated() {
      #expect(
        table == (orientation.swapsAxes ? frame.tables[index].transposed : frame.tables[index]),
        label)
    }
    #expect(Decoding.decode(result.bytes).notices.isEmpty, label)
  }

  // MARK: Coefficients

  @Test(
    arguments: ["jpeg-444.jpg", "jpeg-422.jpg", "jpeg-440.jpg", "jpeg-restart.jpg"],
    Orientation.allCases)
  func `only the position and the signs of blocks change`(
    name: String, orientation: Orientation
  ) throws {
    let bytes = try TestImages.bytes(name)
    for chroma in [Chroma.keep, .drop, .zero] {
      try check(bytes, orientation, Region(x: 0, y: 0, width: 240, height: 176), chroma)
    }
    try check(bytes, orientation, Region(x: 32, y: 48, width: 64, height: 16), .keep)
    try check(bytes, orientation, Region(x: 16, y: 16, width: 224, height: 160), .zero)
  }

  @Test(arguments: Orientation.allCases)
  func `wide-MCU, gray, progressive and arithmetic files are transformed the same way`(
    orientation: Orientation
  ) throws {
    for name in ["jpeg-411.jpg", "jpeg-progressive.jpg", "jpeg-arithmetic.jpg"] {
      let bytes = try TestImages.bytes(name)
      try check(bytes, orientation, Region(x: 32, y: 32, width: 96, height: 64), .keep)
    }
    try check(
      TestImages.bytes("jpeg-gray.jpg"), orientation, Region(x: 8, y: 24, width: 40, height: 56),
      .keep)
  }

  /// Each orientation with the edges that are on a grid of 16 pixels in its crop of a 45×61 image.
  @Test(arguments: [
    (Orientation.up, 16, 16, 45, 61), (.upMirrored, 5, 16, 32, 61), (.down, 5, 3, 32, 48),
    (.downMirrored, 16, 3, 45, 48), (.leftMirrored, 16, 16, 45, 61), (.right, 16, 3, 45, 48),
    (.rightMirrored, 5, 3, 32, 48), (.left, 5, 16, 32, 61),
  ])
  func `partial blocks at the far edges stay in place`(
    orientation: Orientation, x: Int, y: Int, maxX: Int, maxY: Int
  ) throws {
    let crop = Region(x: x, y: y, width: maxX - x, height: maxY - y)
    for sampling in JPEGReadBackTests.samplings {
      let bytes = try Fixture.encode(
        Fixture.scene(width: 45, height: 61), Fixture.settings(sampling: sampling))
      for chroma in [Chroma.keep, .drop, .zero] { try check(bytes, orientation, crop, chroma) }
    }
  }

  @Test(arguments: ["jpeg-422.jpg", "jpeg-gray.jpg"], Orientation.allCases)
  func `rotating back restores the coefficients`(
    name: String, orientation: Orientation
  ) throws {
    let bytes = try TestImages.bytes(name)
    let there = try JPEGCoefficientTransform(
      orientation: orientation, crop: Region(x: 0, y: 0, width: 240, height: 176), chroma: .keep
    ).run(FileBytes(bytes)).bytes
    let size = try JPEGDecoder(FileBytes(there)).frame.size
    let back = try JPEGCoefficientTransform(
      orientation: orientation.inverse, crop: Region(size), chroma: .keep
    ).run(FileBytes(there)).bytes
    #expect(try grids(back) == grids(bytes))
    #expect(Decoding.decode(back).image == Decoding.decode(bytes).image)
  }

  // MARK: Pixels

  @Test(arguments: Orientation.allCases)
  func `transformed coefficients show transformed pixels`(orientation: Orientation) throws {
    for name in ["jpeg-444.jpg", "jpeg-422.jpg", "jpeg-restart.jpg", "jpeg-gray.jpg"] {
      let bytes = try TestImages.bytes(name)
      let image = try #require(Decoding.decode(bytes).image)
      let transform = JPEGCoefficientTransform(
        orientation: orientation, crop: Region(image.size), chroma: .keep)
      let rotated = try #require(Decoding.decode(try transform.run(FileBytes(bytes)).bytes).image)
      var worst = 0
      for y in 0..<rotated.size.height {
        for x in 0..<rotated.size.width {
          let (sx, sy) = orientation.storedPosition(x: x, y: y, stored: image.size)
          for c in 0..<image.layout.channels.count {
            let other = image[x: sx, y: sy, channel: c]
            worst = max(worst, abs(rotated[x: x, y: y, channel: c] - other))
          }
        }
      }
      // Upsampling and the inverse transform round differently when mirrored, and upsampling again
      // when columns become rows.
      #expect(worst <= (orientation.swapsAxes && name == "jpeg-422.jpg" ? 4 : 3), "\(name)")
    }
  }

  // MARK: Files of every kind

  @Test func `a gray file with sampling factors is cropped on any block`() throws {
    // Sampling factors of a single component have no meaning; some cameras write 2×2.
    var bytes = try Fixture.encode(
      Fixture.scene(width: 48, height: 40, channels: .gray), Fixture.settings(isGray: true))
    let plain = bytes
    bytes[try Fixture.segment(0xC0, of: bytes).lowerBound + 11] = 0x22
    #expect(try JPEGDecoder(FileBytes(bytes)).frame.components[0].horizontalSampling == 2)
    for orientation in Orientation.allCases {
      let crop = Region(x: 8, y: 24, width: 24, height: 8)
      try check(bytes, orientation, crop, .keep)
      try check(bytes, orientation, Region(x: 0, y: 0, width: 48, height: 40), .keep)
      let transform = JPEGCoefficientTransform(orientation: orientation, crop: crop, chroma: .keep)
      #expect(
        try transform.run(FileBytes(bytes)).bytes == transform.run(FileBytes(plain)).bytes)
    }
  }

  @Test(arguments: Orientation.allCases)
  func `every component keeps its quantization table`(orientation: Orientation) throws {
    let bytes = try threeTables()
    let tables = try JPEGDecoder(FileBytes(bytes)).frame.tables
    #expect(Set(tables).count == 3)
    try check(bytes, orientation, Region(x: 0, y: 0, width: 48, height: 32), .keep)
    // At quality 100 luma and chroma have the same table.
    let fine = try Fixture.encode(
      Fixture.scene(width: 48, height: 32), Fixture.settings(quality: 100, sampling: .s444))
    try check(fine, orientation, Region(x: 0, y: 0, width: 48, height: 32), .keep)
  }

  /// A file whose Cr has a third quantization table, with 16-bit elements.
  private func threeTables() throws -> [UInt8] {
    var bytes = try Fixture.encode(
      Fixture.scene(width: 48, height: 32), Fixture.settings(sampling: .s444))
    let frame = try Fixture.segment(0xC0, of: bytes).lowerBound
    bytes[frame + 18] = 2
    let quantization = (0..<64).flatMap { [UInt8($0 == 9 ? 0x7F : 1), UInt8($0)] }
    bytes.insert(contentsOf: [0xFF, 0xDB, 0, 131, 0x12] + quantization, at: 2)
    return bytes
  }

  @Test func `coefficients that do not fit into a baseline file are rejected`() throws {
    // A DC of 1024 and more: differences of eleven bits that add up.
    let huge = try Self.climbingDC()
    #expect(try jpegCoefficients(FileBytes(huge))[0][64] > 1023)
    for orientation in [Orientation.up, .down] {
      let transform = JPEGCoefficientTransform(
        orientation: orientation, crop: Region(x: 0, y: 0, width: 24, height: 8), chroma: .keep)
      let error = #expect(throws: CodecError.self) { try transform.run(FileBytes(huge)) }
      guard case .unsupported? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(Decoding.decode(huge).image != nil)
  }

  /// A gray file of three blocks, each with a DC 1500 above the previous one.
  static func climbingDC() throws -> [UInt8] {
    let plain = try Fixture.encode(
      Fixture.scene(width: 24, height: 8, channels: .gray), Fixture.settings(isGray: true))
    let scan = try Fixture.segment(0xDA, of: plain)
    // Annex K: DC category 11 is 111111110, end of block is 1010.
    let block = "111111110" + String(1500, radix: 2) + "1010"
    var bits = block + block + block
    while bits.count % 8 != 0 { bits += "1" }
    var samples: [UInt8] = []
    for start in stride(from: 0, to: bits.count, by: 8) {
      let byte = UInt8(bits.dropFirst(start).prefix(8), radix: 2)!
      samples += byte == 0xFF ? [0xFF, 0] : [byte]
    }
    return Array(plain[..<(scan.lowerBound + 10)]) + samples + [0xFF, 0xD9]
  }

  // MARK: Exactness

  @Test(arguments: [
    // The image has 45×61 pixels, its MCU 16×16; complete edges are those at multiples of 16.
    (Orientation.up, true, false, false, true), (.upMirrored, false, true, false, true),
    (.down, false, false, false, true), (.downMirrored, false, false, true, true),
    (.leftMirrored, true, false, false, true), (.right, false, false, true, true),
    (.rightMirrored, false, false, false, true), (.left, false, true, false, true),
  ])
  func `a transform is exact if it starts on the MCU grid`(
    orientation: Orientation, whole: Bool, wideEdge: Bool, tallEdge: Bool, aligned: Bool
  ) throws {
    let bytes = try Fixture.encode(Fixture.scene(width: 45, height: 61), Fixture.settings())
    let frame = try JPEGDecoder(FileBytes(bytes)).frame
    #expect(frame.mcuSize == PixelSize(width: 16, height: 16))
    func isExact(_ x: Int, _ y: Int, _ maxX: Int, _ maxY: Int) -> Bool {
      JPEGCoefficientTransform(
        orientation: orientation, crop: Region(x: x, y: y, width: maxX - x, height: maxY - y),
        chroma: .keep
      ).isExact(for: frame)
    }
    #expect(isExact(0, 0, 45, 61) == whole)
    #expect(isExact(3, 0, 32, 61) == wideEdge)
    #expect(isExact(0, 3, 45, 48) == tallEdge)
    #expect(isExact(16, 32, 32, 48) == aligned)
    #expect(!isExact(1, 1, 31, 47))
    #expect(!isExact(8, 8, 24, 24))
  }

  @Test(arguments: [
    // 3:2 is not an integer ratio; 4×4, 1×1 and 1×1 give eighteen blocks, too many for one scan.
    ([0x21, 0x11, 0x31] as [UInt8], false), ([0x44, 0x11, 0x11], false),
    ([0x12, 0x21, 0x11], true),
    ([0x42, 0x11, 0x11], true),
  ])
  func `sampling that no decoder can read is not written`(factors: [UInt8], isExact: Bool) throws {
    var bytes = try Fixture.encode(
      Fixture.scene(width: 96, height: 96), Fixture.settings(sampling: .s444))
    let start = try Fixture.segment(0xC0, of: bytes).lowerBound
    for (index, factor) in factors.enumerated() { bytes[start + 11 + 3 * index] = factor }
    let frame = try? JPEGDecoder(FileBytes(bytes)).frame
    for chroma in [Chroma.keep, .zero] {
      let transform = JPEGCoefficientTransform(
        orientation: .down, crop: Region(x: 0, y: 0, width: 96, height: 96), chroma: chroma)
      // Chroma finer than luma has no grid on which it could be cleared.
      let isExpected = isExact && (chroma == .keep || factors[0] == 0x42)
      #expect(frame.map { transform.isExact(for: $0) } ?? false == isExpected, "\(chroma)")
    }
  }

  @Test(arguments: ["jpeg-rgb.jpg", "jpeg-cmyk.jpg", "jpeg-ycck.jpg"])
  func `transforms of other color types are never exact`(name: String) throws {
    let frame = try JPEGDecoder(FileBytes(TestImages.bytes(name))).frame
    let transform = JPEGCoefficientTransform(
      orientation: .up, crop: Region(frame.size), chroma: .keep)
    #expect(!transform.isExact(for: frame))
  }

  // MARK: Damage and cancellation

  @Test(arguments: [
    "jpeg-truncated.jpg", "jpeg-truncated-progressive.jpg", "jpeg-bad-huffman.jpg",
    "jpeg-lost-restart.jpg",
  ])
  func `damaged coefficients are rejected unless decoding is lenient`(name: String) throws {
    let bytes = try FileBytes(TestImages.bytes("malformed/" + name))
    let transform = JPEGCoefficientTransform(
      orientation: .down, crop: Region(x: 0, y: 0, width: 96, height: 64), chroma: .keep)
    let error = #expect(throws: CodecError.self) { try transform.run(bytes) }
    guard case .damaged? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let lenient = try transform.run(bytes, options: DecoderOptions(isLenient: true))
    #expect(lenient.notices.contains { $0.kind == .filled })
    #expect(Decoding.decode(lenient.bytes).image?.size == PixelSize(width: 96, height: 64))
  }

  @Test func `a transform can be canceled`() throws {
    let bytes = try FileBytes(TestImages.bytes("jpeg-444.jpg"))
    let transform = JPEGCoefficientTransform(
      orientation: .down, crop: Region(x: 0, y: 0, width: 240, height: 176), chroma: .keep)
    #expect(throws: CodecError.cancelled) { try transform.run(bytes, isCancelled: { true }) }
  }
}
