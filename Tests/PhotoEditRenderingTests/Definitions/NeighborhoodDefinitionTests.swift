// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import Testing

@Suite("Neighborhood filters")
struct NeighborhoodDefinitionTests {
  @Test func `the Gaussian blur matches scipy`() throws {
    struct Case: Decodable, Sendable {
      let sigma: Double
      let levels: [Double]
    }
    let oracle = try Oracle<Case>("gaussian")
    for line in oracle.cases {
      let result = try raster(oracle.image(), [GaussianBlur(sigma: line.sigma)])
      let most = try difference(result, levels: line.levels)
      #expect(most <= ToleranceClass.Reach.spatial.maximum, "sigma \(line.sigma)")
    }
  }

  @Test(arguments: [0.4, 2, 7.5], [TransferEncoding.encoded, .linear])
  func `a blur is the double sum of its definition`(sigma: Double, light: TransferEncoding) throws {
    let chart = Charts.noise(15, 11)
    let toLight = light == .linear ? Definition.linear : { $0 }
    let fromLight = light == .linear ? Definition.encoded : { $0 }
    let expected = chart.floatPlanes.map { plane in
      Self.blurred(plane.map { toLight(Double($0)) }, chart.size, sigma).map { fromLight($0) }
    }
    let actual = try raster(Charts.source(chart), [GaussianBlur(sigma: sigma, light: light)])
    let most = try difference(expected.map { $0.map { Float($0) } }, actual.planes)
    #expect(most <= ToleranceClass.Reach.spatial.maximum)
  }

  @Test func `a blurred point is the kernel, symmetric and with a sum of one`() throws {
    let point = Charts.image(31, 31, .gray) { x, y, _ in x == 15 && y == 15 ? 255 : 0 }
    let plane = try raster(Charts.source(point), [GaussianBlur(sigma: 2)]).planes[0]
    #expect(abs(plane.reduce(0, +) - 1) < 1e-5)
    for i in plane.indices { #expect(plane[i] == plane[plane.count - 1 - i]) }
    // exp(−1/8) of the center's weight next to it, and zero after four sigma.
    let center = plane[15 * 31 + 15]
    #expect(abs(plane[15 * 31 + 16] / center - exp(-1.0 / 8)) < 1e-5)
    #expect(plane[15 * 31 + 15 + 8] > 0 && plane[15 * 31 + 15 + 9] == 0)
  }

  @Test(arguments: [Double.leastNonzeroMagnitude, 1e-200, 1e-9])
  func `the smallest sigmas leave the image unchanged`(sigma: Double) throws {
    let chart = Charts.noise(9, 9)
    let planes = try raster(Charts.source(chart), [GaussianBlur(sigma: sigma)]).planes
    #expect(planes == chart.floatPlanes)
  }

  @Test(arguments: [
    "unsharpMask:amount=0.8", "unsharpMask:sigma=0.7,amount=3,threshold=0.05",
    "unsharpMask:amount=1.5,channels=luma", "unsharpMask:amount=2,channels=luma,threshold=0.1",
  ])
  func `an unsharp mask adds the detail removed by the blur`(argument: String) throws {
    let filter = try #require(Definition.make(argument) as? UnsharpMask)
    let chart = Charts.noise(14, 10)
    let source = chart.floatPlanes.map { $0.map { Double($0) } }
    let blurred = source.map { Self.blurred($0, chart.size, filter.sigma) }
    var expected = source
    for i in source[0].indices {
      var details = (0..<3).map { source[$0][i] - blurred[$0][i] }
      if filter.channels == .luma {
        let luma = 0.299 * details[0] + 0.587 * details[1] + 0.114 * details[2]
        details = [luma, luma, luma]
      }
      for channel in 0..<3 where abs(details[channel]) > filter.threshold {
        expected[channel][i] += filter.amount * details[channel]
      }
    }
    let actual = try raster(Charts.source(chart), [filter]).planes
    let most = try difference(expected.map { $0.map { Float($0) } }, actual)
    #expect(most <= ToleranceClass.Reach.spatial.maximum)
  }

  /// Blurs premultiplied colors and alpha, then divides by alpha and composites.
  @Test func `transparent pixels are weighted by their alpha`() throws {
    let chart = Charts.noise(12, 8, .rgba)
    let alpha = (0..<chart.size.pixelCount).map {
      Double(chart[x: $0 % 12, y: $0 / 12, channel: 3]) / 255
    }
    let blurredAlpha = Self.blurred(alpha, chart.size, 1.2)
    let expected = chart.floatPlanes.map { plane in
      let blurred = Self.blurred(zip(plane, alpha).map { Double($0) * $1 }, chart.size, 1.2)
      // Over white: the premultiplied color and the rest of the white.
      return zip(blurred, blurredAlpha).map { Float($0 + 1 - $1) }
    }
    let actual = try raster(Charts.source(chart), [GaussianBlur(sigma: 1.2)]).planes
    #expect(try difference(expected, actual) <= ToleranceClass.Reach.spatial.maximum)
  }

  /// The sum over both directions at once, with the edge pixels extended.
  private static func blurred(_ plane: [Double], _ size: PixelSize, _ sigma: Double) -> [Double] {
    let radius = Int((4 * sigma).rounded(.up))
    let weights = (-radius...radius).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let total = weights.reduce(0, +)
    var result: [Double] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        var sum = 0.0
        for i in weights.indices {
          let row = min(max(y + i - radius, 0), size.height - 1) * size.width
          var across = 0.0
          for j in weights.indices {
            across += weights[j] * plane[row + min(max(x + j - radius, 0), size.width - 1)]
          }
          sum += weights[i] * across
        }
        result.append(sum / (total * total))
      }
    }
    return result
  }
}
