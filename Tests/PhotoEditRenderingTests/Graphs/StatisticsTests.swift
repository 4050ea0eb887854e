// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import Testing

@Suite("Whole-image statistics")
struct StatisticsTests {
  /// Counts levels in the simplest way.
  private static func counts(_ levels: [Int]) -> [Int] {
    levels.reduce(into: Array(repeating: 0, count: 256)) { $0[$1] += 1 }
  }

  @Test(arguments: [(17, 31), (1, 1), (1, 40), (40, 1), (64, 48)])
  func `equalized gray has the levels of its cumulative counts`(width: Int, height: Int) throws {
    let chart = Charts.image(width, height, .gray) { x, y, _ in (x * 7 + y * y * 3) % 97 + 40 }
    let levels = (0..<width * height).map { chart[x: $0 % width, y: $0 / width, channel: 0] }
    let counts = Self.counts(levels)
    let first = counts.firstIndex { $0 > 0 } ?? 0
    let raster = try Renderer.raster(Charts.source(chart), FilterGraph([Equalize()])).rgb[0]
    for (level, sample) in zip(levels, raster) {
      let sum = counts[(first + 1)..<max(level + 1, first + 1)].reduce(0, +)
      let rest = levels.count - counts[first]
      let expected = rest == 0 ? level : Int((Double(sum) * 255 / Double(rest)).rounded())
      #expect(Int((sample * 255).rounded()) == expected)
    }
  }

  @Test(arguments: [0.0, 1, 10], [false, true])
  func `clipped levels become black and white`(clip: Double, isLinked: Bool) throws {
    let chart = Charts.image(40, 30, .rgb) { x, y, channel in
      [x * 3 + 60, y * 5 + 20, (x * y) % 90 + 100][channel]
    }
    var filter = AutoLevels()
    (filter.clipLow, filter.clipHigh, filter.isLinked) = (clip, clip, isLinked)
    let raster = try Renderer.raster(Charts.source(chart), FilterGraph([filter])).rgb
    func levels(_ channel: Int) -> [Int] {
      (0..<1200).map { chart[x: $0 % 40, y: $0 / 40, channel: channel] }
    }
    for channel in 0..<3 {
      let sorted = (isLinked ? levels(0) + levels(1) + levels(2) : levels(channel)).sorted()
      let truncated = Int(Double(sorted.count) * clip / 100)
      let (low, high) = (sorted[truncated], sorted[sorted.count - 1 - truncated])
      for (level, sample) in zip(levels(channel), raster[channel]) {
        let expected = Double(level - low) / Double(high - low)
        #expect(abs(Double(sample) - expected) < 1e-5)
      }
    }
  }

  @Test func `a threshold separates two groups of levels`() throws {
    let chart = Charts.image(32, 32, .gray) { x, y, _ in
      (x + y) % 3 == 0 ? 180 + x % 20 : 40 + y % 30
    }
    var filter = Threshold(level: 0)
    filter.method = .otsu
    let raster = try Renderer.raster(Charts.source(chart), FilterGraph([filter])).rgb[0]
    for (index, sample) in raster.enumerated() {
      #expect(sample == (chart[x: index % 32, y: index / 32, channel: 0] >= 180 ? 1 : 0))
    }
  }

  /// The luma of (251, 61, 146) is 127.5, which counts as 128.
  @Test func `a luma of one half falls on the side to which it is rounded`() throws {
    let chart = Charts.image(20, 5, .rgb) { x, y, channel in
      y == 0 ? [251, 61, 146][channel] : y < 3 ? 127 : 250
    }
    var filter = Threshold(level: 0)
    filter.method = .otsu
    let raster = try Renderer.raster(Charts.source(chart), FilterGraph([filter])).rgb[0]
    // 127 and 128 are dark next to 250; the level is 128, and every value rounded to it is black.
    #expect(raster[..<60].allSatisfy { $0 == 0 } && raster[60...].allSatisfy { $0 == 1 })
    let halves = Charts.image(20, 5, .rgb) { x, y, channel in
      y == 0 ? [251, 61, 146][channel] : y < 4 ? 127 : 129
    }
    let split = try Renderer.raster(Charts.source(halves), FilterGraph([filter])).rgb[0]
    // Now the level is 127, and every value rounded to 128 is white.
    #expect(split[..<20].allSatisfy { $0 == 1 } && split[20..<80].allSatisfy { $0 == 0 })
  }

  @Test func `an image of one level is unchanged`() throws {
    let flat = Charts.image(9, 7, .rgb) { _, _, _ in 77 }
    for filter in [AutoLevels(), Equalize()] as [any Filter] {
      let raster = try Renderer.raster(Charts.source(flat), FilterGraph([filter])).rgb
      #expect(raster.allSatisfy { $0.allSatisfy { abs($0 * 255 - 77) < 0.001 } })
    }
  }

  /// The counts are those of the preceding steps, at full size, in any order.
  @Test(arguments: [1, 4])
  func `counts follow the preceding steps for any strips and threads`(threads: Int) throws {
    let image = try Charts.source(Charts.noise(61, 47))
    let before = try FilterCatalog.filter(argument: "levels:outBlack=0.3,outWhite=0.6")
    let graph = try FilterGraph([before, AutoLevels(), CLAHE(), Equalize()])
    let expected = try Renderer.raster(image, graph)
    for height in [1, 5, 300] {
      var options = RenderOptions()
      (options.stripHeight, options.threads) = (height, threads)
      #expect(try Renderer.raster(image, graph, options: options) == expected)
    }
    let stretched = try Renderer.raster(image, FilterGraph([before, AutoLevels()])).rgb[0]
    #expect((stretched.min() ?? 1) <= 0 && (stretched.max() ?? 0) >= 1)
  }

  @Test func `sixteen whole-image filters are allowed and one more is rejected`() throws {
    let image = try Charts.source(Charts.noise(5, 4))
    let most = FilterGraph.maximumStatistics
    let looks = try FilterGraph(Array(repeating: Equalize(), count: most))
    #expect(looks.blockingReasons.isEmpty)
    _ = try Renderer.raster(image, looks)
    let error = try #require(throws: RenderError.self) {
      try Renderer.raster(image, looks.appending([AutoLevels()]))
    }
    #expect("\(error)".contains("more than 16 filters that use image statistics"), "\(error)")
  }

  @Test func `a damaged attachment is reported as damaged`() throws {
    let text =
      #"{"assets":{"logo":{"bytes":3,"digest":"sha256:00","type":"image/png"}},"#
      + #""format":"org.photoedit.filter-graph","nodes":["#
      + #"{"filter":"overlay","params":{"asset":"logo"}}],"version":"1.0"}"#
    let graph = try FilterGraph(json: Array(text.utf8))
    let error = try #require(throws: RenderError.self) {
      try Renderer.raster(Charts.source(Charts.noise(5, 4)), graph)
    }
    #expect("\(error)".contains("'logo': entry is damaged or from a newer version"), "\(error)")
  }

  @Test func `random numbers match the known answers`() {
    // Random123, kat_vectors, philox 4x64 10.
    #expect(
      PhiloxNoise.words(counter: SIMD4(), key: SIMD2())
        == SIMD4(
          0x1655_4D9E_CA36_314C, 0xDB20_FE9D_672D_0FDC, 0xD7E7_72CE_E186_176B,
          0x7E68_B68A_EC7B_A23B))
    #expect(
      PhiloxNoise.words(counter: SIMD4(repeating: .max), key: SIMD2(repeating: .max))
        == SIMD4(
          0x87B0_92C3_013F_E90B, 0x438C_3C67_BE8D_0224, 0x9CC7_D7C6_9CD7_77B6,
          0xA09C_AEBF_594F_0BA0))
  }

  @Test func `grain is positional noise with a variance of one`() throws {
    let flat = Charts.image(96, 80, .gray) { _, _, _ in 128 }
    let level = 128.0 / 255
    let raster = try Renderer.raster(
      Charts.source(flat), FilterGraph([Grain(amount: 1, seed: 99)])
    ).rgb[0]
    let noise = PhiloxNoise(seed: 99)
    var (sum, square, most) = (0.0, 0.0, 0.0)
    for y in 0..<80 {
      for x in 0..<96 {
        let n = noise.value(x: UInt64(x), y: UInt64(y), plane: 0)
        let expected = level + 4 * level * (1 - level) * n / 4
        most = max(most, abs(Double(raster[y * 96 + x]) - expected))
        (sum, square) = (sum + n, square + n * n)
      }
    }
    #expect(most < 1e-6)
    let count = 96.0 * 80
    #expect(abs(sum / count) < 0.05 && abs(square / count - 1) < 0.05)
  }

  @Test func `larger grains have the same strength as small ones`() throws {
    let flat = Charts.image(200, 160, .gray) { _, _, _ in 128 }
    func deviation(_ size: Double) throws -> Double {
      var grain = Grain(amount: 0.4, seed: 3)
      grain.size = size
      let raster = try Renderer.raster(Charts.source(flat), FilterGraph([grain])).rgb[0]
      let inner = raster.map { Double($0) - 128.0 / 255 }
      return (inner.reduce(0) { $0 + $1 * $1 } / Double(inner.count)).squareRoot()
    }
    let small = try deviation(0)
    #expect(abs(small - 0.1) < 0.005)
    #expect(abs(try deviation(1.5) - small) < 0.02)
  }
}
