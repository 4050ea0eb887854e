// SPDX-License-Identifier: Apache-2.0
public struct Vibrance: Filter {
  public static let schema = FilterSchema<Self>(
    "vibrance", "Strengthens pale colours more than those that are strong already.",
    peers: "ffmpeg vibrance with alternate=1; Core Image CIVibrance; ReShade Vibrance; Lightroom",
    formula: "l + (x − l)·(1 + amount·(1 − sign(amount)·(max − min))), l luma of 709",
    source: "ReShade Vibrance, as ffmpeg's vibrance computes it with alternate=1, encoded",
    family: .color, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, in: -1...1, neutral: 0,
        "Above zero colours grow, the pale ones most; below they fade, the strong ones most.")
    ])

  public var amount = 0.0

  public init() {}

  /// Creates the filter.
  public init(_ amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    isNeutral ? [] : [.map(PixelMap(VibranceMap(amount)))]
  }
}
