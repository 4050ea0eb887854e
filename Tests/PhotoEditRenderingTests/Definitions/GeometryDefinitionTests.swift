// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import Testing

@Suite("Geometric filters")
struct GeometryDefinitionTests {
  private static let chart = Charts.noise(7, 5)

  @Test(arguments: Orientation.allCases)
  func `a rotation moves samples and changes none`(_ orientation: Orientation) throws {
    for image in [Self.chart, Charts.noise(7, 5, .gray), Charts.noise(7, 5, bytesPerSample: 2)] {
      let actual = try raster(Charts.source(image), [Orient(orientation)])
      #expect(actual.planes == image.rotated(orientation).floatPlanes)
    }
  }

  @Test(arguments: [(1, Orientation.right), (2, .down), (3, .left)])
  func `90° rotations are clockwise`(turns: Int, same: Orientation) throws {
    // The top left corner of a clockwise rotation was at the bottom left.
    if turns == 1 {
      let first = try raster(Charts.source(Self.chart), [Rotate90(turns: 1)]).planes[0][0]
      #expect(first == Self.chart.floatPlanes[0][4 * 7])
    }
    #expect(
      try raster(Charts.source(Self.chart), [Rotate90(turns: turns)]).planes
        == Self.chart.rotated(same).floatPlanes)
  }

  @Test(arguments: Flip.Axis.allCases)
  func `a flip reverses indices`(_ axis: Flip.Axis) throws {
    let mirrored = Charts.image(7, 5, .rgb) { x, y, channel in
      axis == .horizontal
        ? Self.chart[x: 6 - x, y: y, channel: channel]
        : Self.chart[x: x, y: 4 - y, channel: channel]
    }
    #expect(try raster(Charts.source(Self.chart), [Flip(axis)]).planes == mirrored.floatPlanes)
  }

  @Test(arguments: [
    // x0 = round(x·W), x1 = round((x + w)·W) of 7×5 pixels.
    (0.5, 0.5, 0.5, 0.5, Region(x: 4, y: 3, width: 3, height: 2)),
    (0.1, 0, 0.8, 1, Region(x: 1, y: 0, width: 5, height: 5)),
    (0.99, 0.99, 0.01, 0.01, Region(x: 6, y: 4, width: 1, height: 1)),
    (0, 0, 0.001, 0.001, Region(x: 0, y: 0, width: 1, height: 1)),
  ])
  func `a relative crop rounds its edges`(
    x: Double, y: Double, w: Double, h: Double, region: Region
  ) throws {
    let planes = try raster(
      Charts.source(Self.chart), [Crop(x: x, y: y, width: w, height: h)]
    ).planes
    #expect(planes == Self.chart.cropped(to: region).floatPlanes)
  }

  @Test func `a crop outside the image is rejected`() throws {
    let crop = Crop(pixels: Region(x: 5, y: 0, width: 3, height: 5))
    #expect {
      try raster(Charts.source(Self.chart), [crop])
    } throws: {
      guard case RenderError.graph(let reason) = $0 else { return false }
      return "\(reason)".contains("3×5+5+0 is outside the image of 7×5")
    }
  }

  // MARK: Resize

  @Test func `resizing matches Pillow in floats`() throws {
    struct Case: Decodable, Sendable {
      let kernel: String
      let width: Int
      let height: Int
      let levels: [Double]
    }
    let oracle = try Oracle<Case>("resize")
    for line in oracle.cases {
      let kernel = try #require(ResamplingKernel(rawValue: line.kernel))
      let resize = Resize(width: line.width, height: line.height, kernel: kernel)
      let most = try difference(raster(oracle.image(), [resize]), levels: line.levels)
      #expect(most <= 0.001, "\(line.kernel) \(line.width)×\(line.height)")
    }
  }

  @Test(arguments: [ResamplingKernel.mitchell, .lanczos2], [(5, 9), (16, 4), (13, 13)])
  func `a kernel without a reference program matches its definition`(
    kernel: ResamplingKernel, size: (Int, Int)
  ) throws {
    let chart = Charts.noise(11, 8)
    let expected = chart.floatPlanes.map { plane -> [Float] in
      Self.resized(plane.map { Double($0) }, chart.size, size, kernel).map { Float($0) }
    }
    let resize = Resize(width: size.0, height: size.1, kernel: kernel)
    let actual = try raster(Charts.source(chart), [resize])
    #expect(try difference(expected, actual.planes) <= ToleranceClass.Reach.spatial.maximum)
  }

  @Test(arguments: ResamplingKernel.allCases)
  func `a flat image stays flat at any size`(_ kernel: ResamplingKernel) throws {
    let flat = try Charts.source(Charts.image(9, 7, .gray) { _, _, _ in 77 })
    for (w, h) in [(1, 1), (2, 3), (9, 8), (40, 1), (31, 22)] {
      let plane = try raster(flat, [Resize(width: w, height: h, kernel: kernel)]).planes[0]
      #expect(plane.count == w * h && plane.allSatisfy { abs($0 * 255 - 77) < 1e-3 })
    }
  }

  @Test func `resizing in linear light preserves the brightness of fine detail`() throws {
    // Half black, half white is half the light: 188 and not 128.
    let checker = Charts.image(16, 16, .gray) { x, y, _ in (x + y) % 2 * 255 }
    var resize = Resize(width: 4, height: 4, kernel: .box)
    #expect(try raster(Charts.source(checker), [resize]).planes[0].allSatisfy { $0 == 0.5 })
    resize.light = .linear
    let expected = Float(Definition.encoded(0.5))
    #expect(
      try raster(Charts.source(checker), [resize]).planes[0]
        .allSatisfy { abs($0 - expected) < 1e-5 })
  }

  /// The orientation is applied first, and a center exactly between two pixels must still select
  /// the same one.
  @Test(arguments: ResamplingKernel.allCases, Orientation.allCases)
  func `a rotation after a resize rotates its result, including ties`(
    kernel: ResamplingKernel, orientation: Orientation
  ) throws {
    let image = try Charts.source(Charts.noise(12, 9))
    for (w, h) in [(6, 3), (8, 6), (4, 2), (24, 18)] {
      let resize = Resize(width: w, height: h, kernel: kernel)
      let expected = try raster(image, [resize]).rotated(orientation)
      let actual = try raster(image, [resize, Orient(orientation)]).planes
      #expect(try difference(expected, actual) <= 0.001, "\(w)×\(h)")
      let twice = try raster(image, [resize, Orient(orientation), Orient(orientation.inverse)])
      #expect(try difference(raster(image, [resize]).planes, twice.planes) <= 0.001)
    }
  }

  @Test(arguments: [
    ("resize:width=3", 3, 2), ("resize:height=10", 14, 10), ("resize:scale=0.5", 4, 3),
    ("resize:scale=2", 14, 10), ("resize:width=1,height=9,scale=3", 1, 9),
    ("resize:scale=0.0001", 1, 1),
  ])
  func `an omitted side follows from the aspect ratio`(argument: String, w: Int, h: Int)
    throws
  {
    let size = try raster(Charts.source(Self.chart), [Definition.make(argument)]).size
    #expect(size == PixelSize(width: w, height: h))
  }

  // MARK: Vignette

  @Test(arguments: [
    "vignette", "vignette:amount=0.6,angle=70", "vignette:amount=-0.5,center=0.2:0.9",
    "vignette:amount=0.8,light=linear", "vignette:model=smooth,radius=0.3,feather=0.4",
    "vignette:amount=-1,light=linear,angle=60",
    "vignette:model=smooth,roundness=0,amount=0.7", "vignette:model=smooth,feather=0,center=0:0",
    "vignette:model=smooth,roundness=0.5,radius=0.1,feather=1.5,amount=-1",
  ])
  func `a vignette multiplies by the falloff of its definition`(argument: String) throws {
    let vignette = try #require(Definition.make(argument) as? Vignette)
    for chart in [Charts.noise(17, 9), Charts.noise(17, 9, .gray)] {
      for version in [1, 2] {
        let filter: any Filter =
          version == 2 ? vignette : try Self.earlier(vignette)
        let actual = try raster(Charts.source(chart), [filter])
        let expected = Self.expected(vignette, version: version, chart)
        #expect(
          try difference(expected, actual.planes) <= ToleranceClass.Reach.point.maximum,
          "version \(version)")
      }
    }
  }

  @Test func `a vignette brightens no color past white, and darkens no corner to black`() throws {
    let snow = try Charts.source(
      Charts.image(40, 30, .rgb) { x, y, channel in 225 + (x + 2 * y + channel) % 31 })
    let before = try raster(snow, []).rgb
    for model in ["cos4", "smooth"] {
      let bright = try raster(
        snow, [Definition.make("vignette:model=\(model),amount=-1")]
      ).rgb
      for (old, new) in zip(before.joined(), bright.joined()) {
        #expect(new >= old - 1e-5 && new <= 1 + 1e-5)
        #expect(old > 0.999 || new < 0.9995)
      }
    }
    let dark = try raster(snow, [Definition.make("vignette:model=smooth,amount=1")]).rgb
    for (old, new) in zip(before.joined(), dark.joined()) { #expect(new >= 0.399 * old) }
  }

  private static func earlier(_ vignette: Vignette) throws -> any Filter {
    let text = String(decoding: try Charts.graph([vignette]).canonicalBytes(), as: UTF8.self)
    let older = text.replacing(#""v":2"#, with: #""v":1"#)
    return try FilterGraph(json: Array(older.utf8)).nodes[0].resolved()
  }

  private static func expected(
    _ vignette: Vignette, version: Int, _ chart: ImageBuffer
  ) -> [[Float]] {
    let isLinear = vignette.light == .linear
    let planes = chart.floatPlanes.map { plane in
      plane.map { isLinear ? Definition.linear(Double($0)) : Double($0) }
    }
    return planes.map { plane in
      plane.enumerated().map { i, value -> Float in
        var v = vignette
        if version == 2 && v.model == .smooth { v.amount *= 0.6 }
        var gain = factor(v, x: i % 17, y: i / 17, chart.size)
        if version == 2 && v.amount < 0 {
          let most = planes.map { $0[i] }.max() ?? 0
          gain /= 1 + most * (gain - 1)
        }
        return Float(isLinear ? Definition.encoded(value * gain) : value * gain)
      }
    }
  }

  private static func factor(_ v: Vignette, x: Int, y: Int, _ size: PixelSize) -> Double {
    let (w, h) = (Double(size.width), Double(size.height))
    let dx = Double(x) + 0.5 - v.center[0] * w
    let dy = Double(y) + 0.5 - v.center[1] * h
    let falloff: Double
    if v.model == .cos4 {
      let distance = sqrt(dx * dx + dy * dy) / (sqrt(w * w + h * h) / 2)
      falloff = pow(max(0, cos(min(v.angle * distance, 90) * .pi / 180)), 4)
    } else {
      // Between a circle through the corners and an ellipse through them.
      func scale(_ side: Double) -> Double {
        v.roundness * 2 / sqrt(w * w + h * h) + (1 - v.roundness) * sqrt(2) / side
      }
      let distance = sqrt(pow(dx * scale(w), 2) + pow(dy * scale(h), 2))
      let t =
        v.feather > 0
        ? min(max((distance - v.radius) / v.feather, 0), 1) : distance > v.radius ? 1 : 0
      falloff = 1 - t * t * (3 - 2 * t)
    }
    return 1 - v.amount * (1 - falloff)
  }

  /// Rows and columns as one double sum per sample.
  private static func resized(
    _ plane: [Double], _ size: PixelSize, _ target: (Int, Int), _ kernel: ResamplingKernel
  ) -> [Double] {
    func weights(_ i: Int, _ m: Int, _ n: Int) -> [Double] {
      let ratio = Double(m) / Double(n)
      let stretch = max(1, ratio)
      let raw = (0..<m).map { j in
        Self.kernel(kernel, (Double(j) + 0.5 - (Double(i) + 0.5) * ratio) / stretch)
      }
      let sum = raw.reduce(0, +)
      return raw.map { $0 / sum }
    }
    return (0..<target.1).flatMap { y -> [Double] in
      let down = weights(y, size.height, target.1)
      return (0..<target.0).map { x -> Double in
        let across = weights(x, size.width, target.0)
        var sum = 0.0
        for j in 0..<size.height {
          for i in 0..<size.width { sum += down[j] * across[i] * plane[j * size.width + i] }
        }
        return sum
      }
    }
  }

  private static func kernel(_ kernel: ResamplingKernel, _ distance: Double) -> Double {
    let x = abs(distance)
    guard x < 2 else { return 0 }
    if kernel == .lanczos2 {
      return x == 0 ? 1 : 2 * sin(.pi * x) * sin(.pi * x / 2) / (.pi * .pi * x * x)
    }
    // Mitchell and Netravali 1988, B = C = ⅓, as published: an eighteenth of whole numbers.
    return x < 1
      ? (21 * x * x * x - 36 * x * x + 16) / 18
      : (-7 * x * x * x + 36 * x * x - 60 * x + 32) / 18
  }
}
