// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import Testing

@Suite("Graphs with several branches")
struct BranchTests {
  /// Sharp and soft versions of one image, the soft one in the highlights, and an overlay.
  private static func graph() throws -> FilterGraph {
    var graph = FilterGraph()
    try graph.append(Exposure(ev: 0.4), id: "base")
    try graph.append(GaussianBlur(sigma: 2), id: "soft", inputs: ["base"])
    try graph.append(UnsharpMask(sigma: 1.5, amount: 1), id: "sharp", inputs: ["base"])
    var bright = MaskLuma()
    (bright.low0, bright.low1) = (0.3, 0.7)
    try graph.append(bright, id: "bright", inputs: ["soft"])
    try graph.append(
      Blend(.screen), id: "glow", inputs: ["sharp", "soft"], mask: "bright", opacity: 0.8)
    try graph.append(Grain(amount: 0.3, seed: 7))
    var mark = Overlay(asset: AttachmentKind.image.rawValue)
    mark.scale = 0.5
    try graph.append(mark, opacity: 0.7, blend: .multiply)
    graph.assets = Charts.assets
    return graph
  }

  @Test(arguments: [ChannelLayout.rgb, .rgba, .gray])
  func `strips and threads give identical results`(channels: ChannelLayout) throws {
    let image = try Charts.source(Charts.noise(67, 53, channels))
    let graph = try Self.graph()
    let expected = try Renderer.raster(image, graph)
    for (height, threads) in [(1, 1), (2, 4), (7, 2), (500, 3)] {
      var options = RenderOptions()
      (options.stripHeight, options.threads) = (height, threads)
      #expect(try Renderer.raster(image, graph, options: options) == expected)
    }
  }

  @Test func `the unsimplified plan gives the same samples`() throws {
    let image = try Charts.source(Charts.noise(67, 53))
    var options = RenderOptions()
    options.simplifiesPlans = false
    let plain = try Renderer.raster(image, Self.graph(), options: options).rgb
    #expect(try difference(Renderer.raster(image, Self.graph()).rgb, plain) <= 0.005)
  }

  @Test func `an image with an orientation renders like the oriented image`() throws {
    let expected = try Renderer.raster(
      Charts.source(named: "orientation-odd-1.png"), Self.graph())
    for k in 2...8 {
      let actual = try Renderer.raster(
        Charts.source(named: "orientation-odd-\(k).png"), Self.graph())
      #expect(try actual.size == expected.size && difference(expected.rgb, actual.rgb) <= 0.001)
    }
  }

  @Test func `a branch shared by two nodes equals two separate branches`() throws {
    let image = try Charts.source(Charts.noise(40, 31))
    func graph(_ second: String) throws -> FilterGraph {
      var graph = FilterGraph()
      try graph.append(GaussianBlur(sigma: 3), id: "one")
      try graph.append(GaussianBlur(sigma: 3), id: "two", inputs: ["source"])
      try graph.append(Invert(amount: 1), id: "negative", inputs: ["one"])
      try graph.append(Blend(.difference), inputs: ["negative", second])
      return graph
    }
    #expect(
      try Renderer.raster(image, graph("one")) == Renderer.raster(image, graph("two")))
  }

  @Test func `rotations and crops inside a branch stay in the branch`() throws {
    let chart = Charts.noise(24, 24)
    var graph = FilterGraph()
    try graph.append(Rotate90(turns: 1), id: "turned")
    try graph.append(Blend(.multiply), inputs: ["source", "turned"])
    try graph.append(Flip(.horizontal))
    let actual = try Renderer.raster(Charts.source(chart), graph).rgb
    for channel in 0..<3 {
      for y in 0..<24 {
        for x in 0..<24 {
          let (u, v) = (23 - x, y)
          let expected =
            Double(chart[x: u, y: v, channel: channel]) / 255
            * Double(chart[x: v, y: 23 - u, channel: channel]) / 255
          #expect(abs(Double(actual[channel][y * 24 + x]) - expected) < 1e-5)
        }
      }
    }
  }

  @Test func `images of different sizes are not blended`() throws {
    var graph = FilterGraph()
    try graph.append(Resize(width: 5), id: "small")
    try graph.append(Blend(.normal), inputs: ["source", "small"])
    let error = try #require(throws: RenderError.self) {
      try Renderer.raster(Charts.source(Charts.noise(9, 9)), graph)
    }
    #expect(
      "\(error)".contains("'small' (5×5) over 'source' (9×9), whose size differs"), "\(error)")
  }

  /// Straight colors and alphas by the W3C formula in double precision.
  @Test(arguments: [ChannelLayout.rgb, .rgba], [BlendMode.normal, .multiply, .colorBurn, .hue])
  func `an overlay is composited as defined`(
    channels: ChannelLayout, mode: BlendMode
  ) throws {
    let chart = Charts.noise(12, 8, channels)
    let mark = Charts.noise(12, 8, .rgba)
    var graph = FilterGraph()
    graph.assets["mark"] = GraphAttachment(try PNGEncoder.encode(mark), mediaType: "image/png")
    var overlay = Overlay(asset: "mark")
    (overlay.scale, overlay.margin) = (1, 0)
    try graph.append(overlay, opacity: 0.6, blend: mode)
    graph.background = Background(red: 10, green: 200, blue: 90)
    let actual = try Renderer.raster(Charts.source(chart), graph).rgb
    func color(_ image: ImageBuffer, _ x: Int, _ y: Int) -> (SIMD3<Double>, Double) {
      func sample(_ c: Int) -> Double { Double(image[x: x, y: y, channel: c]) / 255 }
      let alpha = image.layout.channels.hasAlpha ? sample(3) : 1
      return (SIMD3(sample(0), sample(1), sample(2)), alpha)
    }
    let back = SIMD3(10.0, 200, 90) / 255
    var most = 0.0
    for y in 0..<8 {
      for x in 0..<12 {
        let ((b, ab), (s, a)) = (color(chart, x, y), color(mark, x, y))
        let share = a * 0.6
        // Composited at once, premultiplied.
        let mixed =
          share * (1 - ab) * s + share * ab * mode(backdrop: b, source: s) + (1 - share) * ab * b
        let expected = mixed + (1 - (share + ab - share * ab)) * back
        for channel in 0..<3 {
          most = max(most, abs(expected[channel] - Double(actual[channel][y * 12 + x])))
        }
      }
    }
    #expect(most * 255 <= 0.02)
  }

  @Test(arguments: [
    (Overlay.Anchor.topLeft, 0, 0), (.bottomRight, 30, 21), (.center, 15, 11), (.top, 15, 0),
  ])
  func `an overlay is placed at its anchor`(anchor: Overlay.Anchor, x: Int, y: Int) throws {
    let mark = Charts.image(10, 9, .rgb) { _, _, _ in 255 }
    var graph = FilterGraph()
    graph.assets["mark"] = GraphAttachment(try PNGEncoder.encode(mark), mediaType: "image/png")
    var overlay = Overlay(asset: "mark")
    (overlay.scale, overlay.margin, overlay.anchor) = (0.25, 0, anchor)
    try graph.append(overlay)
    let flat = Charts.image(40, 30, .gray) { _, _, _ in 0 }
    let raster = try Renderer.raster(Charts.source(flat), graph).rgb[0]
    let white = raster.indices.filter { raster[$0] > 0.5 }
    #expect(white.count == 90)
    #expect(white.map { $0 % 40 }.min() == x && white.map { $0 / 40 }.min() == y)
  }
}
