// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@testable import PhotoEditFilters
@testable import PhotoEditRendering

@Suite("Noise", .seeded)
struct NoiseDefinitionTests {
  /// A wave with an edge, and noise of a standard deviation in levels.
  private static func wave(
    _ width: Int, _ height: Int, noise sigma: Double, isCorrelated: Bool = false
  ) -> (clean: [Double], noisy: ImageBuffer) {
    var random = SeededNumbers(7)
    let noise = (0..<width * height).map { _ -> Double in
      // A sum of twelve has a variance of one.
      var sum = -6.0
      for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &random) }
      return sum * sigma
    }
    let clean = (0..<width * height).map { i -> Double in
      let (x, y) = (Double(i % width), Double(i / width))
      let wave: Double = 40 * sin(x / 19) * cos(y / 23)
      return 110 + wave + (i % width > width / 2 ? 25 : 0)
    }
    let noisy = Charts.image(width, height, .gray, bytesPerSample: 2) { x, y, _ in
      var own = noise[y * width + x]
      if isCorrelated {
        // The mean of four has half the deviation.
        let (u, v) = (min(x + 1, width - 1), min(y + 1, height - 1))
        let others = noise[y * width + u] + noise[v * width + x] + noise[v * width + u]
        own = (own + others) / 2
      }
      return Int(((clean[y * width + x] + own) * 257).rounded())
    }
    return (clean, noisy)
  }

  /// The mean of the squared differences, in levels.
  private static func error(_ plane: [Float], _ clean: [Double]) -> Double {
    var sum = 0.0
    for (sample, level) in zip(plane, clean) {
      let difference = Double(sample) * 255 - level
      sum += difference * difference
    }
    return sum / Double(clean.count)
  }

  @Test(arguments: [1.0, 3, 8, 20])
  func `the noise of an image is measured in both details`(sigma: Double) throws {
    let image = try Charts.source(Self.wave(320, 256, noise: sigma).noisy)
    var job = try RenderJob(image, FilterGraph(), options: RenderOptions())
    job.operations.append(.area(.noise(NoiseMeasurement())))
    let planes = try job.renderRaster().rgb
    for plane in planes[..<2] {
      var levels = Histogram()
      for sample in plane { levels.counts[Int((sample * 255).rounded())] += 1 }
      let found = NoiseMeasurement.sigma(levels) * 255
      #expect(found > 0.8 * sigma && found < 1.15 * sigma, "\(found)")
    }
  }

  @Test(arguments: [false, true])
  func `noise is reduced as strongly as there is noise`(isCorrelated: Bool) throws {
    for sigma in [2.0, 10] {
      let (clean, noisy) = Self.wave(192, 160, noise: sigma, isCorrelated: isCorrelated)
      let source = noisy.floatPlanes[0]
      let before = Self.error(source, clean)
      let after = try [0.3, 0.6, 1].map { amount in
        let filtered = try raster(Charts.source(noisy), [DenoiseNLM(amount: amount)])
        return Self.error(filtered.rgb[0], clean)
      }
      #expect(after[1] < before / (isCorrelated ? 2 : 4), "\(before) \(after)")
      #expect(after[0] > after[1] && after[2] < before / 2, "\(before) \(after)")
    }
  }

  @Test(arguments: [false, true])
  func `wavelets are shrunk as far as there is noise`(isCorrelated: Bool) throws {
    let previous = Definition.make(
      "denoiseWavelet", version: 1, #""levels":0,"sigma":0,"strength":1"#)
    for sigma in [3.0, 10] {
      let (clean, noisy) = Self.wave(192, 160, noise: sigma, isCorrelated: isCorrelated)
      let source = try Charts.source(noisy)
      let before = Self.error(noisy.floatPlanes[0], clean)
      let after = Self.error(try raster(source, [DenoiseWavelet(strength: 1)]).rgb[0], clean)
      #expect(after < before / (isCorrelated ? 1.5 : 3), "\(before) \(after)")
      if isCorrelated {
        let finest = Self.error(try raster(source, [previous]).rgb[0], clean)
        #expect(after < finest, "\(finest) \(after)")
      }
    }
    let flat = try Charts.source(Charts.image(80, 70, .rgb) { _, _, _ in 90 })
    #expect(try raster(flat, [DenoiseWavelet(strength: 1)]) == raster(flat, []))
  }

  @Test func `nothing is reduced without an amount, and flat images have no noise`() throws {
    let noise = try Charts.source(Charts.noise(80, 70))
    #expect(try raster(noise, [DenoiseNLM(amount: 0)]) == raster(noise, []))
    let ramp = try Charts.source(Charts.image(130, 70, .rgb) { x, _, _ in 40 + x })
    let smooth = try raster(ramp, [DenoiseNLM(amount: 1)])
    #expect(try difference(smooth.rgb, raster(ramp, []).rgb) < 0.3)
  }

  @Test func `colors stay without a chroma strength, and luma has its own weights`() throws {
    let chart = Charts.noise(48, 40)
    func planes(_ argument: String) throws -> [[Double]] {
      let rgb = try raster(Charts.source(chart), [FilterCatalog.filter(argument: argument)]).rgb
      let mixes = WaveletShrinkage.fromRGB
      return mixes.map { weights in
        rgb[0].indices.map { i in (0..<3).reduce(0) { $0 + weights[$1] * Double(rgb[$1][i]) } }
      }
    }
    func differ(_ a: [Double], _ b: [Double]) -> Double {
      zip(a, b).map { abs($0 - $1) }.max() ?? 0
    }
    let plain = try planes("exposure:ev=0")
    let luma = try planes("denoiseNLM:h=0.3,chroma=0")
    let both = try planes("denoiseNLM:h=0.3,chroma=2")
    #expect(differ(luma[1], plain[1]) < 1e-5 && differ(luma[2], plain[2]) < 1e-5)
    #expect(differ(both[0], luma[0]) < 1e-5 && differ(luma[0], plain[0]) > 0.05)
    #expect(differ(both[1], plain[1]) > 0.05 && differ(both[2], plain[2]) > 0.05)
  }

  @Test(arguments: [(3, 7, 0.2, 0.0), (5, 9, 0.15, 0.05), (7, 7, 0.4, 0.1)])
  func `luma is the mean of pixels whose patches are alike`(
    patch: Int, search: Int, h: Double, sigma: Double
  ) throws {
    let chart = Charts.noise(27, 22, .gray)
    let (width, height) = (27, 22)
    let source = chart.floatPlanes[0].map(Double.init)
    func sample(_ x: Int, _ y: Int) -> Double {
      source[
        EdgeMode.mirrorWithoutEdge.position(y, count: height) * width
          + EdgeMode.mirrorWithoutEdge.position(x, count: width)]
    }
    let (reach, window) = (patch / 2, search / 2)
    let expected = source.indices.map { i -> Float in
      let (x, y) = (i % width, i / width)
      var (sum, total) = (0.0, 0.0)
      for v in max(0, y - window)...min(height - 1, y + window) {
        for u in max(0, x - window)...min(width - 1, x + window) {
          var distance = 0.0
          for dy in -reach...reach {
            for dx in -reach...reach {
              let difference = sample(u + dx, v + dy) - sample(x + dx, y + dy)
              distance += difference * difference
            }
          }
          let d = max(0, distance / Double(patch * patch) - 2 * sigma * sigma) / (h * h)
          let weight = d > 5 ? 0 : exp(-d)
          sum += weight * sample(u, v)
          total += weight
        }
      }
      return Float(sum / total)
    }
    let found = try raster(
      Charts.source(chart),
      [
        FilterCatalog.filter(
          argument: "denoiseNLM:patch=\(patch),search=\(search),h=\(h),sigma=\(sigma)")
      ])
    // The exponential is piecewise linear, with errors of up to 3 %.
    #expect(try difference([expected, expected, expected], found.rgb) < 2)
  }
}
