// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditTestSupport
import Testing

@Suite("Transparency in every filter")
struct AlphaContractTests {
  private static let background = Background(red: 200, green: 100, blue: 50)

  @Test(arguments: CatalogCase.all)
  func `an opaque alpha changes no sample`(_ entry: CatalogCase) throws {
    let chart = Charts.noise(23, 17)
    let opaque = Charts.image(23, 17, .rgba) { x, y, channel in
      channel == 3 ? 255 : chart[x: x, y: y, channel: channel]
    }
    for var filter in entry.active.some(entry.number + 3) {
      if var lens = filter as? Lens {
        // An image with alpha keeps its fringes, because colors belong to the alpha of their place.
        lens.fringes = 0
        filter = lens
      }
      let expected = try raster(Charts.source(chart), [filter])
      let actual = try raster(Charts.source(opaque), [filter])
      #expect(try difference(expected.rgb, actual.rgb) <= 0.001)
    }
  }

  /// Point filters leave alpha unchanged, so the definition of "over" applies.
  @Test(
    arguments: CatalogCase.all.filter {
      [.curve, .color, .position].contains($0.description.dependency)
    })
  func `point filters are applied before compositing`(
    _ entry: CatalogCase
  ) throws {
    let chart = Charts.noise(23, 17, .rgba)
    let colors = Charts.image(23, 17, .rgb) { chart[x: $0, y: $1, channel: $2] }
    for filter in entry.active.some(entry.number) {
      var graph = try Charts.graph([filter])
      graph.background = Self.background
      let filtered = try raster(Charts.source(colors), [filter]).rgb
      let actual = try Renderer.raster(Charts.source(chart), graph).rgb
      let back = [Self.background.red, Self.background.green, Self.background.blue]
      let expected = filtered.enumerated().map { channel, plane in
        plane.indices.map { i in
          let alpha = Float(chart[x: i % 23, y: i / 23, channel: 3]) / 255
          return plane[i] * alpha + Float(back[channel]) / 255 * (1 - alpha)
        }
      }
      #expect(try difference(expected, actual) <= ToleranceClass.Reach.point.maximum)
    }
  }

  /// A uniform visible color gives the same result as alone, regardless of the color hidden under
  /// alpha 0.
  @Test(
    arguments: CatalogCase.all.filter {
      [.geometry, .neighborhood].contains($0.description.dependency)
    }, [1, 0.4])
  func `a hidden color never shows`(_ entry: CatalogCase, opacity: Double) throws {
    if entry.description.dependency == .geometry && opacity < 1 { return }
    let level = 96
    let chart = Charts.image(24, 18, .rgba) { x, y, channel in
      let isHidden = (x / 3 + y / 3) % 2 == 0
      return channel == 3 ? (isHidden ? 0 : 255) : isHidden ? (channel == 0 ? 255 : 0) : level
    }
    let opaque = try Charts.source(Charts.image(24, 18, .rgb) { _, _, _ in level })
    for var filter in entry.active(color: "#606060").some(entry.number + 1) {
      if var lens = filter as? Lens {
        // Its light would not leave the color uniform.
        lens.vignetting = 0
        filter = lens
      }
      var graph = try Charts.graph([filter])
      if opacity < 1 {
        try graph.set(node: "n1", parameter: "opacity", argument: "\(opacity)")
      }
      // The filtered visible color without any alpha.
      let shown = try Renderer.raster(opaque, graph).rgb.map { $0[0] * 255 }
      let back = shown.map { UInt8(min(max($0.rounded(), 0), 255)) }
      graph.background = Background(red: back[0], green: back[1], blue: back[2])
      let planes = try Renderer.raster(Charts.source(chart), graph).rgb
      for ((plane, shown), back) in zip(zip(planes, shown), back) {
        let reach = abs(shown - Float(back)) + 0.05
        #expect(plane.allSatisfy { abs($0 * 255 - shown) <= reach }, "\(filter.values)")
      }
    }
  }
}
