// SPDX-License-Identifier: Apache-2.0
public struct Invert: Filter {
  public static let schema = FilterSchema<Self>(
    "invert", "Inverts the colors.",
    aliases: ["negate", "negative"],
    equivalents: "CSS invert(); Core Image CIColorInvert; ImageMagick -negate; ffmpeg negate",
    formula: "amount + x·(1 − 2·amount)",
    source: "Filter Effects Module 1, invert(): amount + x·(1 − 2·amount), encoded",
    dependency: .curve, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, unit: .fraction, in: 0...1, identity: 0, argument: 1,
        "Strength; 1 is the negative, 0.5 is flat gray.")
    ])

  public var amount = 0.0

  public init() {}

  /// Creates the filter.
  public init(amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    return [.curves(.init(.init([.affine(scale: 1 - 2 * amount, offset: amount)])))]
  }
}
