// SPDX-License-Identifier: Apache-2.0
public struct Clarity: Filter {
  public static let schema = FilterSchema<Self>(
    "clarity", version: 3, "Adjusts local contrast without halos.",
    aliases: ["texture"],
    equivalents: "Lightroom Clarity, Texture; OpenCV ximgproc guidedFilter",
    formula: """
      in + amount·(1 − A)·(Y − M), below 0 half of it; A the mean of a = var/(var + epsilon) over \
      the windows of the luma Y around a pixel, M that of their means weighted by 0.001 + (1 − a)⁴
      """,
    source: """
      own, after He, Sun and Tang 2013 (guided filter), with windows that contain no strong edge; \
      the image is mirrored at its edges
      """,
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

  public static var previous: (any Filter.Type)? { HalvingClarity.self }

  public var amount = 0.0
  public var radius = 0.015
  public var epsilon = 0.01

  public init() {}

  /// Creates the filter.
  public init(amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    // Without any of its detail, skin looks like plastic.
    changing(.smoothDetail(amount: amount < 0 ? amount / 2 : amount), in: context)
  }

  fileprivate func changing(
    _ change: LocalToneMapping.Change, in context: LoweringContext
  ) -> [FilterOperation] {
    if amount == 0 { return [] }
    let tone = LocalToneMapping(
      radius: context.pixels(ofLongSide: radius), epsilon: epsilon, change: change)
    return [.area(.neighborhood(.guided(tone)))]
  }
}

/// Version 2: strong edges have dark and bright halos of half of the window.
struct HalvingClarity: EarlierVersion {
  static let schema = FilterSchema<Self>(
    "clarity", version: 2, Clarity.schema.summary, aliases: Clarity.schema.aliases,
    equivalents: Clarity.schema.equivalents,
    formula: """
      in + amount·(Y − B), below 0 half of it, B the guided filter of the luma Y by itself: mean \
      of a·Y + b, a = var/(var + epsilon), b = mean·(1 − a)
      """,
    source: "He, Sun and Tang 2013, as OpenCV guidedFilter; the image is mirrored at its edges",
    dependency: .neighborhood, tolerance: "F", parameters: parametersOfNewest)

  static var previous: (any Filter.Type)? { SymmetricClarity.self }

  var newest = Clarity()

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    let amount = newest.amount
    return newest.changing(.detail(amount: amount < 0 ? amount / 2 : amount), in: context)
  }
}

/// Version 1: an amount of −1 removes all detail.
struct SymmetricClarity: EarlierVersion {
  static let schema = FilterSchema<Self>(
    "clarity", Clarity.schema.summary, equivalents: Clarity.schema.equivalents,
    formula: """
      in + amount·(Y − B), B the guided filter of the luma Y by itself: mean of a·Y + b, \
      a = var/(var + epsilon), b = mean·(1 − a)
      """,
    source: HalvingClarity.schema.source, dependency: .neighborhood, tolerance: "F",
    parameters: parametersOfNewest)

  var newest = Clarity()

  func upgraded() -> (any Filter)? {
    // The same reduction is twice the amount, as far as it reaches.
    var upgraded = newest
    if upgraded.amount < 0 { upgraded.amount = max(-1, 2 * upgraded.amount) }
    return upgraded
  }

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    newest.changing(.detail(amount: newest.amount), in: context)
  }
}
