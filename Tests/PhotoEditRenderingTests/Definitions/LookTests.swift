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
    ("noir", ["grayscale:mode=luma709", "curve:points=0:0/0.25:0.12/0.5:0.5/0.75:0.9/1:1"]),
    ("chrome", ["saturate:amount=1.3", "curve:points=0:0/0.25:0.21/0.75:0.8/1:1"]),
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
}
