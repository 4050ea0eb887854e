// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Tiled processing")
struct TileChainTests {
  /// Wider than several tiles and taller than two bands.
  private static let size = PixelSize(width: 1300, height: 150)

  private static func encoded(
    _ image: ImageSource, _ graph: FilterGraph, usesTiles: Bool, threads: Int = 2,
    tileWidth: Int? = nil
  ) throws -> [UInt8] {
    var options = RenderOptions()
    options.tileWidth = tileWidth
    options.usesTiles = usesTiles
    options.threads = threads
    options.allowsCoefficients = false
    return try Renderer.render(image, graph, options: options).jpeg
  }

  /// The number of tiles for a graph; 0 if it is processed in strips.
  private static func tileCount(_ image: ImageSource, _ graph: FilterGraph) throws -> Int {
    let job = try RenderJob(image, graph, options: RenderOptions())
    let result = RenderPlan.Result.bytes(expandingGray: false)
    let shape = StripShape(size: image.header.size, format: .packed(image.header.layout))
    return TileLayout(
      job.plan(shape, result: result), result: result, bandHeight: 128, tileWidth: 130)?
      .tiles.count ?? 0
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let filters: [any Filter]
    var channels = ChannelLayout.rgb
    var isTiled = true
  }

  private static func perspective(_ parameters: String) -> any Filter {
    do {
      return try FilterCatalog.filter(argument: "perspective:" + parameters)
    } catch {
      fatalError("\(error)")
    }
  }

  static let cases: [Case] = [
    Case(testDescription: "a blur", filters: [GaussianBlur(sigma: 1.5)]),
    Case(testDescription: "a blur of gray", filters: [GaussianBlur(sigma: 1)], channels: .gray),
    Case(testDescription: "a blur with alpha", filters: [GaussianBlur(sigma: 1)], channels: .rgba),
    Case(
      testDescription: "colours, sharpening and a vignette",
      filters: [Saturate(1.3), UnsharpMask(sigma: 2, amount: 1), Vignette(amount: 0.8)]),
    Case(
      testDescription: "sharpening twice",
      filters: [
        UnsharpMask(sigma: 0.7, amount: 1), Gamma(power: 1.2), UnsharpMask(sigma: 1.5, amount: 0.5),
      ]),
    Case(
      testDescription: "a turn, a cut and a blur",
      filters: [
        Rotate90(turns: 2), Crop(x: 0.05, y: 0.1, width: 0.9, height: 0.8), GaussianBlur(sigma: 1),
      ]),
    Case(testDescription: "shrinking", filters: [Resize(width: 700)]),
    Case(
      testDescription: "growing and sharpening",
      filters: [Resize(width: 1700), UnsharpMask(sigma: 1, amount: 1)]),
    Case(
      testDescription: "a rotation by a small angle",
      filters: [Exposure(ev: 0.3), Straighten(angle: 2), UnsharpMask(sigma: 1, amount: 1)]),
    Case(
      testDescription: "a rotation with a border, of gray",
      filters: [Straighten(angle: 45, fit: .expand)], channels: .gray),
    Case(
      testDescription: "a rotation between crops, with alpha",
      filters: [
        Crop(x: 0.05, y: 0.1, width: 0.9, height: 0.8), Straighten(angle: -30, fit: .expand),
        Crop(x: 0.1, y: 0.05, width: 0.8, height: 0.9),
      ], channels: .rgba),
    Case(
      testDescription: "a turn, a crop and a rotation",
      filters: [
        Rotate90(turns: 1), Crop(x: 0, y: 0.1, width: 0.9, height: 0.8), Rotate90(turns: 3),
        Straighten(angle: -30, fit: .expand),
      ]),
    Case(
      testDescription: "a rotation upside down",
      filters: [Rotate90(turns: 2), Straighten(angle: 3), Saturate(1.3)]),
    Case(
      testDescription: "a perspective",
      filters: [
        perspective("tl=0.1:0.05,tr=0.9:0,br=1:1,bl=0:0.9,crop=false"), Saturate(1.3),
      ]),
    Case(
      testDescription: "a rotation after a vignette",
      filters: [Vignette(amount: 0.5), Straighten(angle: 2)], isTiled: false),
    Case(testDescription: "points alone", filters: [Saturate(1.3)], isTiled: false),
    Case(
      testDescription: "a halo as high as a band", filters: [GaussianBlur(sigma: 12)],
      isTiled: false),
  ]

  @Test(arguments: cases)
  func `tiles give the same bytes as strips`(_ entry: Case) throws {
    let image = try Charts.source(
      Charts.noise(Self.size.width, Self.size.height, entry.channels))
    let graph = try FilterGraph(entry.filters)
    let tiles = try Self.tileCount(image, graph)
    #expect(entry.isTiled ? tiles > 5 : tiles == 0)
    let strips = try Self.encoded(image, graph, usesTiles: false)
    for threads in [1, 3] {
      for width in [nil, 130] {
        let tiles = try Self.encoded(
          image, graph, usesTiles: true, threads: threads, tileWidth: width)
        // A difference between long arrays takes minutes to describe.
        let isEqual = tiles == strips
        #expect(isEqual, "\(threads) threads, tiles of \(width ?? 0) columns")
      }
    }
  }

  @Test(arguments: 0..<SeededNumbers.cases(6))
  func `random graphs give the same bytes in tiles and strips`(batch: Int) throws {
    let seed = UInt64(0x711E_0000 + batch)
    var random = RandomGraphs(seed: seed)
    let image = try Charts.source(Charts.noise(120, 90, batch % 2 == 0 ? .rgb : .rgba))
    for index in 0..<25 {
      let graph = try random.graph(for: image.size)
      let strips = try Self.encoded(image, graph, usesTiles: false)
      let tiles = try Self.encoded(image, graph, usesTiles: true, tileWidth: 17 + index)
      let isEqual = tiles == strips
      #expect(isEqual, "seed \(seed), graph \(index): \(graph.json)")
    }
  }
}
