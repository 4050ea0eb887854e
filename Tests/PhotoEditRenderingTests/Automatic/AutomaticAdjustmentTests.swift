// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

/// The expected numbers are those of the same definitions in numpy, on exact levels instead of
/// cells of four.
@Suite("Automatic adjustment")
struct AutomaticAdjustmentTests {
  private typealias Kind = AutomaticAdjustment.Kind
  private static let size = (width: 120, height: 80)

  /// A texture of levels in the light of a color, in percent.
  private static func texture(
    _ level: @escaping (Int, Int) -> Int, _ light: [Int]
  ) throws -> ImageSource {
    try Charts.source(
      Charts.image(size.width, size.height, .rgb) { x, y, channel in
        min(255, level(x, y) * light[channel] / 100)
      })
  }

  private static func dark() throws -> ImageSource {
    try texture({ 20 + ($0 * 37 + $1 * 61) % 120 }, [80, 92, 100])
  }

  private static func bright() throws -> ImageSource {
    try texture({ 140 + ($0 * 13 + $1 * 7) % 70 }, [112, 100, 85])
  }

  private static func even(_ light: [Int] = [100, 100, 100]) throws -> ImageSource {
    try texture({ ($0 * 31 + $1 * 17) % 256 }, light)
  }

  /// The value of a parameter in the filters of an adjustment; nil without the filter.
  private static func value(
    _ filter: String, _ parameter: String, in adjustment: AutomaticAdjustment
  ) -> Double? {
    for found in adjustment.filters where type(of: found).description.name == filter {
      if case .number(let value)? = found.values[parameter] { return value }
    }
    return nil
  }

  @Test(
    arguments: [
      (
        "dark",
        ["whiteBalance", "exposure", "blackWhitePoint", "sigmoidalContrast", "shadowsHighlights"],
        [
          ("whiteBalance", "temperature", 7884, 90), ("whiteBalance", "tint", 5.24, 0.6),
          ("exposure", "ev", 0.65, 0.001), ("exposure", "rolloff", 0.35, 0),
          ("blackWhitePoint", "black", 0.04, 0.001), ("blackWhitePoint", "white", 0.904, 0.001),
          ("sigmoidalContrast", "amount", 0.917, 0.08),
          ("shadowsHighlights", "shadows", 0.046, 0.015),
        ]
      ),
      (
        "bright", ["whiteBalance", "exposure", "blackWhitePoint", "sigmoidalContrast", "vibrance"],
        [
          ("whiteBalance", "temperature", 5709, 40), ("whiteBalance", "tint", -0.44, 0.5),
          ("exposure", "ev", -0.185, 0.015), ("sigmoidalContrast", "amount", 1.5, 0.001),
          ("sigmoidalContrast", "mid", 0.6, 0.001), ("vibrance", "amount", 0.25, 0.001),
        ]
      ),
      ("even", ["shadowsHighlights"], [("shadowsHighlights", "shadows", 0.039, 0.012)]),
    ] as [(String, [String], [(String, String, Double, Double)])])
  func `the numbers are those of the definition`(
    image: String, filters: [String], values: [(String, String, Double, Double)]
  ) throws {
    let source =
      switch image {
      case "dark": try Self.dark()
      case "bright": try Self.bright()
      default: try Self.even()
      }
    let adjustment = try Renderer.automaticAdjustment(of: source)
    #expect(adjustment.filters.map { type(of: $0).description.name } == filters)
    for (filter, parameter, expected, tolerance) in values {
      let found = try #require(Self.value(filter, parameter, in: adjustment))
      #expect(abs(found - expected) <= tolerance, "\(filter).\(parameter): \(found)")
    }
  }

  @Test func `color noise is reduced before a dark image is brightened`() throws {
    func image(_ noise: Int, _ level: Int) throws -> ImageSource {
      let chart = Charts.noise(256, 192)
      return try Charts.source(
        Charts.image(256, 192, .rgb) { x, y, channel in
          let base = level + x / 4 + (y / 24 % 2) * 20
          let level = base + (Int(chart[x: x, y: y, channel: channel]) - 128) * noise / 256
          return min(max(level, 0), 255)
        })
    }
    let noisy = try Renderer.automaticAdjustment(of: image(30, 30), kinds: [.light])
    let reduction = try #require(noisy.filters.first as? DenoiseNLM)
    // A uniform distribution over 30 levels has a deviation of 8.7, and its luma 5.8.
    #expect(abs(reduction.h / 0.45 * 255 - 5.8) < 1.5, "\(reduction.h)")
    #expect(reduction.chroma == 2 && reduction.sigma == 0)
    #expect(noisy.filters.contains { $0 is Exposure })
    let after = try Renderer.raster(image(30, 30), FilterGraph([reduction]))
    let before = try Renderer.raster(image(30, 30), FilterGraph())
    func colors(_ raster: Raster) -> Double {
      zip(raster.rgb[0], raster.rgb[2]).reduce(0.0) { $0 + abs(Double($1.0 - $1.1)) }
    }
    #expect(colors(after) < 0.5 * colors(before))
    // Neither without noise, nor if nothing is amplified, nor for a texture.
    for (noise, level) in [(2, 30), (30, 100), (200, 30)] {
      let other = try Renderer.automaticAdjustment(of: image(noise, level), kinds: [.light])
      #expect(!other.filters.contains { $0 is DenoiseNLM }, "\(noise) \(level)")
    }
  }

  @Test func `threads, strips and the orientation do not change the numbers`() throws {
    let source = try Self.dark()
    let expected = try Renderer.automaticAdjustment(of: source).filters.map(\.values)
    for (threads, height) in [(1, 1), (7, 3), (3, 80)] {
      var options = RenderOptions()
      (options.threads, options.stripHeight) = (threads, height)
      let found = try Renderer.automaticAdjustment(of: source, options: options)
      #expect(found.filters.map(\.values) == expected)
    }
    for orientation in [Orientation.left, .down, .rightMirrored] {
      let rotated = try FilterGraph([Orient(orientation)])
      let found = try Renderer.automaticAdjustment(of: source, after: rotated)
      #expect(found.filters.map(\.values) == expected, "\(orientation)")
    }
  }

  @Test func `the same base gives the same nodes, with four digits`() throws {
    let source = try Self.bright()
    var graph = try FilterGraph([Crop(x: 0.1, y: 0, width: 0.8, height: 1)])
    try graph.apply(Renderer.automaticAdjustment(of: source, after: graph.beforeAutomaticNodes))
    let once = graph
    #expect(once.nodes.count == 6)
    try graph.apply(Renderer.automaticAdjustment(of: source, after: graph.beforeAutomaticNodes))
    #expect(graph.nodes.map(\.filter) == once.nodes.map(\.filter))
    for (node, other) in zip(graph.nodes, once.nodes) {
      #expect(try node.resolved().values == other.resolved().values)
      guard node.isAutomatic else { continue }
      for case .number(let value) in try node.resolved().values.values {
        let digits = "\(value)".filter(\.isNumber).drop { $0 == "0" }
        #expect(digits.count <= 5, "\(value)")
      }
    }
    // Graphs before the nodes take part in the measurement.
    let darkened = try FilterGraph([Exposure(ev: -2)])
    let other = try Renderer.automaticAdjustment(of: source, after: darkened)
    #expect(Self.value("exposure", "ev", in: other) ?? 0 > 0)
  }

  @Test func `a white border moves the exposure little`() throws {
    let plain = try Renderer.automaticAdjustment(of: Self.bright(), kinds: [.light])
    var pad = Pad()
    (pad.top, pad.bottom, pad.left, pad.right) = (4, 4, 6, 6)
    let framed = try Renderer.automaticAdjustment(
      of: Self.bright(), after: FilterGraph([pad]), kinds: [.light])
    let (a, b) = (Self.value("exposure", "ev", in: plain), Self.value("exposure", "ev", in: framed))
    #expect(abs((a ?? 0) - (b ?? 0)) < 0.1)
  }

  @Test func `an image that cannot be judged is left alone with a reason`() throws {
    // A lawn, whose colors agree on a green light that no lamp has.
    let lawn = try Renderer.automaticAdjustment(
      of: Self.even([70, 100, 45]), kinds: [.whiteBalance])
    #expect(lawn.filters.isEmpty)
    #expect(lawn.unchanged.map(\.kind) == [.whiteBalance])
    #expect(lawn.unchanged[0].reason.contains("uncertain"))
    let balanced = try Renderer.automaticAdjustment(of: Self.even(), kinds: [.whiteBalance])
    #expect(balanced.unchanged.map(\.reason) == ["neutral"])
    let flat = try Charts.source(Charts.image(9, 9, .rgb) { _, _, _ in 120 })
    let gray = try Charts.source(Charts.image(9, 9, .gray) { _, _, _ in 120 })
    for image in [flat, gray] {
      let nothing = try Renderer.automaticAdjustment(of: image, kinds: Set(Kind.allCases))
      #expect(nothing.filters.isEmpty, "\(nothing)")
      #expect(nothing.unchanged.count == Kind.allCases.count, "\(nothing)")
    }
  }

  @Test func `snow is not darkened`() throws {
    let snow = try Self.texture({ 190 + ($0 * 13 + $1 * 7) % 55 }, [98, 99, 100])
    let adjustment = try Renderer.automaticAdjustment(of: snow, kinds: [.light])
    #expect(Self.value("exposure", "ev", in: adjustment) == nil)
    // The same in colored light, and overexposed.
    for (offset, light) in [(190, [100, 80, 95]), (215, [98, 99, 100])] {
      let bright = try Self.texture({ offset + ($0 * 13 + $1 * 7) % 55 }, light)
      let other = try Renderer.automaticAdjustment(of: bright, kinds: [.light])
      let ev = Self.value("exposure", "ev", in: other) ?? 0
      #expect(offset == 215 || ev < 0, "\(offset)")
    }
  }

  @Test func `a subject against the light is brightened`() throws {
    func subject(_ ground: Int) throws -> Double? {
      let image = try Self.texture(
        { x, y in
          let isSubject = (30..<90).contains(x) && y > 15
          return (isSubject ? 35 : ground) + (x * 7 + y * 3) % 12
        }, [100, 90, 80])
      let adjustment = try Renderer.automaticAdjustment(of: image, kinds: [.light])
      return Self.value("shadowsHighlights", "shadows", in: adjustment)
    }
    let (bright, dark) = (try subject(200) ?? 0, try subject(110) ?? 0)
    #expect(bright > 0.3 && bright > dark)
  }

  @Test func `an image with hardly a color gets no vibrance`() throws {
    func vibrance(_ period: Int) throws -> Double? {
      let image = try Charts.source(
        Charts.image(120, 80, .rgb) { x, y, channel in
          let isColored = (x * 7 + y * 11) % period == 0
          return 110 + (x * 3 + y) % 90 + (isColored ? (channel + x) % 3 * 15 : 0)
        })
      return Self.value(
        "vibrance", "amount", in: try Renderer.automaticAdjustment(of: image, kinds: [.color]))
    }
    #expect(try vibrance(30) == nil)
    #expect(try vibrance(1) ?? 0 > 0.1)
  }

  @Test func `a cast that stays is hardly made stronger`() throws {
    func vibrance(_ kinds: Set<Kind>, _ blue: Int) throws -> Double {
      let image = try Charts.source(
        Charts.image(120, 80, .rgb) { x, y, channel in
          (60 + (x * 31 + y * 17) % 120 + (channel + x) % 3 * 12) * [100, 92, blue][channel] / 100
        })
      let adjustment = try Renderer.automaticAdjustment(of: image, kinds: kinds)
      return Self.value("vibrance", "amount", in: adjustment) ?? 0
    }
    let (corrected, left) = (
      try vibrance([.whiteBalance, .color], 78), try vibrance([.color], 78)
    )
    #expect(corrected > 0.15 && left < 0.4 * corrected, "\(corrected) \(left)")
    #expect(try vibrance([.color], 98) > 0.15)
  }

  @Test func `white paper shows that the light is neutral`() throws {
    func image(_ paper: [Int]) throws -> ImageSource {
      try Charts.source(
        Charts.image(120, 80, .rgb) { x, y, channel in
          x < 30 ? paper[channel] : (60 + (x * 31 + y * 17) % 120) * [100, 90, 72][channel] / 100
        })
    }
    let gray = try Renderer.automaticAdjustment(
      of: image([235, 235, 235]), kinds: [.whiteBalance])
    #expect(gray.unchanged.map(\.reason) == ["neutral"])
    let warm = try Renderer.automaticAdjustment(of: image([235, 214, 170]), kinds: [.whiteBalance])
    #expect(!warm.filters.isEmpty)
  }

  @Test func `a night stays a night`() throws {
    // Lamps on black: four of five pixels are nearly black.
    let night = try Self.texture({ x, y in (x * 7 + y * 3) % 5 == 0 ? 150 + x : 8 }, [100, 95, 90])
    let adjustment = try Renderer.automaticAdjustment(of: night, kinds: [.light])
    #expect(Self.value("exposure", "ev", in: adjustment) ?? 0 == 0)
    #expect(Self.value("shadowsHighlights", "shadows", in: adjustment) == nil)
  }

  @Test(
    arguments: [([180, 150, 120], 4122.0, -11.15), ([100, 120, 140], 11280, 15.6)]
      as [([Int], Double, Double)])
  func `a picked point becomes neutral`(color: [Int], temperature: Double, tint: Double) throws {
    // The light of the color, from which the exact adaptation differs a little.
    let image = try Charts.source(
      Charts.image(80, 60, .rgb) { x, y, channel in
        // A disc around three quarters of the width and half the height.
        (x - 60) * (x - 60) + (y - 30) * (y - 30) < 60 ? color[channel] : 128 + channel * 30
      })
    let filter = try #require(
      try Renderer.whiteBalance(grayAt: 0.75, 0.5, radius: 0.05, of: image))
    #expect(abs(1e6 / filter.temperature - 1e6 / temperature) < 8 && abs(filter.tint - tint) < 6)
    let corrected = try raster(image, [filter]).rgb.map { Double($0[30 * 80 + 60]) * 255 }
    #expect((corrected.max() ?? 0) - (corrected.min() ?? 0) < 0.6, "\(corrected)")
    // The pixels outside the disc do not count.
    #expect(try Renderer.whiteBalance(grayAt: 0.75, 0.5, radius: 0, of: image) == filter)
  }

  @Test func `a clipped or black point cannot be picked`() throws {
    for level in [0, 255] {
      let image = try Charts.source(Charts.image(8, 8, .rgb) { _, _, c in c == 0 ? level : 128 })
      #expect(try Renderer.whiteBalance(grayAt: 0.5, 0.5, radius: 0.1, of: image) == nil)
    }
  }

  @Test func `a match gives the exposure and the white balance of the reference`() throws {
    let reference = try Renderer.sceneMatch(of: Self.dark())
    let adjustment = try Renderer.automaticAdjustment(of: Self.bright(), matching: reference)
    let graph = try FilterGraph(adjustment.filters)
    #expect(graph.nodes.map(\.filter) == ["whiteBalance", "exposure"])
    func average(_ image: ImageSource, _ graph: FilterGraph) throws -> SIMD3<Double> {
      let planes = try Renderer.raster(image, graph).rgb
      let sums = planes.map { plane in
        plane.reduce(0.0) { $0 + SRGBTransfer.decode(Double($1)) } / Double(plane.count)
      }
      return SIMD3(sums[0], sums[1], sums[2])
    }
    let (found, expected) = (
      try average(Self.bright(), graph), try average(Self.dark(), FilterGraph())
    )
    // The same color, within what the two spreads of levels allow.
    #expect(abs(found.x / found.y - expected.x / expected.y) < 0.03)
    #expect(abs(found.z / found.y - expected.z / expected.y) < 0.03)
    #expect(abs(log2(found.y / expected.y)) < 0.3)
    let same = try Renderer.automaticAdjustment(of: Self.dark(), matching: reference)
    #expect(same.filters.isEmpty && same.unchanged.count == 2)
  }

  // MARK: Straightening

  /// Dark bars on a bright ground, rotated clockwise around the center.
  private static func bars(_ degrees: Double) throws -> ImageSource {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    return try Charts.source(
      Charts.image(400, 300, .gray) { x, y, _ in
        var sum = 0.0
        // Four samples for each pixel, so that edges are not steps.
        for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
          let (u, v) = (Double(x) + dx - 200, Double(y) + dy - 150)
          let (along, across) = (u * c + v * s, v * c - u * s)
          let isBar = abs(along) < 150 && remainder(across, 40).magnitude < 8
          sum += isBar ? 60 : 190
        }
        return Int(sum / 4)
      })
  }

  @Test(arguments: [-8.0, -3.3, -0.6, 0.5, 2, 4.7, 8])
  func `an image is leveled by the angle that it leans`(angle: Double) throws {
    let adjustment = try Renderer.automaticAdjustment(of: Self.bars(angle), kinds: [.straighten])
    let found = try #require(Self.value("straighten", "angle", in: adjustment))
    #expect(abs(found + angle) < 0.15, "\(found)")
  }

  @Test func `an image that is level, or without edges, is not straightened`() throws {
    let level = try Renderer.automaticAdjustment(of: Self.bars(0), kinds: [.straighten])
    #expect(level.filters.isEmpty && level.unchanged.map(\.reason) == ["level"])
    for image in [try Self.dark(), try Charts.source(Charts.noise(300, 200))] {
      let adjustment = try Renderer.automaticAdjustment(of: image, kinds: [.straighten])
      #expect(adjustment.filters.isEmpty && adjustment.unchanged.count == 1)
    }
  }
}
