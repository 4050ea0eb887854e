// SPDX-License-Identifier: Apache-2.0
public struct Clarity: Filter {
  public static let schema = FilterSchema<Self>(
    "clarity", "Adjusts local contrast without halos.",
    aliases: ["texture"],
    equivalents: "Lightroom Clarity, Texture; OpenCV ximgproc guidedFilter",
    formula: """
      in + amount·(Y − B), B the guided filter of the luma Y by itself: mean of a·Y + b, \
      a = var/(var + epsilon), b = mean·(1 − a)
      """,
    source: "He, Sun and Tang 2013, as OpenCV guidedFilter; the image is mirrored at its edges",
    dependency: .neighborhood, tolerance: "F",
    parameters: [
      Parameter(
        "amount", \.amount, in: -1...1, identity: 0, argument: 0.5,
        "Strength; below 0 reduces detail."),
      Parameter(
        "radius", \.radius, unit: .fraction, in: 0.001...0.1, ui: 0.002...0.05,
        "Detail size, as a fraction of the longer side."),
      Parameter(
        "epsilon", \.epsilon, in: 0.0001...1, ui: 0.001...0.1,
        "Maximum variance treated as detail rather than an edge."),
    ])

  public var amount = 0.0
  public var radius = 0.015
  public var epsilon = 0.01

  public init() {}

  /// Creates the filter.
  public init(amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let tone = LocalToneMapping(
      radius: context.pixels(ofLongSide: radius), epsilon: epsilon,
      change: .detail(amount: amount))
    return [.area(.neighborhood(.guided(tone)))]
  }
}
