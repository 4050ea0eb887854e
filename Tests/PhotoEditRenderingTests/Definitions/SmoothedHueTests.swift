// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import PhotoEditTestSupport
import Testing

@Suite("Adjustments by the hue of the surroundings")
struct SmoothedHueTests {
  private static let size = (width: 21, height: 16)
  private static let chart = Charts.noise(size.width, size.height)

  /// The colors of the chart in Oklab, mirrored at the edges.
  private static let colors: @Sendable (Int, Int) -> SIMD3<Double> = { [lab = labs(chart)] x, y in
    func inside(_ position: Int, _ count: Int) -> Int {
      position < 0 ? -1 - position : position < count ? position : 2 * count - 1 - position
    }
    return lab[inside(y, size.height) * size.width + inside(x, size.width)]
  }

  private static func labs(_ image: ImageBuffer) -> [SIMD3<Double>] {
    let planes = image.floatPlanes
    return planes[0].indices.map {
      Definition.oklab(SIMD3(Double(planes[0][$0]), Double(planes[1][$0]), Double(planes[2][$0])))
    }
  }

  private static func mean<Value: Sum>(
    _ x: Int, _ y: Int, _ value: (Int, Int) -> Value
  ) -> Value {
    var sum = Value.zero
    for j in y - 1...y + 1 { for i in x - 1...x + 1 { sum = sum + value(i, j) } }
    return sum * (1.0 / 9)
  }

  /// The lines of a window of 3×3 pixels.
  private static func line(_ x: Int, _ y: Int) -> (slope: Double, offset: SIMD3<Double>) {
    let m = mean(x, y, colors)
    let squares = mean(x, y) { colors($0, $1) * colors($0, $1) }
    let variance = squares.y - m.y * m.y + squares.z - m.z * m.z
    let slope = variance / (variance + 0.0003)
    return (slope, (1 - slope) * m)
  }

  /// The smoothed chroma and hue, by a radius of one pixel.
  private static func smoothed(_ x: Int, _ y: Int) -> (chroma: Double, hue: Double) {
    let slope = mean(x, y) { line($0, $1).slope }
    return Definition.polar(slope * colors(x, y) + mean(x, y) { line($0, $1).offset })
  }

  private static func most(
    _ argument: String, _ expected: (Int, Int) -> SIMD3<Double>
  ) throws -> Double {
    let planes = try raster(Charts.source(chart), [Definition.make(argument)]).rgb
    return planes[0].indices.map { i in
      let color = expected(i % size.width, i / size.width)
      return (0..<3).map { abs(Double(planes[$0][i]) - color[$0]) * 255 }.max() ?? 0
    }.max() ?? .infinity
  }

  @Test func `the brightness of a color follows the smoothed hue and chroma`() throws {
    let most = try Self.most("blackWhite:red=-0.4,orange=0.3,aqua=0.8,blue=-1") { x, y in
      let (chroma, hue) = Self.smoothed(x, y)
      let mix = Definition.banded([-0.4, 0.3, 0, 0, 0.8, -1, 0, 0], hue)
      let rise = mix * 0.5 * chroma / (chroma + 0.1) * Definition.smooth(0.005, 0.04, chroma)
      let lightness = min(max(Self.colors(x, y).x + rise, 0), 1)
      return SIMD3(repeating: Definition.encoded(lightness * lightness * lightness))
    }
    #expect(most < 0.05, "\(most)")
  }

  @Test func `hue, saturation and lightness change by the smoothed hue`() throws {
    let most = try Self.most(
      "colorMixer:redHue=1,greenHue=-0.6,blueLightness=-1,yellowLightness=0.5,"
        + "orangeSaturation=-0.7,range=4"
    ) { x, y in
      var lab = Self.colors(x, y)
      let (chroma, hue) = Definition.polar(lab)
      let (around, from) = Self.smoothed(x, y)
      let gate = Definition.smooth(0.01, 0.05, around)
      func weighted(_ values: [Double]) -> Double {
        Definition.banded(values, (from - 4 + 360).truncatingRemainder(dividingBy: 360))
      }
      let turn = weighted([1 * 35 * 2 / 3, 0, 0, -0.6 * 37 * 2 / 3, 0, 0, 0, 0]) * gate
      lab.x += gate * weighted([0, 0, 0.5, 0, 0, -1, 0, 0]) * 0.35 * around / (around + 0.06)
      let muted = chroma * (1 + weighted([0, -0.7, 0, 0, 0, 0, 0, 0]))
      let angle = (hue + turn) * .pi / 180
      return Definition.oklab(from: SIMD3(lab.x, muted * cos(angle), muted * sin(angle)))
    }
    #expect(most < 0.1, "\(most)")
  }

  /// The standard deviation of a plane, in levels.
  private static func deviation(_ plane: [Float]) -> Double {
    let mean = plane.reduce(0.0) { $0 + Double($1) } / Double(plane.count)
    let square = plane.reduce(0.0) { $0 + pow(Double($1) - mean, 2) }
    return (square / Double(plane.count)).squareRoot() * 255
  }

  /// A pale sky with the color noise of a small sensor, so wide that a window has 9×9 pixels.
  private static let sky = sky(noise: Charts.noise(800, 60))

  private static func sky(noise: ImageBuffer) -> ImageBuffer {
    Charts.image(800, 60, .rgb) { x, y, channel in
      [168, 178, 190][channel] + (Int(noise[x: x, y: y, channel: channel]) - 128) / 28
    }
  }

  @Test(arguments: ["blue=-1", "red=0.5,orange=0.3,yellow=-0.4,green=0.2,aqua=0.8,blue=-1"])
  func `noise does not mottle a sky in black and white`(mix: String) throws {
    let json = mix.split(separator: ",").map {
      let parts = $0.split(separator: "=")
      return "\"\(parts[0])\":\(parts[1])"
    }.joined(separator: ",")
    let image = try Charts.source(Self.sky)
    let plain = Self.deviation(try raster(image, [BlackWhite()]).rgb[0])
    let earlier = Self.deviation(
      try raster(image, [Definition.make("blackWhite", version: 1, json)]).rgb[0])
    let newest = Self.deviation(
      try raster(image, [Definition.make("blackWhite:\(mix),tintHue=70")]).rgb[0])
    #expect(earlier > 3 * plain, "\(earlier) \(plain)")
    #expect(newest < 1.3 * plain, "\(newest) \(plain)")
  }

  @Test func `noise does not change the mixed colors of a sky`() throws {
    let mix = #""blueLightness":-0.8,"aquaHue":0.7,"blueHue":-0.7,"purpleLightness":0.6"#
    let argument = "colorMixer:" + mix.filter { $0 != "\"" }.map { $0 == ":" ? "=" : $0 }
    let image = try Charts.source(Self.sky)
    func deviations(_ filters: [any Filter]) throws -> Double {
      try raster(image, filters).rgb.reduce(0.0) { $0 + Self.deviation($1) }
    }
    let plain = try deviations([])
    let earlier = try deviations([Definition.make("colorMixer", version: 1, mix)])
    let newest = try deviations([Definition.make(argument)])
    #expect(earlier > 1.2 * plain && newest < 1.1 * plain, "\(plain) \(earlier) \(newest)")
  }

  @Test func `lines of two pixels keep their own brightness`() throws {
    let lines = Charts.image(96, 64, .rgb) { x, y, channel in
      (y % 8 < 2 ? [170, 60, 50] : [120, 160, 210])[channel] + (x + y) % 2
    }
    let image = try Charts.source(lines)
    let earlier = try raster(
      image, [Definition.make("blackWhite", version: 1, #""red":0.6,"blue":-0.8"#)]
    ).rgb[0]
    let newest = try raster(image, [Definition.make("blackWhite:red=0.6,blue=-0.8")]).rgb[0]
    let most = zip(earlier, newest).map { abs($0 - $1) * 255 }.max() ?? 0
    #expect(most < 6, "\(most)")
  }

  @Test func `a table of colors has the effect on even areas`() throws {
    let filter = Definition.make("colorMixer:blueHue=0.5,orangeLightness=-0.4")
    let even = Charts.image(12, 10, .rgb) { _, _, channel in [40, 80, 200][channel] }
    let planes = try raster(Charts.source(even), [filter]).rgb
    let earlier = try raster(
      Charts.source(even),
      [Definition.make("colorMixer", version: 1, #""blueHue":0.5,"orangeLightness":-0.4"#)]
    ).rgb
    #expect(try difference(planes, earlier) < 0.01)
    let cube = try Renderer.cube(FilterGraph([filter]), size: 33)
    let baked = try Renderer.cube(
      FilterGraph([
        Definition.make("colorMixer", version: 1, #""blueHue":0.5,"orangeLightness":-0.4"#)
      ]),
      size: 33)
    #expect(cube == baked)
  }
}

/// What can be averaged.
private protocol Sum {
  static var zero: Self { get }
  static func + (one: Self, other: Self) -> Self
  static func * (value: Self, factor: Double) -> Self
}

extension Double: Sum {}
extension SIMD3<Double>: Sum {
  static func * (value: Self, factor: Double) -> Self { value * SIMD3(repeating: factor) }
}
