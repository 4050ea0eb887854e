// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Plan simplification")
struct SimplificationTests {
  private static let image = PixelSize(width: 41, height: 31)
  private static let images: [(channels: ChannelLayout, bytesPerSample: Int)] = [
    (.rgb, 1), (.rgba, 1), (.gray, 1), (.rgb, 2), (.grayAlpha, 2),
  ]

  @Test(arguments: 0..<SeededNumbers.cases(20))
  func `a simplified plan gives the same samples as the unsimplified one`(batch: Int) throws {
    let seed = UInt64(0x5EED_0000 + batch)
    var random = RandomGraphs(seed: seed)
    for index in 0..<25 {
      let graph = try random.graph(for: Self.image)
      let kind = Self.images[index % Self.images.count]
      let chart = Charts.noise(
        Self.image.width, Self.image.height, kind.channels, bytesPerSample: kind.bytesPerSample)
      let image = try Charts.source(chart)
      var options = RenderOptions()
      let simplified = try Renderer.raster(image, graph, options: options)
      options.simplifiesPlans = false
      let plain = try Renderer.raster(image, graph, options: options)
      #expect(simplified.size == plain.size)
      let most = Self.difference(plain, simplified)
      guard most > 2e-6 else { continue }
      // Some graphs magnify any rounding, such as roots near zero and the steep start of sRGB:
      // their limit is the effect of one more rounding before each node on the unsimplified plan.
      var noise: Float = 0
      // Where a matrix cancels its terms, what is left near zero has the rounding of the terms.
      let roundings: [any Filter] = [BrightnessScale(1.000_000_1), Brightness(0.000_000_1)]
      for (position, rounding) in graph.nodes.indices.flatMap({ index in
        roundings.map { (index, $0) }
      }) {
        var rounded = graph
        try rounded.append(rounding)
        try rounded.move(node: try #require(rounded.nodes.last).id, to: position)
        noise += Self.difference(plain, try Renderer.raster(image, rounded, options: options))
      }
      #expect(
        most <= 4 * noise && (most <= 2e-5 || noise > 2e-5),
        "seed \(seed), graph \(index), \(kind), \(most), noise \(noise): \(graph.json)")
    }
  }

  /// The largest difference, relative for samples above white.
  private static func difference(_ first: Raster, _ second: Raster) -> Float {
    let (first, second) = (Array(first.rgb.joined()), Array(second.rgb.joined()))
    var most: Float = 0
    for i in 0..<min(first.count, second.count) {
      most = max(most, abs(first[i] - second[i]) / max(1, abs(first[i])))
    }
    return most
  }

  @Test(arguments: 0..<SeededNumbers.cases(10))
  func `a crop after any graph removes samples and changes none`(batch: Int) throws {
    let seed = UInt64(0xC07_0000 + batch)
    var random = RandomGraphs(seed: seed)
    for index in 0..<20 {
      let graph = try random.graph(for: Self.image)
      let kind = Self.images[index % Self.images.count]
      let chart = Charts.noise(
        Self.image.width, Self.image.height, kind.channels, bytesPerSample: kind.bytesPerSample)
      let image = try Charts.source(chart)
      let whole = try Renderer.raster(image, graph)
      let x = random.number(below: whole.size.width)
      let y = random.number(below: whole.size.height)
      let region = Region(
        x: x, y: y, width: 1 + random.number(below: whole.size.width - x),
        height: 1 + random.number(below: whole.size.height - y))
      var longer = graph
      try longer.append(Crop(pixels: region))
      let truncated = try Renderer.raster(image, longer)
      #expect(truncated.size == region.size)
      #expect(
        truncated.planes == whole.cropped(to: region), "seed \(seed), graph \(index): \(graph.json)"
      )
    }
  }

  // MARK: Remaining steps

  /// The operations of a chain for an 8-bit RGB image, before and after simplification.
  private func simplified(
    _ operations: [FilterOperation], _ channels: ChannelLayout = .rgb, size: PixelSize = image
  ) -> [FilterOperation] {
    operations.simplified(
      for: SubgraphResult(
        decoded: StripShape(size: size, format: .packed(RowLayout(channels: channels)))))
  }

  private func lowered(_ filters: [String], opacity: String = "1") throws -> [FilterOperation] {
    var graph = try FilterGraph(filters.map(Definition.make))
    if opacity != "1" { try graph.set(node: "n1", parameter: "opacity", argument: opacity) }
    return try graph.chain(size: Self.image)
  }

  @Test(arguments: [
    ["invert", "invert"], ["contrast:amount=2", "contrast:amount=0.5"],
    ["exposure:ev=1,rolloff=0", "exposure:ev=-1"], ["gamma:power=2", "gamma:power=0.5"],
    ["crop:x=0,y=0,w=41,h=31,unit=pixels"], ["resize:width=41"],
    ["grayscale:mode=luma709,amount=0", "saturate:amount=1"],
    ["brightness:amount=0.25", "unsharpMask:amount=0", "brightness:amount=-0.25"],
  ])
  func `steps without effect are removed`(filters: [String]) throws {
    #expect(simplified(try lowered(filters)).isEmpty)
  }

  @Test func `a copy that is merged unchanged is removed`() {
    let sharpening = Sharpening(amount: 1, threshold: 0, isLumaOnly: false)
    #expect(simplified([.save, .sharpen(sharpening)]).isEmpty)
    #expect(simplified([.save, .matrix(.identity), .mix(opacity: 0.3)]).isEmpty)
  }

  @Test(arguments: [
    ["sepia:amount=0.5", "brightness:amount=0.1", "hueRotate:angle=30"],
    ["contrast:amount=1.2", "saturate:amount=1.5"],
    ["saturate:amount=0.5", "crop:x=1,y=0,w=40,h=31,unit=pixels", "sepia"],
  ])
  func `matrices and the linear steps before them become one matrix`(filters: [String]) throws {
    let steps = simplified(try lowered(filters)).filter {
      if case .crop = $0 { false } else { true }
    }
    #expect(steps.count == 1)
    guard case .matrix? = steps.first else {
      Issue.record("\(steps)")
      return
    }
  }

  @Test func `a partial matrix becomes a matrix`() throws {
    let steps = simplified(try lowered(["sepia"], opacity: "0.25"))
    let sepia = try lowered(["sepia:amount=0.25"])
    guard case .matrix(let matrix)? = steps.first, case .matrix(let expected)? = sepia.first else {
      Issue.record("\(steps)")
      return
    }
    #expect(steps.count == 1)
    for (row, other) in zip(matrix.rows.joined(), expected.rows.joined()) {
      #expect(abs(row - other) < 1e-12)
    }
  }

  @Test func `gray stays gray in later steps`() throws {
    let steps = try lowered(["grayscale:mode=luma709", "saturate:amount=2", "contrast:amount=2"])
    let plan = RenderPlan(
      steps, source: StripShape(size: Self.image, format: .packed(RowLayout(channels: .rgb))),
      background: .white, result: .floats)
    #expect(plan.outputPlanes == 1)
    #expect(plan.stages.count == 1 && plan.stages[0].steps.count == 2)
  }

  @Test func `an image that is partially gray keeps its color`() {
    let gray = FilterOperation.matrix(.sum(LumaWeights.rec709))
    let steps: [FilterOperation] = [.save, .extremum(.maximum), .mix(opacity: 0.5), gray]
    #expect(simplified(steps) == steps)
    #expect(simplified([.extremum(.maximum), .extremum(.minimum), gray]) == [.extremum(.maximum)])
  }

  @Test func `crops come first and keep the neighborhood of blurs`() throws {
    let kernel = BlurKernel(gaussian: 1)
    let operations: [FilterOperation] = [
      .matrix(.sum([0.2, 0.3, 0.5]).scaled(by: 0.5)), .blur(kernel),
      .crop(Region(x: 10, y: 2, width: 8, height: 9)), .extremum(.maximum),
      .crop(Region(x: 1, y: 1, width: 5, height: 5)),
    ]
    let steps = simplified(operations)
    // Radius 4; there are only three rows above.
    #expect(steps.first == .crop(Region(x: 7, y: 0, width: 13, height: 12)))
    #expect(steps[3] == .crop(Region(x: 4, y: 3, width: 5, height: 5)))
    #expect(steps.count == 5)
  }

  @Test func `resampling computes only the requested window`() throws {
    let size = PixelSize(width: 400, height: 300)
    let steps = simplified(
      [
        .resample(Resampling(size: PixelSize(width: 200, height: 150), kernel: .bilinear)),
        .crop(Region(x: 100, y: 50, width: 10, height: 20)),
      ], size: size)
    #expect(steps.count == 2)
    guard case .crop(let from)? = steps.first, case .resample(let resampling)? = steps.last else {
      Issue.record("\(steps)")
      return
    }
    #expect(resampling.computedSize == PixelSize(width: 10, height: 20))
    // At most twice the width and two additional samples on each side.
    #expect(from.width <= 24 && from.height <= 44 && from.x >= 198 && from.y >= 98)
  }

  @Test func `downscaling precedes a matrix, and grayscale precedes downscaling`() throws {
    let half = FilterOperation.resample(
      Resampling(size: PixelSize(width: 20, height: 15), kernel: .box))
    let color = FilterOperation.matrix(.sum(LumaWeights.rec709).scaled(by: 0.5))
    let gray = FilterOperation.matrix(.sum(LumaWeights.rec709))
    let curve = FilterOperation.curves(ChannelCurves(ToneCurve([.power(2)])))
    #expect(simplified([color, half]) == [half, color])
    #expect(simplified([half, gray]) == [gray, half])
    #expect(simplified([curve, half]) == [curve, half])
    // There, colors are weighted by alpha.
    #expect(simplified([color, half], .rgba) == [color, half])
    let double = FilterOperation.resample(
      Resampling(size: PixelSize(width: 80, height: 60), kernel: .box))
    #expect(simplified([color, double]) == [color, double])
  }

  @Test func `bytes of a cropped image still use tables`() throws {
    let operations = try lowered(["crop:x=3,y=1,w=20,h=20,unit=pixels", "gamma:power=2"])
    let plan = RenderPlan(
      operations,
      source: StripShape(size: Self.image, format: .packed(RowLayout(channels: .rgb))),
      background: .white, result: .bytes(expandingGray: false))
    guard case .curves? = plan.stages[0].steps.first else {
      Issue.record("\(plan.stages)")
      return
    }
  }

  @Test func `columns outside a crop are not blurred`() throws {
    let operations = try lowered([
      "unsharpMask:amount=1,sigma=1", "crop:x=20,y=10,w=5,h=5,unit=pixels",
    ])
    let plan = RenderPlan(
      operations,
      source: StripShape(size: Self.image, format: .packed(RowLayout(channels: .rgb))),
      background: .white, result: .floats)
    #expect(plan.stages.count == 2)
    // The pass of the blur reads only what the requested pixels depend on.
    #expect(plan.stages[0].output.size == PixelSize(width: 13, height: 13))
    #expect(plan.outputSize == PixelSize(width: 5, height: 5))
  }
}

extension FilterGraph {
  /// The graph in one line, for messages.
  var json: String {
    nodes.map {
      "\($0.filter)\($0.opacity == 1 ? "" : "@\($0.opacity)") \((try? $0.resolved().values).map { "\($0)" } ?? "?")"
    }
    .joined(separator: " | ")
  }
}
