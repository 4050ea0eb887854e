// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditRendering

@Suite("Transforms of whole images")
struct WaveletImageTests {
  @Test(arguments: [ChannelLayout.rgb, .gray, .rgba])
  func `threads and strips do not change a wavelet's samples`(channels: ChannelLayout) throws {
    let image = try Charts.source(Charts.noise(150, 197, channels))
    for filters: [any Filter] in [
      [DenoiseWavelet(strength: 0.5)], [Invert(), DenoiseWavelet(strength: 1), Invert()],
    ] {
      var options = RenderOptions()
      options.threads = 1
      let expected = try raster(image, filters, options).planes
      for (threads, height) in [(2, 16), (3, 1), (4, 500)] {
        options.threads = threads
        options.stripHeight = height
        #expect(try raster(image, filters, options).planes == expected, "\(threads), \(height)")
      }
    }
  }

  /// A wavelet transform in the memory of its input would change the other branch.
  @Test func `an image read by two branches is not overwritten`() throws {
    let image = try Charts.source(Charts.noise(90, 70))
    var graph = FilterGraph()
    let inverted = try graph.append(Invert())
    let filtered = try graph.append(DenoiseWavelet(strength: 1), inputs: [inverted])
    _ = try graph.append(Blend(.difference), inputs: [inverted, filtered])
    let result = try Renderer.raster(image, graph).planes
    let before = try raster(image, [Invert()]).planes
    let after = try raster(image, [Invert(), DenoiseWavelet(strength: 1)]).planes
    for (plane, (before, after)) in zip(result, zip(before, after)) {
      let most = zip(plane, zip(before, after)).map { abs($0 - abs($1.0 - $1.1)) }.max() ?? 1
      #expect(most < 1e-5)
    }
  }

  @Test func `24 megapixels need less than half of the default limit`() {
    let size = PixelSize(width: 6000, height: 4000)
    let shrinkage = WaveletShrinkage(levels: nil, sigma: nil, strength: 1)
    let plan = RenderPlan(
      [.area(.wavelet(shrinkage))],
      source: StripShape(size: size, format: .packed(RowLayout(channels: .rgb))),
      background: .white, result: .bytes(expandingGray: false))
    let bytes = plan.peakStripBytes(
      stripHeight: 16, heights: plan.stages.map { _ in 16 }, threads: 2)
    #expect(bytes + plan.transformBytes + plan.workingBytes(heights: [16, 16, 16]) * 2 < 1 << 29)
  }
}
