// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import Testing

@Suite("Projective transformations")
struct WarpDefinitionTests {
  /// The sum over every tap in double precision for a pixel of the result.
  private static func definition(
    _ warp: Warp, _ chart: (Int, Int) -> Double, _ size: PixelSize, x: Int, y: Int
  ) -> Double {
    guard let point = warp.projection(Double(x) + 0.5, Double(y) + 0.5) else { return 0 }
    if warp.taps == 1 {
      return chart(
        min(max(Int(point.x.rounded(.down)), 0), size.width - 1),
        min(max(Int(point.y.rounded(.down)), 0), size.height - 1))
    }
    let (u, v) = (point.x - 0.5, point.y - 0.5)
    let reach = warp.taps / 2
    func taps(_ at: Double) -> [(Int, Double)] {
      let first = Int(at.rounded(.down)) - reach + 1
      let raw = (first..<first + 2 * reach).map { ($0, warp.kernel.weight(Double($0) - at)) }
      let sum = raw.reduce(0) { $0 + $1.1 }
      return raw.map { ($0.0, $0.1 / sum) }
    }
    return taps(v).reduce(0) { total, row in
      total
        + taps(u).reduce(0) {
          $0 + row.1 * $1.1
            * chart(min(max($1.0, 0), size.width - 1), min(max(row.0, 0), size.height - 1))
        }
    }
  }

  @Test(arguments: [
    "straighten:angle=7", "straighten:angle=-33,fit=maxArea", "straighten:angle=3,kernel=lanczos3",
    "straighten:angle=45,kernel=bilinear", "straighten:angle=20,kernel=nearest",
    "perspective:tl=0.1:0.05,tr=0.9:0,br=1:1,bl=0:0.9",
    "perspective:tl=0.3:0.3,tr=0.6:0.35,br=0.9:0.95,bl=0.05:0.8,crop=false,kernel=bilinear",
  ])
  func `every pixel is the weighted sum around its position`(argument: String) throws {
    for (width, height) in [(31, 22), (17, 31), (1, 9), (9, 1), (1, 1)] {
      let chart = Charts.noise(width, height)
      let filter = try FilterCatalog.filter(argument: argument)
      let size = PixelSize(width: width, height: height)
      let steps = try filter.lowered(in: LoweringContext(size: size))
      guard case .area(.warp(let warp))? = steps.first else {
        Issue.record("no warp")
        continue
      }
      let actual = try Renderer.raster(Charts.source(chart), FilterGraph([filter]))
      #expect(actual.size == warp.size)
      for (channel, plane) in actual.rgb.enumerated() {
        for y in 0..<warp.size.height {
          for x in 0..<warp.size.width {
            let expected = Self.definition(
              warp, { Double(chart[x: $0, y: $1, channel: channel]) / 255 }, size, x: x, y: y)
            let found = Double(plane[y * warp.size.width + x])
            #expect(abs(found - expected) * 255 <= 0.02, "\(argument) \(x),\(y)")
          }
        }
      }
    }
  }

  @Test func `an image rotated clockwise shows its top on the right`() throws {
    let chart = Charts.image(41, 41, .rgb) { x, y, _ in y < 12 && (17...23).contains(x) ? 255 : 0 }
    let rotated = try Renderer.raster(
      Charts.source(chart), FilterGraph([Straighten(angle: 45, fit: .expand)])
    ).rgb[0]
    let side = Int(Double(rotated.count).squareRoot())
    let right = (0..<side).flatMap { y in (side / 2..<side).map { rotated[y * side + $0] } }
    let lower = (side * 3 / 4..<side).flatMap { y in rotated[(y * side)..<(y * side + side / 4)] }
    #expect(right.reduce(0, +) > 50)
    // The corners are white.
    #expect(rotated[0] == 1 && (lower.max() ?? 0) >= 1)
  }

  @Test func `padding adds a colored border around the image`() throws {
    let chart = Charts.noise(7, 5)
    let graph = try FilterGraph([
      FilterCatalog.filter(argument: "pad:top=2,left=3,right=1,bottom=4,color=#3366ff")
    ])
    let raster = try Renderer.raster(Charts.source(chart), graph)
    #expect(raster.size == PixelSize(width: 11, height: 11))
    for y in 0..<11 {
      for x in 0..<11 {
        let isInside = (3..<10).contains(x) && (2..<7).contains(y)
        for channel in 0..<3 {
          let level =
            isInside ? chart[x: x - 3, y: y - 2, channel: channel] : [51, 102, 255][channel]
          #expect((raster.rgb[channel][y * 11 + x] * 255).rounded() == Float(level))
        }
      }
    }
  }

  @Test(arguments: [1, 3, 1000])
  func `strips of any height give the same samples`(height: Int) throws {
    let chart = Charts.noise(60, 47)
    for argument in ["straighten:angle=11", "perspective:tl=0.2:0.1,br=0.8:0.9", "pad:top=9"] {
      let graph = try FilterGraph([
        FilterCatalog.filter(argument: argument), GaussianBlur(sigma: 1),
      ])
      var options = RenderOptions()
      let expected = try Renderer.raster(Charts.source(chart), graph, options: options).rgb
      options.stripHeight = height
      options.threads = 3
      #expect(try Renderer.raster(Charts.source(chart), graph, options: options).rgb == expected)
    }
  }
}
