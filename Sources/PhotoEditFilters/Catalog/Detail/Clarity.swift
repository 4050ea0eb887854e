// SPDX-License-Identifier: Apache-2.0
public struct Clarity: Filter {
  public static let schema = FilterSchema<Self>(
    "clarity", version: 2, "Adjusts local contrast without halos.",
    aliases: ["texture"],
    equivalents: "Lightroom Clarity, Texture; OpenCV ximgproc guidedFilter",
    formula: """
      in + amount·(Y − B), below 0 half of it, B the guided filter of the luma Y by itself: mean \
      of a·Y + b, a = var/(var + epsilon), b = mean·(1 − a)
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

  public static var previous: (any Filter.Type)? { SymmetricClarity.self }

  public var amount = 0.0
  public var radius = 0.015
  public var epsilon = 0.01

  public init() {}

  /// Creates the filter.
  public init(amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    // Without any of its detail, skin looks like plastic.
    adding(amount < 0 ? amount / 2 : amount, in: context)
  }

  /// Adds detail.
  ///
  /// - Parameter share: The detail to add, as a factor of what there is.
  fileprivate func adding(_ share: Double, in context: LoweringContext) -> [FilterOperation] {
    if share == 0 { return [] }
    let tone = LocalToneMapping(
      radius: context.pixels(ofLongSide: radius), epsilon: epsilon,
      change: .detail(amount: share))
    return [.area(.neighborhood(.guided(tone)))]
  }
}

/// Version 1: an amount of −1 removes all detail.
struct SymmetricClarity: Filter {
  static let schema = FilterSchema<Self>(
    "clarity", Clarity.schema.summary, equivalents: Clarity.schema.equivalents,
    formula: """
      in + amount·(Y − B), B the guided filter of the luma Y by itself: mean of a·Y + b, \
      a = var/(var + epsilon), b = mean·(1 − a)
      """,
    source: Clarity.schema.source, dependency: .neighborhood, tolerance: "F",
    parameters: [
      Parameter(
        "amount", \.newest.amount, in: -1...1, identity: 0, argument: 0.5,
        "Strength; below 0 reduces detail."),
      Parameter(
        "radius", \.newest.radius, unit: .fraction, in: 0.001...0.1, ui: 0.002...0.05,
        "Detail size, as a fraction of the longer side."),
      Parameter(
        "epsilon", \.newest.epsilon, in: 0.0001...1, ui: 0.001...0.1,
        "Maximum variance treated as detail rather than an edge."),
    ])

  private(set) var newest = Clarity()

  func upgraded() -> (any Filter)? {
    // The same reduction is twice the amount, as far as it reaches.
    var upgraded = newest
    if upgraded.amount < 0 { upgraded.amount = max(-1, 2 * upgraded.amount) }
    return upgraded
  }

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    newest.adding(newest.amount, in: context)
  }
}
