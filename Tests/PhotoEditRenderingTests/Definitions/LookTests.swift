// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import Testing

@Suite("Looks")
struct LookTests {
  private static let chains: [(name: String, chain: [String])] = [
    ("tonal", ["grayscale:mode=luma709"]),
    ("mono", ["grayscale:mode=luma709", "contrast:amount=0.85"]),
    ("noir", ["grayscale:mode=luma709", "curve:points=0:0/0.25:0.17/0.5:0.5/0.75:0.88/1:1"]),
    ("chrome", ["vibrance:amount=0.4", "curve:points=0:0/0.25:0.21/0.75:0.8/1:1"]),
    ("fade", ["saturate:amount=0.75", "levels:outBlack=0.06,outWhite=0.96"]),
    (
      "instant",
      [
        "curve:channel=r,points=0:0.04/0.5:0.52/1:0.98",
        "curve:channel=g,points=0:0.03/0.5:0.5/1:0.97",
        "curve:channel=b,points=0:0.1/0.5:0.47/1:0.88", "saturate:amount=0.9",
      ]
    ),
    (
      "process",
      [
        "colorMatrix:matrix=0.95:0:0:0:1:0:0:0:1.06", "curve:points=0:0.02/0.5:0.52/1:1",
      ]
    ),
    (
      "transfer",
      [
        "colorMatrix:matrix=1.06:0:0:0:1:0:0:0:0.92", "levels:outBlack=0.04,outWhite=0.97",
      ]
    ),
  ]

  /// The first versions of looks that have another one now.
  private static let earlier: [(name: String, chain: [String])] = [
    ("noir", ["grayscale:mode=luma709", "curve:points=0:0/0.25:0.12/0.5:0.5/0.75:0.9/1:1"]),
    ("chrome", ["saturate:amount=1.3", "curve:points=0:0/0.25:0.21/0.75:0.8/1:1"]),
  ]

  @Test func `every look of the catalog has its definition here`() {
    let names = FilterCatalog.descriptions.map(\.name).filter { $0.hasPrefix("look.") }
    #expect(names.sorted() == Self.chains.map { "look." + $0.name }.sorted())
  }

  /// A frozen definition: other numbers require another version.
  @Test(arguments: chains.indices)
  func `a look equals its filter chain, also in part`(index: Int) throws {
    let (name, chain) = Self.chains[index]
    for chart in [Charts.noise(21, 9), Charts.noise(8, 8, .gray)] {
      let image = try Charts.source(chart)
      let full = try raster(image, chain.map { Definition.make($0) })
      #expect(try raster(image, [Definition.make("look." + name)]).rgb == full.rgb)
      let part = try raster(image, [Definition.make(name + ":amount=0.4")]).rgb
      let source = chart.floatPlanes
      let expected = full.rgb.enumerated().map { channel, plane in
        zip(source[source.count == 3 ? channel : 0], plane).map { $0 * 0.6 + $1 * 0.4 }
      }
      #expect(try difference(expected, part) <= ToleranceClass.Reach.point.maximum)
    }
  }

  @Test(arguments: earlier.indices)
  func `a stored look keeps its filter chain`(index: Int) throws {
    let (name, chain) = Self.earlier[index]
    let image = try Charts.source(Charts.noise(21, 9))
    let stored = Definition.make("look." + name, version: 1, #""amount":1"#)
    let full = try raster(image, chain.map { Definition.make($0) }).rgb
    #expect(try raster(image, [stored]).rgb == full)
    #expect(try raster(image, [Definition.make("look." + name)]).rgb != full)
  }

  @Test func `a red car keeps its shape in exaggerated color, and dusk its shapes in noir`() throws
  {
    // Saturated reds whose largest channel is bright.
    let car = try Charts.source(
      Charts.image(48, 16, .rgb) { x, _, channel in [200 + x, 20 + x, 24 + x][channel] })
    let red = try raster(car, [Definition.make("look.chrome")]).rgb[0]
    for x in 1..<48 { #expect(red[x] > red[x - 1] && red[x] < 0.996, "\(x)") }
    let dusk = try Charts.source(Charts.image(32, 8, .gray) { x, _, _ in 16 + x })
    let levels = try raster(dusk, [Definition.make("look.noir")]).planes[0].map { $0 * 255 }
    #expect(levels[0] > 5 && levels[31] - levels[0] > 15)
  }
}
