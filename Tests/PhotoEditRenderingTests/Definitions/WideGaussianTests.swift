// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import Testing

@Suite("Wide blurs on a coarse grid")
struct WideGaussianTests {
  /// The tolerance class for neighborhoods allows 0.05; the grid stays well below.
  private static let allowed = 0.02

  @Test(
    arguments: [12, 19.3, 64, 500],
    [
      PixelSize(width: 1, height: 1), PixelSize(width: 5, height: 90),
      PixelSize(width: 97, height: 41),
    ])
  func `a wide blur is the sum of its definition`(sigma: Double, size: PixelSize) throws {
    for (name, chart) in Self.charts(size) {
      let expected = chart.floatPlanes.map { Self.blurred($0, size, sigma).map { Float($0) } }
      let actual = try raster(Charts.source(chart), [GaussianBlur(sigma: sigma)]).planes
      #expect(try difference(expected, actual) <= Self.allowed, "\(name)")
    }
  }

  /// Near black the encoding curve multiplies every error by 12.92.
  @Test(arguments: [32, 40.5])
  func `a wide blur in linear light is linear on the grid`(sigma: Double) throws {
    let size = PixelSize(width: 350, height: 3)
    for (name, chart) in Self.charts(size) {
      let expected = chart.floatPlanes.map { plane in
        Self.blurred(plane.map { Float(Definition.linear(Double($0))) }, size, sigma)
          .map { Float(Definition.encoded($0)) }
      }
      let blur = GaussianBlur(sigma: sigma, light: .linear)
      let actual = try raster(Charts.source(chart), [blur]).planes
      #expect(try difference(expected, actual) <= 0.03, "\(name)")
    }
  }

  @Test(arguments: ["rgb", "luma"])
  func `a wide unsharp mask adds the detail removed by the blur`(channels: String) throws {
    let filter = Definition.make("unsharpMask:sigma=14,amount=0.75,channels=\(channels)")
    let chart = Charts.noise(71, 50)
    let source = chart.floatPlanes
    let blurred = source.map { Self.blurred($0, chart.size, 14) }
    var expected = source
    for i in source[0].indices {
      var details = (0..<3).map { Double(source[$0][i]) - blurred[$0][i] }
      if channels == "luma" {
        let luma = 0.299 * details[0] + 0.587 * details[1] + 0.114 * details[2]
        details = [luma, luma, luma]
      }
      for channel in 0..<3 { expected[channel][i] += Float(0.75 * details[channel]) }
    }
    let actual = try raster(Charts.source(chart), [filter]).planes
    #expect(try difference(expected, actual) <= Self.allowed)
  }

  /// A partial blur after other steps, including a narrow blur: copies wait as rows of floats.
  @Test(arguments: [0.0, 1.5])
  func `a partial wide blur is mixed with its input`(narrow: Double) throws {
    let chart = Charts.noise(45, 38)
    var graph = try FilterGraph([Definition.make("sepia")])
    try graph.append(GaussianBlur(sigma: narrow))
    try graph.append(GaussianBlur(sigma: 21))
    try graph.set(node: try #require(graph.nodes.last).id, parameter: "opacity", argument: "0.4")
    let before = try Renderer.raster(
      Charts.source(chart),
      FilterGraph([Definition.make("sepia"), GaussianBlur(sigma: narrow)])
    ).planes
    let expected = before.map { plane in
      zip(plane, Self.blurred(plane, chart.size, 21)).map { Float(0.6 * Double($0) + 0.4 * $1) }
    }
    let actual = try Renderer.raster(Charts.source(chart), graph).planes
    #expect(try difference(expected, actual) <= Self.allowed)
  }

  /// Blurs premultiplied colors and alpha, then divides by alpha, mixes and composites.
  @Test func `transparent pixels are weighted by their alpha on the grid`() throws {
    let chart = Charts.noise(40, 29, .rgba)
    let alpha = (0..<chart.size.pixelCount).map {
      Float(chart[x: $0 % 40, y: $0 / 40, channel: 3]) / 255
    }
    let blurredAlpha = Self.blurred(alpha, chart.size, 13)
    let expected = chart.floatPlanes.map { plane in
      let blurred = Self.blurred(zip(plane, alpha).map { $0 * $1 }, chart.size, 13)
      return zip(blurred, blurredAlpha).map { Float($0 + 1 - $1) }
    }
    let actual = try raster(Charts.source(chart), [GaussianBlur(sigma: 13)]).planes
    #expect(try difference(expected, actual) <= Self.allowed)
  }

  private static let chains = [
    ["gaussianBlur:sigma=12"], ["gaussianBlur:sigma=80,light=linear"],
    ["unsharpMask:sigma=30,amount=1"],
    ["sepia", "gaussianBlur:sigma=1", "unsharpMask:sigma=13,amount=1,channels=luma", "vignette"],
    ["unsharpMask:sigma=12,amount=1", "unsharpMask:sigma=16,amount=0.5,threshold=0.02"],
    [
      "gaussianBlur:sigma=14", "crop:x=11,y=17,w=20,h=30,unit=pixels",
      "unsharpMask:sigma=15,amount=1",
    ],
    ["crop:x=7,y=9,w=40,h=50,unit=pixels", "unsharpMask:sigma=15,amount=1", "resize:width=23"],
    ["rotate90:turns=1", "unsharpMask:sigma=12,amount=2"],
  ]

  @Test(arguments: chains, [ChannelLayout.rgb, .rgba, .gray])
  func `strips, threads and parts of a filter give identical results`(
    chain: [String], channels: ChannelLayout
  ) throws {
    let image = try Charts.source(Charts.noise(83, 121, channels))
    var graph = try FilterGraph(chain.map(Definition.make))
    // Two copies wait for the blurred image then.
    let last = try #require(graph.nodes.last { !["crop", "resize"].contains($0.filter) })
    try graph.set(node: last.id, parameter: "opacity", argument: "0.7")
    var options = RenderOptions()
    options.threads = 1
    let whole = try Renderer.raster(image, graph, options: options)
    let file = try Renderer.render(image, graph, options: options).jpeg
    for (height, threads) in [(1, 3), (5, 2), (64, 8), (1000, 1)] {
      options.stripHeight = height
      options.threads = threads
      let other = try Renderer.raster(image, graph, options: options)
      #expect(other == whole, "strips of \(height) rows, \(threads) threads")
      #expect(try Renderer.render(image, graph, options: options).jpeg == file)
    }
    options.simplifiesPlans = false
    let plain = try Renderer.raster(image, graph, options: options)
    #expect(try difference(plain.planes, whole.planes) <= 255 * 2e-6 * 4)
  }

  @Test(arguments: chains)
  func `a crop after a wide blur only crops the result`(chain: [String]) throws {
    let image = try Charts.source(Charts.noise(83, 121))
    let graph = try FilterGraph(chain.map(Definition.make))
    let whole = try Renderer.raster(image, graph)
    let size = whole.size
    let region = Region(
      x: size.width / 3, y: size.height / 4, width: size.width / 2, height: size.height / 3)
    var longer = graph
    try longer.append(Crop(pixels: region))
    let truncated = try Renderer.raster(image, longer)
    for (plane, other) in zip(whole.planes, truncated.planes) {
      for y in 0..<region.height {
        let first = (region.y + y) * size.width + region.x
        #expect(
          plane[first..<first + region.width] == other[y * region.width..<(y + 1) * region.width])
      }
    }
  }

  /// The grid is centered on the cropped image, even if a stage reads complete rows.
  @Test(arguments: [["unsharpMask:sigma=13,amount=1"], ["gaussianBlur:sigma=13"]])
  func `a crop before a wide blur gives the blurred smaller image`(chain: [String]) throws {
    let chart = Charts.noise(70, 64)
    let region = Region(x: 13, y: 9, width: 41, height: 50)
    let smaller = Charts.image(region.width, region.height, .rgb) { x, y, channel in
      Int(chart[x: region.x + x, y: region.y + y, channel: channel])
    }
    let filters = chain.map(Definition.make)
    for simplifies in [true, false] {
      var options = RenderOptions()
      options.simplifiesPlans = simplifies
      let truncated = try Renderer.raster(
        Charts.source(chart), FilterGraph([Crop(pixels: region)] + filters), options: options)
      #expect(try truncated == raster(Charts.source(smaller), filters))
    }
  }

  @Test(arguments: ["gaussianBlur:sigma=17", "unsharpMask:sigma=17,amount=2"])
  func `rotating before or after a wide blur differs only by rounding`(argument: String) throws {
    let image = try Charts.source(Charts.noise(52, 37))
    let filter = Definition.make(argument)
    let rotation = Definition.make("rotate90:turns=1")
    let before = try raster(image, [rotation, filter])
    let after = try raster(image, [filter, rotation])
    #expect(try difference(before.planes, after.planes) < 0.001)
  }

  // MARK: Images and the definition

  private static func charts(_ size: PixelSize) -> [(name: String, chart: ImageBuffer)] {
    let (w, h) = (size.width, size.height)
    func chart(_ level: @escaping (Int, Int) -> Int) -> ImageBuffer {
      Charts.image(w, h, .gray) { x, y, _ in level(x, y) }
    }
    var state: UInt64 = 7
    return [
      ("white", chart { _, _ in 255 }),
      ("step", chart { x, _ in x < w / 3 ? 0 : 255 }),
      ("square", chart { x, y in abs(2 * x - w) < w / 2 && abs(2 * y - h) < h / 2 ? 255 : 0 }),
      ("corner", chart { x, y in x < 2 && y < 2 ? 255 : 0 }),
      ("last rows", chart { _, y in y >= h - 2 ? 255 : 0 }),
      ("checkerboard", chart { x, y in (x + y) % 2 * 255 }),
      (
        "noise",
        chart { _, _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return state >> 63 == 0 ? 0 : 255
        }
      ),
    ]
  }

  /// Sums along rows and then along columns, with the edge pixels extended.
  private static func blurred(_ plane: [Float], _ size: PixelSize, _ sigma: Double) -> [Double] {
    let (across, down) = (weights(size.width, sigma), weights(size.height, sigma))
    var rows: [Double] = []
    for y in 0..<size.height {
      let samples = plane[y * size.width..<(y + 1) * size.width].map { Double($0) }
      for weights in across {
        var sum = 0.0
        for i in 0..<size.width { sum += weights[i] * samples[i] }
        rows.append(sum)
      }
    }
    var result: [Double] = []
    for weights in down {
      for x in 0..<size.width {
        var sum = 0.0
        for i in 0..<size.height { sum += weights[i] * rows[i * size.width + x] }
        result.append(sum)
      }
    }
    return result
  }

  /// The weight of every pixel of an axis in every pixel of the blurred axis.
  private static func weights(_ count: Int, _ sigma: Double) -> [[Double]] {
    let radius = Int((4 * sigma).rounded(.up))
    let kernel = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = kernel.reduce(0, +)
    return (0..<count).map { output in
      var row = [Double](repeating: 0, count: count)
      for index in kernel.indices {
        row[min(max(output + index - radius, 0), count - 1)] += kernel[index] / total
      }
      return row
    }
  }
}
