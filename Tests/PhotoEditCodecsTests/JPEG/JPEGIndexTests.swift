// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

/// Columns of MCUs read by means of an index are those of the whole image.
@Suite("JPEG index", .seeded)
struct JPEGIndexTests {
  private typealias Fixture = JPEGScene

  /// Samplings of color images, and a gray image.
  static let samplings: [ChromaSampling?] = [.s444, .s422, .s420, .s440, .s411, nil]

  private static func jpeg(
    _ sampling: ChromaSampling?, width: Int, height: Int, quality: Int = 80
  ) throws -> [UInt8] {
    try Fixture.encode(
      Fixture.scene(width: width, height: height, channels: sampling == nil ? .gray : .rgb),
      Fixture.settings(quality: quality, sampling: sampling ?? .s444, isGray: sampling == nil))
  }

  /// Coefficients with the layout of their MCU rows.
  private struct Coefficients {
    var layout: JPEGCoefficientLayout
    var bytes: [UInt8]
    var components: [(offset: Int, blocksAcross: Int, vertical: Int)]

    /// The bytes of some columns of an MCU row, as an image of those columns would have them.
    func row(_ row: Int, _ columns: Range<Int>, of count: Int) -> [UInt8] {
      components.flatMap { component in
        let blocks = component.blocksAcross / count
        return (0..<component.vertical).flatMap { y in
          let start =
            row * layout.bytesPerRow + component.offset + y * component.blocksAcross * 128
          return bytes[
            start + columns.lowerBound * blocks * 128..<start + columns.upperBound * blocks * 128]
        }
      }
    }
  }

  /// Reads the whole image from the top; nil if it is damaged.
  private static func coefficients(_ jpeg: [UInt8], _ options: DecoderOptions) -> Coefficients? {
    do {
      let reader = try JPEGEntropyDecoder(FileBytes(jpeg), options: options)
      let layout = reader.layout
      var bytes = [UInt8](repeating: 0, count: layout.mcuRows * layout.bytesPerRow)
      try bytes.withUnsafeMutableBytes { memory in
        guard let base = memory.baseAddress else { return }
        try reader.readRows(0..<layout.mcuRows, into: base)
      }
      let count = options.decodesLumaOnly ? 1 : reader.frame.components.count
      return Coefficients(
        layout: layout, bytes: bytes,
        components: (0..<count).map { index in
          let (offset, across) = reader.plane(index)
          let single = reader.frame.components.count == 1
          return (offset, across, single ? 1 : reader.frame.components[index].verticalSampling)
        })
    } catch {
      return nil
    }
  }

  /// Creates an index, with slices of restart intervals if there are any; nil if it is rejected.
  private static func index(
    _ jpeg: [UInt8], _ grid: JPEGIndexGrid, _ options: DecoderOptions, means: inout [UInt8]
  ) throws -> JPEGIndex? {
    let reader = try JPEGEntropyDecoder(
      FileBytes(jpeg), options: options, rowsPerInterval: { _ in 1 })
    let index = try #require(reader.index(grid))
    means = [UInt8](repeating: 0x5A, count: index.layout.mcuRows * index.meanBytesPerRow)
    let step = index.intervals?.rowsPerInterval ?? 2
    let firsts = stride(from: 0, to: index.layout.mcuRows, by: step)
    return means.withUnsafeMutableBytes { means -> JPEGIndex? in
      do throws(CodecError) {
        // Slices are independent.
        for first in index.intervals == nil ? Array(firsts) : firsts.reversed() {
          try index.add(
            first..<min(first + step, index.layout.mcuRows),
            means: means.baseAddress.map { $0 + first * index.meanBytesPerRow })
        }
        return index
      } catch {
        return nil
      }
    }
  }

  private static func read(_ area: JPEGArea, _ index: JPEGIndex, columns: Int) throws -> [UInt8] {
    let count = area.rows.count * index.bytesPerRow(columns: columns)
    var memory = [UInt8](repeating: 0, count: count)
    try memory.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress else { return }
      try index.read(area, into: base, columns: columns)
    }
    return memory
  }

  @Test(arguments: samplings, [0, 1, 5, 19])
  func `areas of an index are those of the whole image`(
    sampling: ChromaSampling?, interval: Int
  ) throws {
    var numbers = SeededNumbers(interval)
    for (width, height, quality) in [(141, 97, 80), (64, 64, 100), (9, 200, 30), (203, 17, 95)] {
      let jpeg = try JPEGRecoding.recode(
        Self.jpeg(sampling, width: width, height: height, quality: quality),
        restartInterval: interval)
      for isLumaOnly in [false, true] {
        let options = DecoderOptions(decodesLumaOnly: isLumaOnly)
        let whole = try #require(Self.coefficients(jpeg, options))
        let frame = try JPEGDecoder(FileBytes(jpeg)).frame
        let across = frame.mcuColumns
        #expect(frame.restartInterval == interval)
        for step in Set([1, min(3, across), across]) {
          let grid = JPEGIndexGrid(step: step, including: numbers.below(across))
          var means: [UInt8] = []
          let index = try #require(try Self.index(jpeg, grid, options, means: &means))
          let isMean = stride(from: 0, to: whole.bytes.count, by: 128).allSatisfy {
            whole.bytes[$0..<$0 + 2].elementsEqual(means[$0 / 64..<$0 / 64 + 2])
          }
          #expect(isMean)
          for _ in 0..<8 {
            let (x, y) = (numbers.below(across), numbers.below(whole.layout.mcuRows))
            let area = JPEGArea(
              rows: y..<y + 1 + numbers.below(whole.layout.mcuRows - y),
              columns: x..<x + 1 + numbers.below(across - x))
            let found = try Self.read(area, index, columns: area.columns.count)
            let expected = area.rows.flatMap { whole.row($0, area.columns, of: across) }
            let isEqual = found == expected
            #expect(isEqual, "\(width)×\(height), step \(step), \(area)")
          }
        }
      }
    }
  }

  @Test(arguments: samplings.prefix(3), [0, 7])
  func `bands of samples are those of the whole image`(
    sampling: ChromaSampling?, interval: Int
  ) throws {
    let jpeg = try JPEGRecoding.recode(
      Self.jpeg(sampling, width: 301, height: 283), restartInterval: interval)
    let bytes = FileBytes(jpeg)
    let coefficients = try #require(Self.coefficients(jpeg, DecoderOptions()))
    let reconstructor = try JPEGPlaneReconstructor(bytes, options: DecoderOptions())
    let layout = reconstructor.layout
    var samples = [UInt8](repeating: 0, count: layout.mcuRows * layout.bytesPerMCURow)
    var rows = coefficients.bytes
    try rows.withUnsafeMutableBytes { rows in
      try samples.withUnsafeMutableBytes { samples in
        try reconstructor.readRows(
          0..<layout.mcuRows, into: samples.baseAddress!,
          coefficients: (0..<layout.mcuRows).map {
            rows.baseAddress! + $0 * coefficients.layout.bytesPerRow
          })
      }
    }
    for isReversed in [false, true] {
      let reader = try JPEGEntropyDecoder(bytes, options: DecoderOptions())
      let columns = try #require(
        try JPEGColumnReconstructor(reader, isReversed: isReversed, options: DecoderOptions()))
      try columns.index.add(0..<layout.mcuRows)
      #expect(columns.bands.count == 3)
      #expect(columns.bands.positions(of: 0..<128) == (isReversed ? 2..<3 : 0..<1))
      for band in 0..<3 {
        var memory = [UInt8](repeating: 0, count: columns.bytesPerBand)
        try memory.withUnsafeMutableBytes { memory in
          try columns.read(band, into: memory.baseAddress!)
        }
        let width = min(128, 301 - band * 128)
        let part = columns.layout
        for y in 0..<283 {
          let (row, line) = (y / layout.mcuHeight, y % layout.mcuHeight)
          let whole = row * layout.bytesPerMCURow + line * layout.lumaBytesPerRow + band * 128
          let own = row * part.bytesPerMCURow + line * part.lumaBytesPerRow
          #expect(samples[whole..<whole + width] == memory[own..<own + width])
          guard line < 8 else { continue }
          let chroma = (width + layout.sampling.horizontal - 1) / layout.sampling.horizontal
          for (offset, ownOffset) in [(layout.cb, part.cb), (layout.cr, part.cr)] {
            let whole =
              row * layout.bytesPerMCURow + offset + line * layout.chromaBytesPerRow
              + band * 128 / layout.sampling.horizontal
            let own = row * part.bytesPerMCURow + ownOffset + line * part.chromaBytesPerRow
            #expect(samples[whole..<whole + chroma] == memory[own..<own + chroma])
          }
        }
      }
    }
  }

  @Test(arguments: [0, 3])
  func `a damaged image is rejected or has the areas of the whole image`(interval: Int) throws {
    let jpeg = try JPEGRecoding.recode(
      Self.jpeg(.s420, width: 70, height: 60), restartInterval: interval)
    let scan = try Fixture.segment(0xDA, of: jpeg)
    var numbers = SeededNumbers(11 + interval)
    var rejected = 0
    for round in 0..<SeededNumbers.cases(400) {
      var damaged = jpeg
      let offset = scan.lowerBound + 14 + numbers.below(jpeg.count - scan.lowerBound - 14)
      switch numbers.below(4) {
      case 0: damaged.remove(at: offset)
      case 1: damaged.insert(UInt8(numbers.below(256)), at: offset)
      case 2: damaged.removeSubrange(offset...)
      default: damaged[offset] ^= 1 << UInt8(numbers.below(8))
      }
      var means: [UInt8] = []
      let grid = JPEGIndexGrid(step: 2)
      guard let index = try Self.index(damaged, grid, DecoderOptions(), means: &means) else {
        rejected += 1
        continue
      }
      let whole = try #require(Self.coefficients(damaged, DecoderOptions()), "round \(round)")
      let area = JPEGArea(rows: 1..<whole.layout.mcuRows, columns: 1..<4)
      let expected = area.rows.flatMap { whole.row($0, area.columns, of: index.columns) }
      let isEqual = try Self.read(area, index, columns: 3) == expected
      #expect(isEqual, "round \(round), place \(offset)")
    }
    // A flipped bit can produce other valid codes.
    #expect(rejected > SeededNumbers.cases(100))
  }

  @Test func `files that cannot be read by columns have no index`() throws {
    for name in ["jpeg-progressive.jpg", "jpeg-arithmetic.jpg"] {
      let reader = try JPEGEntropyDecoder(
        FileBytes(TestImages.bytes(name)), options: DecoderOptions())
      #expect(!reader.canBeIndexed)
      #expect(reader.index(JPEGIndexGrid(step: 1)) == nil)
    }
    let jpeg = FileBytes(try Self.jpeg(.s420, width: 70, height: 60))
    let scaled = try JPEGEntropyDecoder(jpeg, options: DecoderOptions(scale: .half))
    #expect(scaled.index(JPEGIndexGrid(step: 1)) == nil)
    let reader = try JPEGEntropyDecoder(jpeg, options: DecoderOptions())
    #expect(reader.index(JPEGIndexGrid(step: 6)) == nil)
    // An area outside the image is rejected.
    let index = try #require(reader.index(JPEGIndexGrid(step: 5)))
    try index.add(0..<4)
    #expect(throws: JPEGRestartIntervals.refusal) {
      _ = try Self.read(JPEGArea(rows: 0..<1, columns: 4..<6), index, columns: 2)
    }
    #expect(throws: JPEGRestartIntervals.refusal) {
      _ = try Self.read(JPEGArea(rows: 3..<5, columns: 0..<1), index, columns: 1)
    }
  }
}
