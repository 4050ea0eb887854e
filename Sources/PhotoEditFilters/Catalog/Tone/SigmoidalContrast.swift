// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

public struct SigmoidalContrast: Filter {
  public static let schema = FilterSchema<Self>(
    "sigmoidalContrast", "Adjusts contrast along an S-curve that preserves black and white.",
    equivalents: "ImageMagick -sigmoidal-contrast; skimage adjust_sigmoid is not normalized",
    formula: "(s(x) − s(0))/(s(1) − s(0)), with s(x) = 1/(1 + e^(amount·(mid − x)))",
    source: "Braun and Fairchild, 1999, as normalized by ImageMagick, encoded",
    dependency: .curve, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, in: 0...20, ui: 0...10, identity: 0, "Strength: slope at the midpoint."),
      Parameter(
        "mid", \.mid, unit: .fraction, in: 0...1, "Midpoint: the steepest value of the S-curve."),
    ])

  public var amount = 0.0
  public var mid = 0.5

  public init() {}

  /// Creates the filter.
  public init(_ amount: Double, mid: Double = 0.5) { (self.amount, self.mid) = (amount, mid) }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    // Below this, the S-curve differs from a straight line by less than 10⁻⁹, and its scale may
    // overflow.
    guard amount > 1e-5 else { return [] }
    // s(x) = (1 + tanh(amount·(x − mid)/2))/2; tanh is accurate for small amounts too.
    let low = tanh(-amount * mid / 2)
    let scale = 1 / (tanh(amount * (1 - mid) / 2) - low)
    let curve = ToneCurve([
      .affine(scale: amount / 2, offset: -amount * mid / 2), .hyperbolic,
      .affine(scale: scale, offset: -low * scale),
    ])
    return [.curves(.init(curve))]
  }
}
