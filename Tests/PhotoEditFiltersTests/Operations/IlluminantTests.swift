// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditFilters

@Suite("Illuminants")
struct IlluminantTests {
  /// CCT_to_uv_Robertson1968 and UCS_uv_to_xy of colour-science 0.4.7, with D_uv = tint/3000.
  @Test(
    arguments: [
      (2000, 0, 0.526692911, 0.413308471),
      // By the isotherm whose u is misprinted in older tables.
      (3077, 0, 0.431550083, 0.402158567),
      (6500, 0, 0.313527923, 0.323534082), (6500, 100, 0.304793404, 0.386352629),
      (25000, -150, 0.290196462, 0.217557328),
    ] as [(Double, Double, Double, Double)])
  func `chromaticities match colour-science`(
    temperature: Double, tint: Double, x: Double, y: Double
  ) {
    let light = Illuminant(temperature: temperature, tint: tint)
    #expect(abs(light.x - x) < 1e-8 && abs(light.y - y) < 1e-8, "\(light)")
  }

  @Test func `temperatures between isotherms are interpolated continuously`() {
    let primaries = (2000...25_000).map { Illuminant(temperature: Double($0), tint: 30) }
    let isSmooth = zip(primaries, primaries.dropFirst()).allSatisfy { warm, cold in
      cold.x < warm.x && warm.x - cold.x < 1e-3 && abs(warm.y - cold.y) < 1e-3
    }
    #expect(isSmooth)
  }

  @Test func `an adaptation maps the white of one illuminant to the other and back`() {
    let (from, to) = (
      Illuminant(temperature: 3200, tint: 20), Illuminant(temperature: 7000, tint: -40)
    )
    let there = ChromaticAdaptation.matrix(from: from, to: to, in: .sRGB)
    let back = ChromaticAdaptation.matrix(from: to, to: from, in: .sRGB)
    let both = there.followed(by: back)
    for (i, row) in both.rows.enumerated() {
      for (j, value) in row.enumerated() { #expect(abs(value - (i == j ? 1 : 0)) < 1e-12) }
    }
  }
}
