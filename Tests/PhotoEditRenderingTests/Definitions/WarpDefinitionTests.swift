// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import Testing

@Suite("Projective transformations")
struct WarpDefinitionTests {
  /// The sum over every tap in double precision for a pixel of the result.
  private static func definition(
    _ warp: Warp, _ chart: (Int, Int) -> Double, _ size: PixelSize, x: Int, y: Int,
    moved: (_ x: Double, _ y: Double) -> (x: Double, y: Double) = { ($0, $1) }
  ) -> Double {
    guard var point = warp.projection(Double(x) + 0.5, Double(y) + 0.5) else { return 0 }
    point = moved(point.x, point.y)
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

  /// A lens with every coefficient, in the notation of the command line.
  private static let lens =
    "model=1.03:0.01:-0.12:0.05:0.002,red=1.004:0.001:-0.002,blue=0.997:0:0.003"

  @Test(arguments: ["catmullRom", "bilinear", "lanczos3"])
  func `a lens moves the pixels of each color along rays`(kernel: String) throws {
    func polynomial(_ coefficients: [Double], _ r: Double) -> Double {
      zip(coefficients, [1, r, r * r, r * r * r, r * r * r * r]).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let fringes = [[1.004, 0.001, -0.002], [1, 0, 0], [0.997, 0, 0.003]]
    for (width, height) in [(61, 42), (17, 31), (9, 1), (1, 1)] {
      let chart = Charts.noise(width, height)
      let size = PixelSize(width: width, height: height)
      let filter = try FilterCatalog.filter(argument: "lens:\(Self.lens),kernel=\(kernel)")
      let steps = try filter.lowered(in: LoweringContext(size: size))
      guard case .area(.warp(let warp))? = steps.first, steps.count == 1 else {
        Issue.record("no warp")
        continue
      }
      let (cx, cy) = (Double(width) / 2, Double(height) / 2)
      let actual = try Renderer.raster(Charts.source(chart), FilterGraph([filter]))
      #expect(actual.size == size)
      for (channel, plane) in actual.rgb.enumerated() {
        for y in 0..<height {
          for x in 0..<width {
            let expected = Self.definition(
              warp, { Double(chart[x: $0, y: $1, channel: channel]) / 255 }, size, x: x, y: y
            ) {
              let (dx, dy) = ($0 - cx, $1 - cy)
              let r = hypot(dx, dy) / hypot(cx, cy)
              let s = r * polynomial([1.03, 0.01, -0.12, 0.05, 0.002], r)
              let f = r == 0 ? 0 : s / r * polynomial(fringes[channel], s)
              return (cx + dx * f, cy + dy * f)
            }
            #expect(abs(Double(plane[y * width + x]) - expected) * 255 <= 0.02, "\(x),\(y)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    "model=1.03:0:-0.1:0:0", "model=1:0:0.08:0:0", "model=0.99:0:-0.02:0.06:0,red=1.01:0:0",
  ])
  func `a corrected photo has no empty corners and is as large as it can be`(
    argument: String
  ) throws {
    let size = PixelSize(width: 300, height: 200)
    let filter = try FilterCatalog.filter(argument: "lens:" + argument)
    guard case .area(.warp(let warp))? = try filter.lowered(in: LoweringContext(size: size)).first,
      let map = warp.radial
    else {
      Issue.record("no warp")
      return
    }
    var most = 0.0
    for x in stride(from: 0, through: 300, by: 1.0) {
      for y in stride(from: 0, through: 200, by: 1.0)
      where [0, 300].contains(x) || [0, 200].contains(y) {
        let point = try #require(warp.projection(x, y))
        let (dx, dy) = (point.x - 150, point.y - 100)
        let factor = map.factors(at: hypot(dx, dy) / hypot(150, 100)).max()
        most = max(most, abs(dx * factor) / 150, abs(dy * factor) / 100)
      }
    }
    #expect(most <= 1.0001 && most >= 0.999, "\(most)")
  }

  @Test func `vignetting is corrected in linear light`() throws {
    let chart = Charts.image(60, 40, .rgb) { _, _, _ in 120 }
    let filter = try FilterCatalog.filter(
      argument: "lens:falloff=-0.4:-0.1:0.02,vignetting=0.5")
    let plane = try Renderer.raster(Charts.source(chart), FilterGraph([filter])).rgb[1]
    for (x, y) in [(0, 0), (30, 20), (59, 3), (12, 39)] {
      let square =
        (pow(Double(x) + 0.5 - 30, 2) + pow(Double(y) + 0.5 - 20, 2)) / (30 * 30 + 20 * 20)
      let light = 1 - 0.4 * square - 0.1 * square * square + 0.02 * square * square * square
      let linear = SRGBTransfer.decode(120.0 / 255) * (1 + 0.5 * (1 / light - 1))
      #expect(abs(Double(plane[y * 60 + x]) - SRGBTransfer.encode(linear)) * 255 <= 0.05)
    }
  }

  @Test func `a map that folds the image is refused`() {
    #expect(throws: ParameterError.self) {
      try FilterGraph([FilterCatalog.filter(argument: "lens:model=1:0:-0.9:0:0")])
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
    for argument in [
      "straighten:angle=11", "perspective:tl=0.2:0.1,br=0.8:0.9", "pad:top=9",
      "lens:\(Self.lens),falloff=-0.4:0:0",
    ] {
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
