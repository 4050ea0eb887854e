// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import PhotoEditTestSupport
import Testing

extension Definition {
  /// Exposure whose highlights are compressed instead of clipped.
  static let highlights: [Definition] = [(1.0, 0.2), (0.5, 0.35), (2.5, 1)].map { ev, rolloff in
    Definition("exposure \(ev), rolloff \(rolloff)", make("exposure:ev=\(ev),rolloff=\(rolloff)")) {
      p in
      let light = SIMD3(linear(p.x), linear(p.y), linear(p.z)) * exp2(ev)
      func f(_ x: Double) -> Double { rolledOff(x, knee: 1 - rolloff, white: exp2(ev)) }
      let largest = light.max()
      let byRatio = light * (largest > 0 ? f(largest) / largest : 1)
      let mixed = 0.7 * byRatio + 0.3 * SIMD3(f(light.x), f(light.y), f(light.z))
      return SIMD3(encoded(mixed.x), encoded(mixed.y), encoded(mixed.z))
    }
  }

  /// Reinhard's operator with a white, on the segment above a knee.
  static func rolledOff(_ x: Double, knee: Double, white: Double) -> Double {
    guard x > knee else { return x }
    let (u, most) = ((x - knee) / (1 - knee), (white - knee) / (1 - knee))
    return knee + (1 - knee) * (u * (1 + u / (most * most)) / (1 + u))
  }
}

@Suite("Highlights and muted colors")
struct HighlightTests {
  private func render(_ color: SIMD3<Double>, _ filter: any Filter) throws -> SIMD3<Double> {
    let pixel = Charts.image(1, 1, .rgb, bytesPerSample: 2) { _, _, channel in
      Int((color[channel] * 65535).rounded())
    }
    let result = try raster(Charts.source(pixel), [filter]).rgb.map { Double($0[0]) }
    return SIMD3(result[0], result[1], result[2])
  }

  /// Linear light after the gain, and the result.
  @Test(
    arguments: [
      (0.5, [(0.8, 0.8), (0.9, 0.8702), (1, 0.9106), (1.2, 0.96161)]),
      (1, [(0.9, 0.86759), (1, 0.90278), (1.2, 0.94074)]),
      (2, [(0.8, 0.8), (0.9, 0.8668), (1, 0.90039), (1.2, 0.93437)]),
    ] as [(Double, [(Double, Double)])])
  func `the roll-off has the values of the operator`(ev: Double, values: [(Double, Double)]) throws
  {
    let filter = Exposure(ev: ev, rolloff: 0.2)
    for (exposed, expected) in values {
      let gray = SIMD3(repeating: SRGBTransfer.encode(exposed / exp2(ev)))
      #expect(abs(SRGBTransfer.decode(try render(gray, filter).x) - expected) < 1e-4)
    }
    #expect(abs(try render(SIMD3(repeating: 1), filter).x - 1) < 1e-5)
  }

  @Test func `the roll-off keeps order and changes nothing that is not brightened`() throws {
    let filter = Exposure(ev: 1.3, rolloff: 0.35)
    let levels = try (0...200).map { try render(SIMD3(repeating: Double($0) / 200), filter).x }
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 })
    for ev in [-1.0, 0] {
      let color = SIMD3(1, 0.9, 0.3)
      #expect(try render(color, Exposure(ev: ev, rolloff: 1)) == render(color, Exposure(ev: ev)))
    }
  }

  @Test func `vibrance never leaves the gamut, inverts a hue or tints a gray`() throws {
    for amount in [-1, -0.6, 0.3, 1] {
      for red in 0...4 {
        for green in 0...4 {
          for blue in 0...4 {
            let color = SIMD3(Double(red), Double(green), Double(blue)) / 4
            let result = try render(color, Vibrance(amount))
            #expect(result.min() > -0.004 && result.max() < 1.004, "\(color) \(result)")
            if color.min() == color.max() {
              #expect((result - color).max() < 1e-4 && (color - result).max() < 1e-4)
            } else {
              // The order of the channels is the hue's sextant.
              let (from, to) = (color - color.min(), result - result.min())
              #expect((from * to).min() >= -1e-6 && (from * to).sum() >= 0, "\(color) \(result)")
            }
          }
        }
      }
    }
  }

  @Test func `vibrance boosts muted colors most and skin less`() throws {
    func gain(_ color: SIMD3<Double>) throws -> Double {
      let result = try render(color, Vibrance(0.5))
      return (result.max() - result.min()) / (color.max() - color.min())
    }
    let muted = try gain(SIMD3(0.45, 0.5, 0.55))
    #expect(muted > 1.5 && muted < 2.2)
    #expect(try gain(SIMD3(0.1, 0.3, 0.9)) < 1.1)
    // The same chroma at the hue of skin and across from it.
    let (skin, sky) = (try gain(SIMD3(0.78, 0.6, 0.52)), try gain(SIMD3(0.52, 0.65, 0.74)))
    #expect(skin - 1 < 0.6 * (sky - 1), "\(skin) \(sky)")
  }
}
