// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("16-to-8-bit reduction and dithering")
struct DitherTests {
  private static func options(seed: UInt64? = nil) -> RenderOptions {
    var options = RenderOptions()
    if let seed { options.dither = .tpdf(seed: seed) }
    return options
  }

  /// Uniform areas between two 8-bit levels, in 16 bits.
  private static let ramp = Charts.image(128, 64, .rgb, bytesPerSample: 2) { x, y, _ in
    25_000 + x / 16 * 40 + y / 16 * 13
  }

  private func bytes(_ raster: Raster) -> [[Int]] {
    raster.planes.map { $0.map { Int((min(max($0, 0), 1) * 255 + 0.5).rounded(.down)) } }
  }

  @Test func `16-bit values survive filters that cancel each other`() throws {
    let source = Charts.image(256, 256, .gray, bytesPerSample: 2) { x, y, _ in y * 256 + x }
    // A median in between keeps the two powers separate; it changes only the outermost rows.
    let graph = try FilterGraph([Gamma(power: 2), Median(radius: 1), Gamma(power: 0.5)])
    let raster = try Renderer.raster(Charts.source(source), graph)
    for word in 256..<65_280 {
      let value = raster.planes[0][word]
      #expect(abs(Double(value) * 65_535 - Double(word)) < 0.5)
    }
  }

  @Test func `dithering preserves the means of areas`() throws {
    let image = try Charts.source(Self.ramp)
    let plain = bytes(try Renderer.raster(image, FilterGraph(), options: Self.options()))
    let noisy = bytes(try Renderer.raster(image, FilterGraph(), options: Self.options(seed: 3)))
    func errors(_ planes: [[Int]]) -> Double {
      var sum = 0.0
      for block in 0..<32 {
        let (x0, y0) = (block % 8 * 16, block / 8 * 16)
        var difference = 0.0
        for y in y0..<y0 + 16 {
          for x in x0..<x0 + 16 {
            let exact = Double(25_000 + x / 16 * 40 + y / 16 * 13) / 257
            difference += Double(planes[0][y * 128 + x]) - exact
          }
        }
        sum += abs(difference / 256)
      }
      return sum / 32
    }
    #expect(errors(noisy) < 0.6 * errors(plain), "\(errors(noisy)), \(errors(plain))")
  }

  @Test func `threads, strips and tiles change no byte, another seed does`() throws {
    let image = try Charts.source(Self.ramp)
    let graph = try FilterGraph([Exposure(ev: 0.3), GaussianBlur(sigma: 1)])
    let expected = try Renderer.render(image, graph, options: Self.options(seed: 7))
    for (threads, height, tile) in [(1, 5, 40), (4, 16, nil), (2, 64, 17)] as [(Int, Int, Int?)] {
      var options = Self.options(seed: 7)
      options.threads = threads
      options.stripHeight = height
      options.tileWidth = tile
      #expect(try Renderer.render(image, graph, options: options).jpeg == expected.jpeg)
    }
    #expect(
      try Renderer.render(image, graph, options: Self.options(seed: 8)).jpeg != expected.jpeg)
    #expect(try Renderer.render(image, graph).jpeg != expected.jpeg)
  }

  @Test func `8-bit values are not dithered`() throws {
    let image = try Charts.source(named: "photo-64.jpg")
    let graph = try FilterGraph([Exposure(ev: 0.3)])
    let plain = try Renderer.render(image, graph)
    #expect(try Renderer.render(image, graph, options: Self.options(seed: 1)).jpeg == plain.jpeg)
  }
}
