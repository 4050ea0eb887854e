// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("High dynamic range", .seeded)
struct HighDynamicRangeTests {
  private func range(
    _ transfer: Int, primaries: Int = 9, brightest: Double? = nil
  ) throws -> HighDynamicRange {
    try #require(
      HighDynamicRange(
        primariesCode: primaries, transferCode: transfer, brightest: brightest))
  }

  /// The code value of a luminance by the inverse of PQ, written in another form than in the sources.
  private func perceptual(_ luminance: Double) -> Double {
    let y = pow(luminance / 10_000, 2610.0 / 16_384)
    return pow((3424.0 / 4096 + 2413.0 / 128 * y) / (1 + 2392.0 / 128 * y), 2523.0 / 32)
  }

  // MARK: Definitions

  @Test(arguments: [(203, 0.580689), (100, 0.508078), (1000, 0.751827), (10_000, 1), (0, 0)])
  func `PQ gives the luminance of BT_2100`(luminance: Double, code: Double) throws {
    let range = try range(16)
    #expect(abs(range.light(code) * range.peak - luminance) <= 1e-4 * luminance + 1e-9)
    #expect(abs(perceptual(luminance) - code) < 2e-6)
  }

  @Test(arguments: [(0.75, 203.15), (1, 1000), (0.5, 50.7), (0, 0)])
  func `HLG gives the luminance of a display of 1000 candelas`(
    code: Double, luminance: Double
  ) throws {
    let range = try range(18)
    let scene = range.light(code)
    #expect(abs(scene * range.systemGain(scene) * range.peak - luminance) <= 1e-3 * luminance)
  }

  @Test(
    arguments: [
      (1, 0.0985), (10, 0.2362), (100, 0.5387), (203, 0.6869), (400, 0.8328), (1000, 1), (0, 0),
    ])
  func `grays are mapped by method A of BT_2446`(luminance: Double, value: Double) throws {
    let luma = try range(16).mapped(pow(luminance / 1000, 1 / 2.4))
    #expect(abs(luma - value) < 5e-5)
  }

  @Test func `the peak is the stated light level of PQ, within bounds`() throws {
    #expect(try range(16).peak == 1000)
    #expect(try range(16, brightest: 0).peak == 1000)
    #expect(try range(16, brightest: 4000).peak == 4000)
    #expect(try range(16, brightest: 60).peak == 100)
    #expect(try range(16, brightest: 1e6).peak == 10_000)
    #expect(try range(18, brightest: 4000).peak == 1000)
    // At the peak of standard range, little is left of the curve.
    let plain = try range(16, brightest: 100)
    for value in [0.1, 0.5, 0.9] { #expect(abs(plain.mapped(value) - value) < 0.08) }
    for code in [1, 13, 17] {
      #expect(HighDynamicRange(primariesCode: 9, transferCode: code) == nil)
    }
  }

  // MARK: Rows

  /// Maps a color by the steps of the recommendation, in double precision.
  private func reference(_ codes: [Double], _ range: HighDynamicRange) -> [Double] {
    var light = codes.map { range.light($0) }
    if let matrix = range.matrixToBT2020 { light = ColorMatrix.product(matrix, light) }
    let luminance = 0.2627 * light[0] + 0.6780 * light[1] + 0.0593 * light[2]
    light = light.map { min(max($0 * range.systemGain(max(luminance, 0)), 0), 1) }
    let (r, g, b) = (pow(light[0], 1 / 2.4), pow(light[1], 1 / 2.4), pow(light[2], 1 / 2.4))
    let y = 0.2627 * r + 0.6780 * g + 0.0593 * b
    let target = range.mapped(y)
    let factor = y > 0 ? target / (1.1 * y) : 0
    let (cb, cr) = (factor * (b - y) / 1.8814, factor * (r - y) / 1.4746)
    let luma = target - max(0.1 * cr, 0)
    let mapped = [
      luma + 1.4746 * cr, luma - 0.16455312684366 * cb - 0.57135312684366 * cr, luma + 1.8814 * cb,
    ]
    let linear = ColorMatrix.product(
      HighDynamicRange.matrixToDisplayP3, mapped.map { pow(min(max($0, 0), 1), 2.4) })
    return linear.map { value in
      let x = min(max(value, 0), 1)
      return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055
    }
  }

  @Test(arguments: [(16, 9, 1000.0), (16, 12, 600), (16, 1, 4000), (18, 9, 1000), (18, 12, 1000)])
  func `rows follow the definition within a tenth of a level, and alpha stays`(
    transfer: Int, primaries: Int, peak: Double
  ) throws {
    let range = try range(transfer, primaries: primaries, brightest: peak)
    let mapper = ToneMapper(range)
    var random = SeededNumbers(17)
    for bytesPerSample in [1, 2] {
      let most = bytesPerSample == 1 ? 255 : 65_535
      for channels in [ChannelLayout.gray, .grayAlpha, .rgb, .rgba] {
        let layout = RowLayout(channels: channels, bytesPerSample: bytesPerSample)
        var image = ImageBuffer(size: PixelSize(width: 400, height: 1), layout: layout)
        for x in 0..<400 {
          for channel in 0..<channels.rawValue {
            // Also black, white, and the darkest codes.
            image[x: x, y: 0, channel: channel] =
              x < 3 ? [0, most, 1][x] : Int(random.next() % UInt64(most + 1))
          }
        }
        let before = image
        // Rows may start at odd addresses.
        var bytes = [0] + image.bytes
        bytes.withUnsafeMutableBytes { bytes in
          if let base = bytes.baseAddress { mapper.convert(400, layout, at: base + 1) }
        }
        image.bytes = Array(bytes.dropFirst())
        var worst = 0.0
        for x in 0..<400 {
          let codes = (0..<channels.colorCount).map {
            Double(before[x: x, y: 0, channel: $0]) / Double(most)
          }
          let expected = reference(
            codes.count == 1 ? [codes[0], codes[0], codes[0]] : codes, range)
          for channel in 0..<channels.colorCount {
            let value = Double(image[x: x, y: 0, channel: channel]) / Double(most)
            worst = max(worst, abs(value - expected[channel]) * 255)
          }
          if channels.hasAlpha {
            let alpha = channels.rawValue - 1
            #expect(image[x: x, y: 0, channel: alpha] == before[x: x, y: 0, channel: alpha])
          }
        }
        #expect(worst < (bytesPerSample == 1 ? 0.6 : 0.1), "\(channels): \(worst) levels")
      }
    }
  }

  @Test func `gray stays gray in both, and brighter codes never become darker`() throws {
    for transfer in [16, 18] {
      let mapper = ToneMapper(try range(transfer))
      let layout = RowLayout(channels: .rgb, bytesPerSample: 2)
      var image = ImageBuffer(size: PixelSize(width: 1024, height: 1), layout: layout)
      for x in 0..<1024 {
        for channel in 0..<3 { image[x: x, y: 0, channel: channel] = x * 65_535 / 1023 }
      }
      image.bytes.withUnsafeMutableBytes { bytes in
        if let base = bytes.baseAddress { mapper.convert(1024, layout, at: base) }
      }
      let levels = (0..<1024).map { image[x: $0, y: 0, channel: 1] }
      #expect(levels == levels.sorted() && levels[0] == 0 && levels[1023] == 65_535)
      for x in 0..<1024 {
        #expect(abs(image[x: x, y: 0, channel: 0] - levels[x]) < 26)
        #expect(abs(image[x: x, y: 0, channel: 2] - levels[x]) < 26)
      }
    }
  }

  // MARK: Files

  @Test func `a PNG in PQ becomes Display P3, with the peak that it states`() throws {
    let levels: [Double] = [0, 100, 203, 1000]
    var image = ImageBuffer(
      size: PixelSize(width: 4, height: 1), layout: RowLayout(channels: .rgb, bytesPerSample: 2))
    for (x, level) in levels.enumerated() {
      for channel in 0..<3 {
        image[x: x, y: 0, channel: channel] = Int((perceptual(level) * 65_535).rounded())
      }
    }
    let plain = try PNGEncoder.encode(image)
    for (peak, chunks) in [
      (1000.0, []), (4000, [("cLLI", HEIFFile.number(40_000_000, 4) + HEIFFile.number(0, 4))]),
    ] {
      let file = FileBytes(ProfiledFiles.png(plain, adding: [("cICP", [9, 16, 0, 1])] + chunks))
      let decoder = try ImageDecoders.open(file)
      #expect(decoder.header.toneMapping == ToneMapping(method: "bt2446a", peak: peak))
      let rows = try ImageDecoders.decode(decoder)
      let range = try range(16, brightest: peak)
      for (x, level) in levels.enumerated() {
        let linear = pow(range.mapped(pow(level / peak, 1 / 2.4)), 2.4)
        let value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055
        #expect(abs(Double(rows[x: x, y: 0, channel: 1]) / 257 - value * 255) < 0.1)
      }
      let metadata = try ImageMetadata.read(file)
      #expect(metadata.losses.map(\.kind) == [.dynamicRange])
      #expect(metadata.losses[0].detail.contains("\(Int(peak)) cd/m²"))
      let color = ImageColorSpace(decoder.header, metadata)
      #expect(color.description == "Display P3, kept" && color.transfers.isEmpty)
    }
  }

  @Test func `codes of another matrix or range, and damaged chunks, are not HDR`() throws {
    let image = ImageBuffer(
      size: PixelSize(width: 2, height: 2), layout: RowLayout(channels: .rgb, bytesPerSample: 2))
    let plain = try PNGEncoder.encode(image)
    for codes: [UInt8] in [[9, 16, 9, 1], [9, 16, 0, 0], [3, 16, 0, 1]] {
      let file = FileBytes(ProfiledFiles.png(plain, adding: [("cICP", codes)]))
      #expect(try ImageDecoders.open(file).header.toneMapping == nil)
      #expect(try ImageMetadata.read(file).losses.map(\.kind) == [.colorTags])
    }
    var damaged = ProfiledFiles.png(plain, adding: [("cICP", [9, 16, 0, 1])])
    damaged[8 + 25 + 8] ^= 1
    #expect(try ImageDecoders.open(FileBytes(damaged)).header.toneMapping == nil)
  }
}
