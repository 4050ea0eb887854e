// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Renderings with wavelet transforms")
struct WaveletRenderingTests {
  @Test(arguments: [ChannelLayout.rgb, .gray, .rgba])
  func `threads and strips do not change a wavelet's samples`(channels: ChannelLayout) throws {
    let image = try Charts.source(Charts.noise(150, 197, channels))
    for filters: [any Filter] in [
      [DenoiseWavelet(strength: 0.5)], [Invert(), DenoiseWavelet(strength: 1), Invert()],
      [DenoiseWavelet(strength: 1), Equalize(), DenoiseWavelet(strength: 0.5)],
      [GaussianBlur(sigma: 1), DenoiseWavelet(strength: 0.5)],
    ] {
      var options = RenderOptions()
      options.threads = 1
      let expected = try raster(image, filters, options).planes
      for (threads, height) in [(2, 16), (3, 1), (4, 500), (8, 7)] {
        options.threads = threads
        options.stripHeight = height
        #expect(try raster(image, filters, options).planes == expected, "\(threads), \(height)")
      }
    }
  }

  @Test func `a crop after a wavelet does not change its samples`() throws {
    let image = try Charts.source(Charts.noise(70, 197))
    let region = Region(x: 11, y: 120, width: 40, height: 30)
    let whole = try raster(image, [DenoiseWavelet(strength: 1)])
    let filters: [any Filter] = [DenoiseWavelet(strength: 1), Crop(pixels: region)]
    #expect(try raster(image, filters).planes == whole.cropped(to: region))
  }

  /// A wavelet that is planned without measuring the noise first.
  private static let unmeasured = Definition.make("denoiseWavelet:sigma=0.05")

  @Test func `kept rows do not change a wavelet's samples`() throws {
    let image = try Charts.source(Charts.noise(90, 110))
    let wavelet = Self.unmeasured
    for filters: [any Filter] in [
      [wavelet], [Rotate90(turns: 1), wavelet, GaussianBlur(sigma: 2), wavelet],
    ] {
      let graph = try FilterGraph(filters)
      #expect(
        try PlanRunning.bytes(image, graph, keepsRows: true)
          == PlanRunning.bytes(image, graph, keepsRows: false))
    }
  }

  @Test func `rows are kept if they take long to compute and fit into half of the limit`() throws {
    let chart = Charts.noise(90, 110)
    let png = try Charts.source(chart)
    let jpeg = try Charts.source(chart, settings: JPEGSettings(quality: 90, sampling: .s420))
    let wavelet = Self.unmeasured
    for (image, filters, levels) in [
      (png, [wavelet], [1]), (png, [wavelet, wavelet], [1, 3]), (jpeg, [wavelet, wavelet], [3]),
      (jpeg, [Invert(), wavelet], []), (jpeg, [GaussianBlur(sigma: 2), wavelet], [2]),
    ] as [(ImageSource, [any Filter], Set<Int>)] {
      var job = try RenderJob(image, FilterGraph(filters), options: RenderOptions())
      let source = try PixelSource(job, usesRestartIntervals: true)
      let plan = job.plan(source.shape, result: .floats)
      #expect(job.levelsToKeep(of: plan, source) == levels, "\(filters)")
      job.options.limits.maximumMemoryBytes = 2 * 90 * 110 * 3 * 4 - 1
      #expect(job.levelsToKeep(of: plan, source).isEmpty)
    }
  }

  @Test(arguments: [ChromaSampling.s420, .s444])
  func `a JPEG's samples are those of its decoded pixels`(sampling: ChromaSampling) throws {
    let jpeg = try Charts.source(
      Charts.noise(97, 150), settings: JPEGSettings(quality: 90, sampling: sampling))
    let pixels = try Charts.source(ImageDecoders.decode(jpeg.bytes))
    let filters: [any Filter] = [Invert(), DenoiseWavelet(strength: 1)]
    #expect(try raster(jpeg, filters).planes == raster(pixels, filters).planes)
  }

  @Test func `a canceled wavelet ends`() throws {
    let image = try Charts.source(Charts.noise(60, 300))
    for after in [0, 5, 40, 150] {
      let asked = LockedValue(0)
      var options = RenderOptions()
      options.threads = 4
      options.stripHeight = 3
      options.isCancelled = {
        asked.withLock { asked in
          asked += 1
          return asked > after
        }
      }
      let error = #expect(throws: RenderError.self) {
        try raster(image, [DenoiseWavelet(strength: 1)], options)
      }
      guard case .cancelled? = error else {
        Issue.record("unexpected error: \(String(describing: error))")
        continue
      }
    }
  }

  @Test func `an image read by two branches keeps its samples`() throws {
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

  @Test func `24 megapixels need at most 32 MB`() {
    let size = PixelSize(width: 6000, height: 4000)
    let shrinkage = WaveletShrinkage(levels: nil, sigma: nil, strength: 1)
    let plan = RenderPlan(
      [.area(.wavelet(shrinkage))],
      source: StripShape(size: size, format: .packed(RowLayout(channels: .rgb))),
      background: .white, result: .bytes(expandingGray: false))
    let bytes = plan.peakStripBytes(
      stripHeight: 16, heights: plan.stages.map { _ in 16 }, threads: 2)
    let total = bytes + plan.transformBytes + plan.workingBytes(heights: [16, 16, 16]) * 2
    #expect(total < 32 << 20)
    #expect(plan.levelsToKeep(isCheap: true, limit: .max).isEmpty)
  }
}
