// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import Testing

@Suite("Haze")
struct HazeDefinitionTests {
  /// Colors that are paler and brighter toward the top, with an edge and a dark corner.
  private static let hazy = Charts.image(61, 47, .rgb) { x, y, channel in
    let haze = 1 - Double(y) / 50
    let own = Double((x * 7 + y * 13 + channel * 40) % 90) + (x > 30 ? 20 : 60)
    return Int(own * (1 - haze) + [190, 200, 220][channel] * haze)
  }

  /// The image as planes of double precision.
  private static func planes(_ image: ImageBuffer) -> [[Double]] {
    image.floatPlanes.map { $0.map(Double.init) }
  }

  /// The smallest channel in squares, which end at the edges.
  private static func dark(
    _ planes: [[Double]], _ size: PixelSize, reach: Int, white: [Double]
  ) -> [Double] {
    (0..<size.pixelCount).map { i in
      let (x, y) = (i % size.width, i / size.width)
      var least = Double.infinity
      for v in max(0, y - reach)...min(size.height - 1, y + reach) {
        for u in max(0, x - reach)...min(size.width - 1, x + reach) {
          for c in 0..<3 { least = min(least, planes[c][v * size.width + u] / white[c]) }
        }
      }
      return least
    }
  }

  /// The mean over the windows around each pixel of an image that is mirrored at its edges.
  private static func means(_ plane: [Double], _ size: PixelSize, radius: Int) -> [Double] {
    func inside(_ k: Int, _ count: Int) -> Int {
      let rotated = ((k % (2 * count)) + 2 * count) % (2 * count)
      return rotated < count ? rotated : 2 * count - 1 - rotated
    }
    return (0..<size.pixelCount).map { i in
      let (x, y) = (i % size.width, i / size.width)
      var sum = 0.0
      for v in -radius...radius {
        let row = inside(y + v, size.height) * size.width
        for u in -radius...radius { sum += plane[row + inside(x + u, size.width)] }
      }
      return sum / Double((2 * radius + 1) * (2 * radius + 1))
    }
  }

  /// The definition of the removal for a known color of haze.
  private static func dehazed(
    _ image: ImageBuffer, amount: Double, patch: Int, least: Double, airlight: [Double]
  ) -> [[Double]] {
    let (planes, size, radius) = (planes(image), image.size, 4 * patch)
    let luma = (0..<size.pixelCount).map {
      0.299 * planes[0][$0] + 0.587 * planes[1][$0] + 0.114 * planes[2][$0]
    }
    let dark = dark(planes, size, reach: patch / 2, white: airlight)
    func mean(_ plane: [Double]) -> [Double] { means(plane, size, radius: radius) }
    let (level, input) = (mean(luma), mean(dark))
    let squares = mean(luma.map { $0 * $0 })
    let products = mean(zip(luma, dark).map { $0 * $1 })
    let slopes = luma.indices.map {
      (products[$0] - level[$0] * input[$0]) / (squares[$0] - level[$0] * level[$0] + 0.001)
    }
    let slope = mean(slopes)
    let offset = mean(slopes.indices.map { input[$0] - slopes[$0] * level[$0] })
    return (0..<3).map { c in
      luma.indices.map { i in
        let t = max(least, 1 - 0.76 * amount * (slope[i] * luma[i] + offset[i]))
        return (planes[c][i] - airlight[c]) / t + airlight[c]
      }
    }
  }

  private static func render(_ image: ImageBuffer, _ argument: String) throws -> [[Float]] {
    try raster(Charts.source(image), [FilterCatalog.filter(argument: argument)]).rgb
  }

  @Test(arguments: [(1.0, 3, 0.25), (0.4, 5, 0.5), (0.9, 1, 0.1)])
  func `haze of a known color is removed by the dark channel`(
    amount: Double, patch: Int, least: Double
  ) throws {
    let color = [0xB3, 0xC0, 0xD2]
    let expected = Self.dehazed(
      Self.hazy, amount: amount, patch: patch, least: least,
      airlight: color.map { Double($0) / 255 })
    let found = try Self.render(
      Self.hazy,
      "dehaze:amount=\(amount),patch=\(patch),minimumTransmission=\(least),airlight=#b3c0d2")
    let expectedFloats = expected.map { $0.map { Float($0) } }
    #expect(try difference(expectedFloats, found) <= ToleranceClass.Reach.spatial.maximum)
  }

  @Test func `the color of haze is half the median of the haziest pixels, half their mean`() throws
  {
    // A white disc and a black frame, which are not haze, and a sky whose color is.
    let sky = [188, 201, 223]
    let chart = Charts.image(64, 48, .rgb) { x, y, channel in
      if (x - 40) * (x - 40) + (y - 8) * (y - 8) < 9 { return 255 }
      return y < 20 ? sky[channel] : (x * 11 + y * 5 + channel * 60) % 150
    }
    let mean = Double(sky.reduce(0, +)) / 3
    let airlight = sky.map { (Double($0) + mean) / 2 / 255 }
    let expected = Self.dehazed(chart, amount: 0.6, patch: 3, least: 0.25, airlight: airlight)
    let found = try Self.render(chart, "dehaze:amount=0.6,patch=3")
    #expect(
      try difference(expected.map { $0.map { Float($0) } }, found)
        <= ToleranceClass.Reach.spatial.maximum)
    // The same color adds haze.
    let added = try Self.render(chart, "dehaze:amount=-0.5,patch=3")
    for (c, plane) in Self.planes(chart).enumerated() {
      for (before, after) in zip(plane, added[c]) {
        #expect(abs(Double(after) - (before * 0.7 + 0.3 * airlight[c])) < 1e-4)
      }
    }
  }

  @Test func `haze in the dark is not darker than 0.4`() throws {
    let chart = Charts.image(40, 30, .rgb) { x, y, _ in (x + y) % 40 }
    let added = try Self.render(chart, "dehaze:amount=-1")
    for (before, after) in zip(chart.floatPlanes[0], added[0]) {
      #expect(abs(after - (before * 0.4 + 0.6 * 0.4)) < 1e-4)
    }
  }

  @Test func `contrast rises most where there is most haze`() throws {
    let found = try Self.render(Self.hazy, "dehaze:amount=0.8,patch=3")
    func contrast(_ planes: [[Float]], _ rows: Range<Int>) -> Float {
      let samples = planes.flatMap { $0[rows.lowerBound * 61..<rows.upperBound * 61] }
      let mean = samples.reduce(0, +) / Float(samples.count)
      return samples.reduce(0) { $0 + abs($1 - mean) }
    }
    let source = Self.hazy.floatPlanes
    let far = contrast(found, 2..<12) / contrast(source, 2..<12)
    let near = contrast(found, 36..<46) / contrast(source, 36..<46)
    #expect(far > 1.5 && near < 1.3 && near > 0.9, "\(far) \(near)")
  }

  @Test func `a preview shows the full-size rendering`() throws {
    let image = try Charts.source(Self.hazy)
    let graph = try FilterGraph([Dehaze(0.7)])
    let full = try Renderer.raster(image, graph)
    let preview = try Renderer.previewRaster(
      image, graph, fitting: PixelSize(width: 30, height: 30))
    let resize = Resize(width: preview.size.width, height: preview.size.height)
    let resized = try Renderer.raster(image, FilterGraph([Dehaze(0.7), resize]))
    #expect(full.size == PixelSize(width: 61, height: 47))
    #expect(try difference(preview.rgb, resized.rgb) <= ToleranceClass.Reach.spatial.maximum)
  }
}
