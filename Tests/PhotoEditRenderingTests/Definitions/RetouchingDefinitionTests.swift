// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import Testing

@Suite("Retouching")
struct RetouchingDefinitionTests {
  private static let argument = "redEye:pupils=0.25:0.5:0.12:0.7:0.4:0.1,threshold=0.4"

  /// Skin with two red pupils, which have a white reflection each.
  private static let face = Charts.image(60, 40, .rgb) { x, y, channel in
    let skin = [215, 170, 145][channel] - (x + y) % 7
    for (center, radius) in [((15, 20), 5), ((42, 16), 4)] {
      let (u, v) = (x - center.0, y - center.1)
      if u * u + v * v <= 1 { return 250 - channel }
      if u * u + v * v <= radius * radius { return [200, 40, 50][channel] + (x * 3 + y) % 9 }
    }
    return skin
  }

  private static func pixel(_ planes: [[Float]], _ x: Int, _ y: Int) -> [Int] {
    planes.map { Int(($0[y * 60 + x] * 255).rounded()) }
  }

  @Test func `pupils become dark; skin and reflections stay as they are`() throws {
    let before = Self.face.floatPlanes
    let after = try raster(Charts.source(Self.face), [Definition.make(Self.argument)]).planes
    for (x, y) in [(12, 20), (15, 23), (42, 13)] {
      let (old, new) = (Self.pixel(before, x, y), Self.pixel(after, x, y))
      let dark = (Double(old[1]) + 0.1933 * Double(old[2])) / 1.0266
      #expect(new == [Int(dark + 0.5), old[1], old[2]])
    }
    for i in before[0].indices {
      // Skin, which is also in the discs, and reflections.
      guard before[0][i] < 1.9 * before[1][i] else { continue }
      let (old, new) = (before.map { $0[i] }, after.map { $0[i] })
      #expect(new == old)
    }
  }

  @Test func `each pixel follows the definition of the disc and the red`() throws {
    let chart = Charts.noise(60, 40)
    let source = chart.floatPlanes.map { $0.map(Double.init) }
    var expected = source
    for (center, radius) in [(SIMD2(15.0, 20.0), 7.2), (SIMD2(42.0, 16.0), 6.0)] {
      for i in source[0].indices {
        let offset = SIMD2(Double(i % 60) + 0.5, Double(i / 60) + 0.5) - center
        let distance = (offset * offset).sum().squareRoot() / radius
        let (red, green, blue) = (expected[0][i], source[1][i], 0.1933 * source[2][i])
        guard distance < 1, 0.5133 * red >= max(green, blue) else { continue }
        let ramp = min(max((distance - 0.75) / 0.25, 0), 1)
        let share = 1 - ramp * ramp * (3 - 2 * ramp)
        expected[0][i] = red + share * (min((green + blue) / 1.0266, 1) - red)
      }
    }
    #expect(expected[0] != source[0])
    let actual = try raster(Charts.source(chart), [Definition.make(Self.argument)]).planes
    let reach = ToleranceClass.Reach.point.maximum
    let planes = expected.map { plane -> [Float] in plane.map { Float($0) } }
    #expect(try difference(planes, actual) <= reach)
  }

  @Test func `a later crop does not move the discs`() throws {
    let crop = Definition.make("crop:x=0.5,y=0.25,w=0.5,h=0.5")
    let whole = try raster(Charts.source(Self.face), [Definition.make(Self.argument)]).planes
    let part = try raster(Charts.source(Self.face), [Definition.make(Self.argument), crop]).planes
    for (plane, whole) in zip(part, whole) {
      let expected = (10..<30).flatMap { row -> [Float] in
        Array(whole[(row * 60 + 30)..<(row * 60 + 60)])
      }
      #expect(plane == expected)
    }
  }

  @Test func `a list that is no whole number of discs is refused`() {
    #expect(throws: (any Error).self) {
      try FilterCatalog.filter(argument: "redEye:pupils=0.1:0.2:0.3:0.4")
    }
    #expect(throws: (any Error).self) {
      try FilterCatalog.filter(argument: "redEye:pupils=0.1:0.2:1.5")
    }
  }
}

@Suite("Healing")
struct HealingDefinitionTests {
  /// A gradient with a dark dot at the left, and texture.
  private static func scene(dot: Bool, texture: Double) -> ImageBuffer {
    Charts.image(90, 60, .rgb) { x, y, channel in
      let (u, v) = (x - 25, y - 30)
      if dot && u * u + v * v <= 25 { return 20 + 3 * channel }
      let grain = (texture * sin(Double(x * 7 + y * 11))).rounded()
      return 70 + x + y / 2 + Int(grain) + 15 * channel
    }
  }

  private static func healed(_ image: ImageBuffer, _ argument: String) throws -> [[Float]] {
    try raster(Charts.source(image), [Definition.make(argument)]).planes
  }

  // The spot is at the dot, and its source 40 pixels to the right, which is 40 levels brighter.
  private static let spot = "heal:spots=0.2833:0.5083:0.1:0.7278:0.5083"

  @Test func `a healed spot continues the gradient around it`() throws {
    let clean = Self.scene(dot: false, texture: 0).floatPlanes
    let actual = try Self.healed(Self.scene(dot: true, texture: 0), Self.spot)
    #expect(try difference(clean, actual) <= 0.51)
  }

  @Test func `a healed spot has the texture of its source, a cloned one its brightness too`() throws
  {
    let image = Self.scene(dot: true, texture: 6)
    let source = image.floatPlanes[0]
    func column(_ planes: [[Float]]) -> [Float] { (21...29).map { planes[0][30 * 90 + $0] } }
    let texture = (61...69).map { source[30 * 90 + $0] }
    let cloned = try Self.healed(image, Self.spot + ",mode=clone")
    #expect(column(cloned) == texture)
    let healed = try Self.healed(image, Self.spot)
    for (healed, copied) in zip(column(healed), texture) {
      let brighter = 255 * (copied - healed)
      #expect((34...46).contains(brighter))
    }
  }

  @Test func `the membrane is what relaxation of its pixels arrives at`() throws {
    let image = Charts.image(64, 64, .rgb) { x, y, channel in
      let wave = 24 * sin(Double(x) / Double(24 + 4 * channel)) + 20 * cos(Double(y) / 30)
      return 120 + Int(wave.rounded())
    }
    let spot = "heal:spots=0.35:0.4:0.25:0.6:0.58,feather=0"
    let actual = try Self.healed(image, spot)
    let (center, radius, shift) = (SIMD2(22.4, 25.6), 16.0, 16 + 12 * 64)
    for (plane, actual) in zip(image.floatPlanes, actual) {
      var membrane = [Double](repeating: 0, count: 64 * 64)
      var inside: [Int] = []
      for i in 0..<(64 * 64) {
        let offset = SIMD2(Double(i % 64) + 0.5, Double(i / 64) + 0.5) - center
        if (offset * offset).sum() < radius * radius {
          inside.append(i)
        } else if i + shift < 64 * 64 {
          membrane[i] = Double(plane[i] - plane[i + shift])
        }
      }
      for _ in 0..<2000 {
        for i in inside {
          let sum = membrane[i - 1] + membrane[i + 1] + membrane[i - 64] + membrane[i + 64]
          membrane[i] += 1.8 * (sum / 4 - membrane[i])
        }
      }
      let errors = inside.map { pixel -> Double in
        let expected = Double(plane[pixel + shift]) + membrane[pixel]
        return 255 * abs(Double(actual[pixel]) - expected)
      }
      let mean = errors.reduce(0, +) / Double(errors.count)
      #expect(mean < 0.5)
      let largest = try #require(errors.max())
      #expect(largest < 4)
    }
  }

  @Test func `a spot that reads a healed one comes after it, others share a step`() throws {
    func steps(_ spots: String) throws -> Int {
      let context = LoweringContext(size: PixelSize(width: 100, height: 100))
      return try Definition.make("heal:spots=" + spots).lowered(in: context).count
    }
    for (spots, count) in [
      ("0.2:0.2:0.05:0.4:0.2:0.8:0.8:0.05:0.6:0.8", 1),
      ("0.2:0.2:0.05:0.4:0.2:0.8:0.8:0.05:0.2:0.24", 2), ("0.2:0.2:0:0.4:0.2", 0),
    ] {
      #expect(try steps(spots) == count, "\(spots)")
    }
  }

  @Test func `pixels outside the spots stay as they are, at the edge too`() throws {
    let image = Self.scene(dot: true, texture: 9)
    let spots = "heal:spots=0.2833:0.5083:0.1:0.7278:0.9:0.98:0.02:0.2:0.5:0.5"
    let whole = try Self.healed(image, spots)
    #expect(whole[0] != image.floatPlanes[0])
    // Column 45 is in no spot.
    let source = image.floatPlanes
    for y in 0..<60 {
      let (old, new) = (source[1][y * 90 + 45], whole[1][y * 90 + 45])
      #expect(new == old)
    }
  }
}
