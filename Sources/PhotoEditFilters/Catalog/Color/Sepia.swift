// SPDX-License-Identifier: Apache-2.0
public struct Sepia: Filter {
  public static let schema = FilterSchema<Self>(
    "sepia", "Applies a sepia tone.",
    aliases: ["sepiaTone"],
    equivalents: "CSS sepia(); Core Image CISepiaTone",
    formula: "x + amount·(M·x − x), with the matrix of the standard",
    source: "Filter Effects Module 1, sepia(), encoded", dependency: .color, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, unit: .fraction, in: 0...1, identity: 0, argument: 1,
        "Strength of the tint.")
    ])

  public var amount = 0.0

  public init() {}

  /// Creates the filter.
  public init(amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let tint = ColorTransform(rows: [
      [0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131],
    ])
    return [.matrix(tint.scaled(by: amount))]
  }
}
