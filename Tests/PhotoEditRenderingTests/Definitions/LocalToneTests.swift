// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import PhotoEditTestSupport
import Testing

@Suite("Local tone")
struct LocalToneTests {
  /// Returns the color of a flat image after a filter.
  private static func rendered(
    _ filter: any Filter, _ color: SIMD3<Int>
  ) throws -> SIMD3<Double> {
    let flat = Charts.image(8, 8, .rgb) { _, _, channel in color[channel] }
    let planes = try raster(Charts.source(flat), [filter]).rgb
    return SIMD3(Double(planes[0][27]), Double(planes[1][27]), Double(planes[2][27]))
  }

  private static func luma(_ color: SIMD3<Double>) -> Double {
    Definition.sum([0.299, 0.587, 0.114], color)
  }

  @Test(arguments: [-0.3, -1])
  func `recovered highlights begin above the middle and leave white bright`(amount: Double) throws {
    func smooth(_ from: Double, _ to: Double, _ x: Double) -> Double {
      let t = min(max((x - from) / (to - from), 0), 1)
      return t * t * (3 - 2 * t)
    }
    let filter = Definition.make("shadowsHighlights:highlights=\(amount)")
    var last = -1.0
    for level in 0...255 {
      let x = Double(level) / 255
      let expected =
        x + amount * 0.14 * smooth(0.55, 0.92, x) * (1 - 0.4 * smooth(0.78, 1, x))
      let result = try Self.rendered(filter, SIMD3(repeating: level))
      #expect(abs(result.x - expected) < 1e-4, "\(level)")
      #expect(result.x > last && result.x <= x + 1e-6)
      // Neither gray nor glaring.
      if level > 0 { #expect((0.43...1.36).contains((result.x - last) * 255), "\(level)") }
      last = result.x
    }
    #expect(last > 0.9)
  }

  @Test func `lifted shadows keep black, and dark levels near it`() throws {
    let filter = Definition.make("shadowsHighlights:shadows=1")
    let levels = try [0, 2, 5, 10, 40].map {
      try Self.rendered(filter, SIMD3(repeating: $0)).x * 255
    }
    #expect(levels[0] == 0 && levels[1] < 3.5 && levels[2] < 9 && levels[3] < 24)
    #expect(levels[4] > 60 && levels == levels.sorted())
  }

  @Test(arguments: [SIMD3(12, 6, 2), SIMD3(2, 9, 20), SIMD3(30, 22, 18), SIMD3(1, 0, 0)])
  func `lifted shadows at most double the differences of channels`(color: SIMD3<Int>) throws {
    let before = SIMD3<Double>(color) / 255
    let earlier = Definition.make(
      "shadowsHighlights", version: 1,
      #""shadows":1,"highlights":0,"radius":0.015,"epsilon":0.01"#)
    let (first, second) = (
      try Self.rendered(earlier, color),
      try Self.rendered(
        Definition.make(
          "shadowsHighlights", version: 2,
          #""shadows":1,"highlights":0,"radius":0.015,"epsilon":0.01"#), color)
    )
    #expect(abs(Self.luma(first) - Self.luma(second)) < 1e-5)
    let gain = (second.max() - second.min()) / (before.max() - before.min())
    #expect(gain <= 2.0001)
    let unlimited = (first.max() - first.min()) / (before.max() - before.min())
    #expect(abs(gain - min(unlimited, 2)) < 1e-4, "\(unlimited)")
  }

  @Test(arguments: [(0.4, 0.4), (1, 1), (-0.4, -0.2), (-1, -0.5)])
  func `less clarity leaves at least half of the detail`(amount: Double, earlier: Double) throws {
    let noise = try Charts.source(Charts.noise(40, 30))
    let first = Definition.make(
      "clarity", version: 1, #""amount":\#(earlier),"radius":0.05,"epsilon":0.02"#)
    let second = Definition.make(
      "clarity", version: 2, #""amount":\#(amount),"radius":0.05,"epsilon":0.02"#)
    #expect(try raster(noise, [first]).planes == raster(noise, [second]).planes)
  }

  /// The levels by which clarity changes a row across a step that is as soft as a lens makes it.
  private static func changes(
    version: Int, from dark: Double, to bright: Double
  ) throws -> [Double] {
    let chart = Charts.image(400, 9, .gray, bytesPerSample: 2) { x, _, _ in
      let share = 1 / (1 + exp(-Double(x - 200)))
      return Int((dark + (bright - dark) * share) / 255 * 65535)
    }
    let filter = Definition.make(
      "clarity", version: version, #""amount":1,"radius":0.1,"epsilon":0.01"#)
    let plane = try raster(Charts.source(chart), [filter]).planes[0]
    return (0..<400).map { (Double(plane[4 * 400 + $0]) - Double(chart.floatPlanes[0][$0])) * 255 }
  }

  @Test(arguments: [(13.0, 230.0), (5, 255), (25, 178)])
  func `beside a strong edge there is no halo`(dark: Double, bright: Double) throws {
    let earlier = try Self.changes(version: 2, from: dark, to: bright)
    let newest = try Self.changes(version: 3, from: dark, to: bright)
    #expect((earlier.min() ?? 0) < -7 && earlier.count { abs($0) > 1 } > 100)
    #expect(newest.allSatisfy { abs($0) < 5 }, "\(newest.min() ?? 0) \(newest.max() ?? 0)")
    // Except for the edge itself.
    #expect(newest.count { abs($0) > 1 } <= 20, "\(newest.count { abs($0) > 1 })")
  }

  @Test func `detail away from edges gains as much as before`() throws {
    let waves = Charts.image(400, 60, .gray, bytesPerSample: 2) { x, y, _ in
      Int((0.4 + 0.05 * sin(Double(x) / 3) * cos(Double(y) / 4)) * 65535)
    }
    let before = waves.floatPlanes[0]
    let gains = try [2, 3].map { version in
      let filter = Definition.make(
        "clarity", version: version, #""amount":1,"radius":0.03,"epsilon":0.01"#)
      let plane = try raster(Charts.source(waves), [filter]).planes[0]
      let middle = (20 * 400..<40 * 400).filter { (50..<350).contains($0 % 400) }
      return middle.reduce(0.0) { $0 + abs(Double(plane[$1]) - 0.4) }
        / middle.reduce(0.0) { $0 + abs(Double(before[$1]) - 0.4) }
    }
    #expect(gains[0] > 1.8 && abs(gains[0] - gains[1]) < 0.01, "\(gains)")
  }

  @Test func `equalized tiles keep the ratios of channels and do not brighten what is near white`()
    throws
  {
    let chart = Charts.noise(50, 40)
    let source = chart.floatPlanes
    let result = try raster(Charts.source(chart), [Definition.make("clahe:clipLimit=4")]).rgb
    var changes = 0
    for i in source[0].indices {
      let before = SIMD3(Double(source[0][i]), Double(source[1][i]), Double(source[2][i]))
      let after = SIMD3(Double(result[0][i]), Double(result[1][i]), Double(result[2][i]))
      if Self.luma(before) < 1.0 / 255 { continue }
      let ratio = Self.luma(after) / Self.luma(before)
      #expect(((after - before * ratio) * (after - before * ratio)).max() < 1e-9)
      #expect(ratio <= 1 || after.max() <= 1.0001, "\(before) \(after)")
      if before.max() == 1 { #expect(ratio <= 1.00001) }
      if abs(ratio - 1) > 0.01 { changes += 1 }
    }
    #expect(changes > 1000)
  }

  @Test func `the share of equalized tiles is that of the earlier version where there is room`()
    throws
  {
    let noise = Charts.noise(48, 32, .gray)
    let dark = Charts.image(48, 32, .gray) { x, y, _ in
      20 + Int(noise[x: x, y: y, channel: 0]) / 4
    }
    let source = dark.floatPlanes[0]
    let earlier = Definition.make(
      "clahe", version: 1, #""clipLimit":2.5,"tilesX":4,"tilesY":3"#)
    let whole = try raster(Charts.source(dark), [earlier]).planes[0]
    for amount in [0.25, 0.5, 1] {
      let filter = Definition.make("clahe:amount=\(amount),clipLimit=2.5,tilesX=4,tilesY=3")
      let plane = try raster(Charts.source(dark), [filter]).planes[0]
      for i in source.indices {
        let change = Float(amount) * (whole[i] - source[i])
        #expect(abs(plane[i] - source[i] - change) < 1e-4)
      }
    }
  }
}
