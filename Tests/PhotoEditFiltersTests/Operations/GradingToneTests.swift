// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditFilters

@Suite("Tonal range curves")
struct GradingToneTests {
  private static let amounts = [0.01, 0.2, 0.7, 0.999_999, 1.000_001, 1.3, 1.8, 1.99]

  /// Each range alone, and whites and blacks after every other amount of the adjacent range.
  private static func curves(_ amount: Double) -> [(name: String, curve: PiecewiseQuadratic?)] {
    [
      ("midtones", GradingTone.midtones(amount)), ("highlights", GradingTone.highlights(amount)),
      ("shadows", GradingTone.shadows(amount)), ("contrast", GradingTone.contrast(amount)),
    ]
      + ([1] + amounts).flatMap { other in
        [
          ("whites", GradingTone.whites(amount, highlights: other)),
          ("blacks", GradingTone.blacks(amount, shadows: other)),
        ]
      }
  }

  @Test func `an amount of one gives no curve`() {
    #expect(Self.curves(1).allSatisfy { $0.curve == nil })
  }

  @Test(arguments: amounts)
  func `curves are increasing and continuous`(amount: Double) throws {
    for (name, curve) in Self.curves(amount) {
      let curve = try #require(curve)
      #expect(zip(curve.pieces, curve.pieces.dropFirst()).allSatisfy { $0.start <= $1.start })
      let heights = (0...2000).map { curve(-0.5 + Double($0) / 1000) }
      #expect(zip(heights, heights.dropFirst()).allSatisfy { $0 < $1 }, "\(name)")
      for (left, piece) in zip(curve.pieces, curve.pieces.dropFirst()) {
        // The end of one piece is the start of the next.
        let end = PiecewiseQuadratic([left])(piece.start)
        #expect(abs(end - piece.y) < 1e-12, "\(name) at \(piece.start)")
      }
    }
  }

  @Test(arguments: amounts)
  func `black and white are fixed, except by blacks and whites`(amount: Double) throws {
    for (name, curve) in Self.curves(amount) {
      let curve = try #require(curve)
      if name != "blacks" { #expect(abs(curve(0)) < 1e-12, "\(name)") }
      if name != "whites" { #expect(abs(curve(1) - 1) < 1e-12, "\(name)") }
    }
  }

  @Test(arguments: [0.2, 0.7, 1.3, 1.8])
  func `an amount and its mirror image cancel each other`(amount: Double) throws {
    for range in [GradingTone.highlights, GradingTone.shadows] {
      let (there, back) = (try #require(range(amount)), try #require(range(2 - amount)))
      for step in 0...100 {
        let x = Double(step) / 100
        #expect(abs(back(there(x)) - x) < 1e-12)
      }
    }
  }
}
