// SPDX-License-Identifier: Apache-2.0
public struct Vibrance: Filter {
  public static let schema = FilterSchema<Self>(
    "vibrance", "Boosts muted colors more than saturated ones.",
    equivalents:
      "ffmpeg vibrance with alternate=1; Core Image CIVibrance; ReShade Vibrance; Lightroom",
    formula: "l + (x − l)·(1 + amount·(1 − sign(amount)·(max − min))), l the BT.709 luma",
    source: "ReShade Vibrance, as in ffmpeg vibrance with alternate=1, encoded",
    dependency: .color, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, in: -1...1, identity: 0,
        "Above 0 boosts muted colors most; below 0 reduces saturated colors most.")
    ])

  public var amount = 0.0

  public init() {}

  /// Creates the filter.
  public init(_ amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    isIdentity ? [] : [.map(PixelMap(VibranceMap(amount)))]
  }
}
