// SPDX-License-Identifier: Apache-2.0
public struct ParametricTone: Filter {
  public static let schema = FilterSchema<Self>(
    "parametricTone", "Adjusts shadows, darks, lights and highlights separately.",
    equivalents: "OpenColorIO GradingTone (video); Lightroom Highlights, Shadows, Whites, Blacks",
    formula: """
      midtones, highlights, whites, shadows, blacks and contrast in this order, each a curve of \
      parabolas with continuous slope: 0.7 wide around 0.4; from 0.2 to 1; above 0.5; from 0.6 \
      down to 0; below 0.4; around 0.4
      """,
    source: "OpenColorIO 2.6 GradingToneTransform, style video with its defaults, encoded",
    dependency: .curve, tolerance: "F 0.02 of OpenColorIO",
    parameters: [
      Parameter(
        "shadows", \.shadows, in: 0.01...1.99, ui: 0.2...1.8, identity: 1,
        "Below 1 darkens values under 0.6; black is unchanged."),
      Parameter(
        "highlights", \.highlights, in: 0.01...1.99, ui: 0.2...1.8, identity: 1,
        "Above 1 brightens values over 0.2; white is unchanged."),
      Parameter(
        "whites", \.whites, in: 0.01...1.99, ui: 0.1...1.9, identity: 1,
        "Above 1 brightens the upper half, including white."),
      Parameter(
        "blacks", \.blacks, in: 0.01...1.99, ui: 0.1...1.9, identity: 1,
        "Below 1 darkens values under 0.4, including black."),
      Parameter(
        "midtones", \.midtones, in: 0.01...1.99, ui: 0.1...1.9, identity: 1,
        "Above 1 brightens midtones; black and white are unchanged."),
      Parameter(
        "contrast", \.contrast, in: 0.01...1.99, ui: 0.1...1.9, identity: 1,
        "Above 1 is an S-curve around 0.4; black and white are unchanged."),
    ])

  public var shadows = 1.0
  public var highlights = 1.0
  public var whites = 1.0
  public var blacks = 1.0
  public var midtones = 1.0
  public var contrast = 1.0

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let curves = [
      GradingTone.midtones(midtones), GradingTone.highlights(highlights),
      GradingTone.whites(whites, highlights: highlights), GradingTone.shadows(shadows),
      GradingTone.blacks(blacks, shadows: shadows), GradingTone.contrast(contrast),
    ].compactMap { $0 }
    if curves.isEmpty { return [] }
    return [.curves(.init(ToneCurve(curves.map { .parabolas($0) })))]
  }
}
