// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import Testing

@Suite("Brush masks that follow edges")
struct BrushEdgeTests {
  /// The radius of the filter is 3 pixels.
  private static let size = PixelSize(width: 290, height: 23)
  private static let strokes = [
    BrushStroke(radius: 0.03, points: [.init(0.1, 0.4), .init(0.6, 0.7)]),
    BrushStroke(radius: 0.02, hardness: 0.9, flow: 0.7, points: [.init(0.97, 0.1)]),
  ]

  /// A dark image with an edge and noise, where an inversion shows the mask.
  private static func chart(_ channels: ChannelLayout) -> ImageBuffer {
    let noise = Charts.noise(size.width, size.height, .rgb)
    return Charts.image(size.width, size.height, channels) { x, y, channel in
      let level = (x / 29 + y / 9) % 2 * 50
      return level + (Int(noise.bytes[(y * size.width + x) * 3 + channel % 3]) * (channel + 1)) / 40
    }
  }

  private static func graph(
    _ edge: Double, inputs: [String] = [], before: [any Filter] = []
  ) throws -> FilterGraph {
    var graph = try FilterGraph(before)
    var mask = MaskBrush(strokes)
    mask.edge = edge
    try graph.append(mask, id: "m", inputs: inputs)
    try graph.append(Invert(amount: 1), id: "n", mask: "m")
    return graph
  }

  /// The guided filter in double precision, for rows of a plane.
  private static func guided(_ mask: [Double], by guide: [Double], radius: Int) -> [Double] {
    func mirrored(_ index: Int, _ count: Int) -> Int {
      index < 0 ? -1 - index : index >= count ? 2 * count - 1 - index : index
    }
    func means(_ values: [Double]) -> [Double] {
      (0..<size.pixelCount).map { pixel in
        let (x, y) = (pixel % size.width, pixel / size.width)
        var sum = 0.0
        for row in y - radius...y + radius {
          for column in x - radius...x + radius {
            sum += values[mirrored(row, size.height) * size.width + mirrored(column, size.width)]
          }
        }
        return sum / Double((2 * radius + 1) * (2 * radius + 1))
      }
    }
    let (mean, product) = (means(guide), means(zip(guide, mask).map { $0 * $1 }))
    let (masks, squares) = (means(mask), means(guide.map { $0 * $0 }))
    let slopes = guide.indices.map { index in
      let covariance = product[index] - mean[index] * masks[index]
      return covariance / (squares[index] - mean[index] * mean[index] + 0.0004)
    }
    let offsets = guide.indices.map { masks[$0] - slopes[$0] * mean[$0] }
    let (slope, offset) = (means(slopes), means(offsets))
    return guide.indices.map { slope[$0] * guide[$0] + offset[$0] }
  }

  /// The mask: how far a pixel is inverted.
  private static func coverage(_ graph: FilterGraph, _ chart: ImageBuffer) throws -> [Double] {
    let before = try Renderer.raster(Charts.source(chart), FilterGraph()).rgb[0]
    let after = try Renderer.raster(Charts.source(chart), graph).rgb[0]
    return zip(before, after).map { x, y in Double(y - x) / (1 - 2 * Double(x)) }
  }

  @Test(arguments: [1.0, 0.4], [ChannelLayout.gray, .rgb])
  func `an edge filters the mask with the luma as its guide`(
    edge: Double, channels: ChannelLayout
  ) throws {
    let chart = Self.chart(channels)
    let planes = try Renderer.raster(Charts.source(chart), FilterGraph()).rgb
    let luma = planes[0].indices.map { index in
      zip(planes, [0.299, 0.587, 0.114]).reduce(0) { $0 + Double($1.0[index]) * $1.1 }
    }
    let law = MaskGenerator.Law.strokes(
      Self.strokes.map { MaskStroke($0, size: Self.size) }, isInverted: false)
    let mask = (0..<Self.size.pixelCount).map {
      MaskGenerator(law, size: Self.size).value(x: $0 % Self.size.width, y: $0 / Self.size.width)
    }
    let filtered = Self.guided(mask, by: luma, radius: 3)
    let coverage = try Self.coverage(Self.graph(edge), chart)
    var most = 0.0
    for (index, value) in coverage.enumerated() {
      let expected = mask[index] + edge * (filtered[index] - mask[index])
      most = max(most, abs(value - min(max(expected, 0), 1)))
    }
    #expect(most * 255 <= 0.1)
    #expect(zip(mask, filtered).map { abs($0 - $1) }.max() ?? 0 > 0.2)
  }

  @Test func `without an edge, the mask is what it was and reads no image`() throws {
    let plain = #"{"filter":"mask.brush","id":"m","in":[],"params":{"strokes":[{"radius":0.1,"#
    let rest =
      #""points":[[0.5,0.5]]}]}},{"filter":"invert","id":"n","mask":"m","params":{"amount":1}}"#
    let text =
      #"{"format":"org.photoedit.filter-graph","nodes":[\#(plain)\#(rest)],"version":"1.0"}"#
    let stored = try FilterGraph(json: Array(text.utf8))
    let lowered = try stored.lowered(size: Self.size)
    var edited = stored
    try edited.set(node: "m", parameter: "edge", argument: "0")
    #expect(try edited.lowered(size: Self.size) == lowered)
    try edited.set(node: "m", parameter: "in", argument: "source")
    #expect(try edited.lowered(size: Self.size) == lowered)
    try edited.set(node: "m", parameter: "edge", argument: "0.5")
    #expect(try edited.lowered(size: Self.size).parts.count == lowered.parts.count + 1)
  }

  @Test(arguments: [1, 7, 1000])
  func `strips of any height give the same bits`(height: Int) throws {
    let (graph, chart) = (try Self.graph(0.8), try Charts.source(Self.chart(.rgba)))
    var options = RenderOptions()
    (options.stripHeight, options.threads) = (height, 3)
    let expected = try Renderer.raster(chart, graph).rgb
    #expect(try Renderer.raster(chart, graph, options: options).rgb == expected)
  }

  @Test func `the mask follows the image before it, or the one that it names`() throws {
    let chart = try Charts.source(Self.chart(.rgb))
    let before: [any Filter] = [GaussianBlur(sigma: 4)]
    let preceding = try Renderer.raster(chart, Self.graph(1, before: before)).rgb
    let named = try Renderer.raster(chart, Self.graph(1, inputs: ["n1"], before: before)).rgb
    let source = try Renderer.raster(chart, Self.graph(1, inputs: ["source"], before: before)).rgb
    #expect(preceding == named && preceding != source)
    let small = try Self.graph(
      1, inputs: ["source"], before: [Crop(x: 0, y: 0, width: 0.5, height: 1)])
    let error = try #require(throws: RenderError.self) { try Renderer.raster(chart, small) }
    #expect("\(error)".contains("an image of 290×23 used as a mask for one of 145×23"), "\(error)")
    let two = try Self.graph(1, inputs: ["source", "n1"], before: before)
    let refused = try #require(throws: RenderError.self) { try Renderer.raster(chart, two) }
    #expect("\(refused)".contains("2 inputs ('mask.brush' takes 0…1)"), "\(refused)")
  }
}
