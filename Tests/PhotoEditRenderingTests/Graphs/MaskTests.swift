// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import Testing

@Suite("Node masks, opacity and blend modes")
struct MaskTests {
  /// Filters with one input that leave every pixel in place.
  static let inPlace = CatalogCase.all.filter {
    $0.description.inputs == .image && ![.geometry, .mask].contains($0.description.dependency)
  }

  /// A mask with the same value everywhere.
  private static func even(_ isFull: Bool) -> MaskLinear {
    var mask = MaskLinear()
    mask.from = [isFull ? -1 : 1.5, 0]
    mask.to = [isFull ? -0.5 : 2, 0]
    return mask
  }

  private static func graph(
    _ filter: any Filter, mask: (any Filter)? = nil, opacity: Double = 1,
    blend: BlendMode = .normal
  ) throws -> FilterGraph {
    var graph = FilterGraph()
    if let mask { try graph.append(mask, id: "m", inputs: []) }
    try graph.append(filter, mask: mask == nil ? nil : "m", opacity: opacity, blend: blend)
    graph.assets = Charts.assets
    return graph
  }

  @Test(arguments: inPlace, [ChannelLayout.rgb, .rgba, .gray])
  func `a mask of 0 keeps the image and a mask of 1 applies the filter`(
    _ entry: CatalogCase, channels: ChannelLayout
  ) throws {
    let image = try Charts.source(Charts.noise(21, 16, channels))
    let plain = try Renderer.raster(image, FilterGraph()).rgb
    for filter in entry.active.prefix(2) {
      let whole = try Renderer.raster(image, Self.graph(filter)).rgb
      let none = try Renderer.raster(image, Self.graph(filter, mask: Self.even(false))).rgb
      let all = try Renderer.raster(image, Self.graph(filter, mask: Self.even(true))).rgb
      #expect(try difference(plain, none) <= 0.001, "\(filter.values)")
      // Linear light is converted with the transfer curve and back.
      #expect(try difference(whole, all) <= 0.01, "\(filter.values)")
      let hidden = try Renderer.raster(image, Self.graph(filter, opacity: 0)).rgb
      #expect(hidden == plain)
    }
  }

  /// out = in + coverage·opacity·(filter(in) − in), in the transfer encoding of the filter.
  @Test(arguments: [
    ("invert:amount=1", false), ("gaussianBlur:sigma=2", false), ("exposure:ev=1", true),
    ("gaussianBlur:sigma=2,light=linear", true),
  ])
  func `a mask mixes in the filter's transfer encoding`(argument: String, isLinear: Bool) throws {
    let size = PixelSize(width: 37, height: 29)
    let chart = try Charts.source(Charts.noise(size.width, size.height))
    var mask = MaskRadial()
    mask.center = [0.4, 0.6]
    mask.radius = [0.5, 0.35]
    mask.angle = 25
    let filter = try FilterCatalog.filter(argument: argument)
    let before = try Renderer.raster(chart, FilterGraph()).rgb
    let after = try Renderer.raster(chart, FilterGraph([filter])).rgb
    let mixed = try Renderer.raster(chart, Self.graph(filter, mask: mask, opacity: 0.7)).rgb
    let law = MaskGenerator.Law.radial(
      center: SIMD2(0.4 * 37, 0.6 * 29), radius: SIMD2(0.5 * 37, 0.35 * 29), angle: 25 * .pi / 180,
      feather: 0.5, isInverted: false)
    let coverage = MaskGenerator(law, size: size)
    var most = 0.0
    for channel in 0..<3 {
      for y in 0..<size.height {
        for x in 0..<size.width {
          let index = y * size.width + x
          var (a, b) = (Double(before[channel][index]), Double(after[channel][index]))
          if isLinear { (a, b) = (SRGBTransfer.decode(a), SRGBTransfer.decode(b)) }
          var expected = a + coverage.value(x: x, y: y) * 0.7 * (b - a)
          if isLinear { expected = SRGBTransfer.encode(expected) }
          most = max(most, abs(expected - Double(mixed[channel][index])))
        }
      }
    }
    #expect(most * 255 <= 0.02)
  }

  @Test(arguments: BlendMode.allCases)
  func `a node blends its effect with its input`(mode: BlendMode) throws {
    let chart = try Charts.source(Charts.noise(23, 19))
    let filter = try FilterCatalog.filter(argument: "hueRotate:angle=70")
    let before = try Renderer.raster(chart, FilterGraph()).rgb
    let after = try Renderer.raster(chart, FilterGraph([filter])).rgb
    let blended = try Renderer.raster(chart, Self.graph(filter, opacity: 0.6, blend: mode)).rgb
    var most = 0.0
    for index in before[0].indices {
      func color(_ planes: [[Float]]) -> SIMD3<Double> {
        SIMD3(Double(planes[0][index]), Double(planes[1][index]), Double(planes[2][index]))
      }
      let (b, s) = (color(before), color(after))
      let expected = b + 0.6 * (mode(backdrop: b, source: s) - b)
      most = max(most, (expected - color(blended)).max(), -(expected - color(blended)).min())
    }
    #expect(most * 255 <= 0.02)
  }

  /// The first two change nothing by themselves; noise is added by a separate rule.
  @Test(arguments: [
    ("sepia:amount=0", BlendMode.screen), ("exposure:ev=0", .multiply),
    ("grain:amount=0.6,seed=3", .darken), ("grain:amount=0.6,seed=3", .screen),
    ("tiltShift:maxSigma=3", .lighten),
  ])
  func `a node's blend mode equals a blend after it`(
    argument: String, mode: BlendMode
  ) throws {
    let chart = try Charts.source(Charts.noise(23, 19))
    let filter = try FilterCatalog.filter(argument: argument)
    let actual = try Renderer.raster(chart, Self.graph(filter, opacity: 0.6, blend: mode)).rgb
    var graph = try FilterGraph([filter])
    let inputs = [FilterGraph.sourceName, graph.nodes[0].id]
    try graph.append(Blend(mode), inputs: inputs, opacity: 0.6)
    let expected = try Renderer.raster(chart, graph).rgb
    // Exposure blends in linear light, where a product with itself is also a square.
    if argument.hasPrefix("exposure") {
      let plain = try Renderer.raster(chart, FilterGraph()).rgb
      for (x, y) in zip(plain.joined(), actual.joined()) {
        let light = SRGBTransfer.decode(Double(x))
        let product = SRGBTransfer.encode(light + 0.6 * (light * light - light))
        #expect(abs(product - Double(y)) * 255 <= 0.02)
      }
    } else {
      #expect(try difference(expected, actual) <= 0.01)
    }
  }

  @Test(arguments: [
    #"{"filter":"mask.luma","in":["source"],"params":{"lo0":0.2,"lo1":0.4,"hi1":0.6,"hi0":0.9}}"#,
    #"{"filter":"mask.luma","in":["source"],"params":{"lo0":0.5,"lo1":0.5,"hi1":1,"hi0":1}}"#,
    #"{"filter":"mask.luma","in":["source"],"params":{"lo0":0,"lo1":0,"hi1":0.3,"hi0":0.4}}"#,
  ])
  func `a luma mask is a trapezoid with smooth shoulders`(node: String) throws {
    let ramp = Charts.image(256, 1, .gray) { x, _, _ in x }
    let graph = try document([node.replacingID("m")], mask: "m")
    let raster = try Renderer.raster(Charts.source(ramp), graph).rgb[0]
    let mask = try #require(try graph.nodes[0].resolved() as? MaskLuma)
    func step(_ low: Double, _ high: Double, _ x: Double) -> Double {
      if low == high { return x > low ? 1 : 0 }
      let t = min(max((x - low) / (high - low), 0), 1)
      return t * t * (3 - 2 * t)
    }
    for x in 0..<256 {
      let level = Double(x) / 255
      let rise = mask.low1 > 0 ? step(mask.low0, mask.low1, level) : 1
      let coverage = rise * (1 - (mask.high1 < 1 ? step(mask.high1, mask.high0, level) : 0))
      let expected = level + coverage * (1 - 2 * level)
      #expect(abs(Double(raster[x]) - expected) * 255 <= 0.02, "\(x)")
    }
  }

  @Test(arguments: MaskCombination.allCases)
  func `two masks are combined`(rule: MaskCombination) throws {
    let flat = Charts.image(31, 23, .gray) { _, _, _ in 0 }
    func coverage(_ nodes: [String], mask: String) throws -> [Double] {
      try Renderer.raster(Charts.source(flat), document(nodes, mask: mask)).rgb[0].map {
        Double($0)
      }
    }
    let a = #"{"filter":"mask.radial","id":"a","in":[],"params":{"feather":1}}"#
    let b = #"{"filter":"mask.linear","id":"b","in":[],"opacity":0.8}"#
    let both =
      #"{"filter":"mask.combine","id":"c","in":["a","b"],"params":{"mode":"\#(rule.rawValue)"}}"#
    let inverse = #"{"filter":"mask.invert","id":"d","in":["c"]}"#
    let first = try coverage([a], mask: "a")
    let second = try coverage([b], mask: "b")
    #expect((second.max() ?? 0) <= 0.8 && (second.max() ?? 0) > 0.75)
    let combined = try coverage([a, b, both], mask: "c")
    let inverted = try coverage([a, b, both, inverse], mask: "d")
    for index in first.indices {
      #expect(abs(combined[index] - rule(first[index], second[index])) < 1e-5)
      #expect(abs(inverted[index] + combined[index] - 1) < 1e-5)
    }
  }

  @Test func `a mask image is stretched to the photo`() throws {
    let flat = Charts.image(30, 20, .gray) { _, _, _ in 0 }
    let drawing = Charts.image(3, 2, .gray) { x, y, _ in [0, 128, 255, 255, 64, 0][y * 3 + x] }
    var graph = FilterGraph()
    graph.assets["drawing"] = GraphAttachment(
      try PNGEncoder.encode(drawing), mediaType: "image/png")
    try graph.append(MaskImage(asset: "drawing"), id: "m", inputs: [])
    try graph.append(Invert(amount: 1), mask: "m")
    let masked = try Renderer.raster(Charts.source(flat), graph).rgb[0]
    let expected = try Renderer.raster(
      Charts.source(drawing), FilterGraph([Resize(width: 30, height: 20, kernel: .bilinear)])
    ).rgb[0]
    #expect(zip(masked, expected).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test func `a disabled mask has no effect`() throws {
    let chart = try Charts.source(Charts.noise(9, 9))
    let off = #"{"enabled":false,"filter":"mask.radial","id":"m","in":[]}"#
    let masked = try Renderer.raster(chart, document([off], mask: "m"))
    #expect(try masked == Renderer.raster(chart, FilterGraph([Invert(amount: 1)])))
  }

  @Test(arguments: MaskCombination.allCases, [false, true])
  func `if one of two masks is disabled, the other one is used`(
    rule: MaskCombination, isFirst: Bool
  ) throws {
    let chart = try Charts.source(Charts.noise(13, 9))
    let on = #"{"filter":"mask.radial","id":"on","in":[]}"#
    let off = #"{"enabled":false,"filter":"mask.linear","id":"off","in":[]}"#
    let inputs = isFirst ? #""off","on""# : #""on","off""#
    let both =
      #"{"filter":"mask.combine","id":"m","in":[\#(inputs)],"params":{"mode":"\#(rule.rawValue)"}}"#
    let inverse = #"{"filter":"mask.invert","id":"inverse","in":["on"]}"#
    let actual = try Renderer.raster(chart, document([off, on, both], mask: "m"))
    // Subtracting from no mask means subtracting from the whole image.
    let isInverse = isFirst && rule == .subtract
    let expected = try Renderer.raster(
      chart, document([on, inverse], mask: isInverse ? "inverse" : "on"))
    #expect(try difference(actual.rgb, expected.rgb) <= 0.001)
  }

  @Test func `masks with two references to the previous mask are computed once each`() throws {
    let chart = try Charts.source(Charts.noise(9, 9))
    for isOn in [true, false] {
      var nodes = [#"{"enabled":\#(isOn),"filter":"mask.radial","id":"m0","in":[]}"#]
      for index in 1...60 {
        nodes.append(
          #"{"filter":"mask.combine","id":"m\#(index)","in":["m\#(index - 1)","m\#(index - 1)"],"#
            + #""params":{"mode":"multiply"}}"#)
      }
      _ = try Renderer.raster(chart, document(nodes, mask: "m60"))
    }
  }

  @Test(arguments: [
    (["{\"filter\":\"invert\",\"id\":\"m\"}"], "not supported: image 'm' used as a mask"),
    (
      ["{\"filter\":\"mask.radial\",\"id\":\"m\",\"in\":[],\"blend\":\"screen\"}"],
      "not supported: a mask or a blend mode on a mask; use 'mask.combine' to combine masks"
    ),
    (
      ["{\"filter\":\"mask.luma\",\"id\":\"m\",\"in\":[]}"],
      "not supported: 0 inputs ('mask.luma' takes 1)"
    ),
    (
      [
        "{\"filter\":\"crop\",\"id\":\"a\",\"params\":{\"w\":0.5}}",
        "{\"filter\":\"mask.luma\",\"id\":\"m\",\"in\":[\"source\"]}",
      ], "not supported: an image of 9×9 used as a mask for one of 5×9"
    ),
  ])
  func `an invalid mask is reported with the reason`(nodes: [String], sentence: String) throws {
    let graph = try document(nodes, mask: "m")
    let error = try #require(throws: RenderError.self) {
      try Renderer.raster(Charts.source(Charts.noise(9, 9)), graph)
    }
    #expect("\(error)".contains(sentence), "\(error)")
  }

  /// The given nodes, and an inversion with a mask.
  private func document(_ nodes: [String], mask: String) throws -> FilterGraph {
    let last = #"{"filter":"invert","id":"last","mask":"\#(mask)","params":{"amount":1}}"#
    let text =
      #"{"format":"org.photoedit.filter-graph","nodes":["# + (nodes + [last]).joined(separator: ",")
      + #"],"version":"1.0"}"#
    return try FilterGraph(json: Array(text.utf8))
  }
}

extension String {
  /// A node with another name.
  fileprivate func replacingID(_ id: String) -> String {
    "{\"id\":\"\(id)\"," + dropFirst()
  }
}
