// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform
import Testing

@Suite("Transfer curves")
struct TransferCurveTests {
  private static let formulas = [
    ParametricCurve(g: 2.2), ParametricCurve(g: 1), ParametricCurve(g: 0.45),
    ParametricCurve(g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045),
    ParametricCurve(g: 3, a: 1 / 1.16, b: 0.16 / 1.16, c: 2700.0 / 24_389, d: 0.08),
    ParametricCurve(g: 2.2, a: 0.9, b: 0.1, e: 0.05, f: 0.05),
  ]

  @Test(arguments: formulas)
  func `a formula and its inverse restore every number`(curve: ParametricCurve) {
    for step in -300...500 {
      let x = Double(step) / 255
      #expect(abs(curve.inverse(curve(x)) - x) < 1e-9, "\(x)")
    }
    #expect(TransferCurve.parametric(curve).isReversible(tolerance: 1.0 / 131_072))
  }

  @Test func `below zero a curve is point-symmetric about its value at zero`() {
    let curve = Self.formulas[5]
    #expect(abs((curve(0) - curve(-0.3)) - (curve(0.3) - curve(0))) < 1e-12)
  }

  @Test(arguments: [2, 3, 17, 256, 1024, 4096, 65_536])
  func `a table of a power curve restores every number`(count: Int) throws {
    // The smallest entries are equal because of 16-bit rounding.
    let entries = (0..<count).map {
      (pow(Double($0) / Double(count - 1), 2.2) * 65_535).rounded() / 65_535
    }
    let curve = try #require(SampledCurve(entries))
    for level in 0...255 {
      let x = Double(level) / 255
      #expect(abs(curve.inverse(curve(x)) - x) < 1e-4)
    }
    #expect(TransferCurve.sampled(curve).isReversible(tolerance: 1.0 / 2040))
  }

  @Test func `a falling, constant or invalid table is not a curve`() {
    for entries in [[0.5], [], [0, 0.6, 0.5, 1], [0.5, 0.5, 0.5], [1, 0], [0, .nan, 1]] {
      #expect(SampledCurve(entries) == nil, "\(entries)")
    }
    #expect(SampledCurve([Double](repeating: 0, count: 65_537)) == nil)
  }

  @Test(arguments: [
    // A flat piece maps different numbers to the same value.
    TransferCurve.parametric(ParametricCurve(g: 2.2, d: 0.2)),
    .parametric(ParametricCurve(g: 2.2, a: -1, b: 1)), .parametric(ParametricCurve(g: 1e-6)),
    .parametric(ParametricCurve(g: 3, a: 1, b: -0.4, d: 0.4)),
    .parametric(ParametricCurve(g: 1, a: 1e-6, b: 0.5)),
  ])
  func `a curve that is not invertible is detected`(curve: TransferCurve) {
    #expect(!curve.isReversible(tolerance: 1.0 / 2040))
  }

  @Test func `a table with a long plateau is not invertible`() throws {
    let curve = try #require(SampledCurve([0, 0.5, 0.5, 0.5, 1]))
    #expect(!TransferCurve.sampled(curve).isReversible(tolerance: 1.0 / 2040))
  }
}
