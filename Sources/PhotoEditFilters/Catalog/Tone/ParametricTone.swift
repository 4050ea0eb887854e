// SPDX-License-Identifier: Apache-2.0
public struct ParametricTone: Filter {
  public static let schema = FilterSchema<Self>(
    "parametricTone", "Lifts or lowers ranges of tones and leaves the others.",
    peers: "OpenColorIO GradingTone (video); Lightroom Highlights, Shadows, Whites, Blacks",
    formula: """
      midtones, highlights, whites, shadows, blacks and contrast in this order, each a curve of \
      parabolas with continuous slope: 0.7 wide about 0.4; from 0.2 to 1; from 0.5 on; from 0.6 \
      down to 0; from 0.4 down; about 0.4
      """,
    source: "OpenColorIO 2.6 GradingToneTransform, style video with its defaults, encoded",
    family: .curve, tolerance: "F 0.02 of OpenColorIO",
    parameters: [
      Parameter(
        "shadows", \.shadows, in: 0.01...1.99, ui: 0.2...1.8, neutral: 1,
        "Below 1 darkens what lies under 0.6; black stays."),
      Parameter(
        "highlights", \.highlights, in: 0.01...1.99, ui: 0.2...1.8, neutral: 1,
        "Above 1 brightens what lies over 0.2; white stays."),
      Parameter(
        "whites", \.whites, in: 0.01...1.99, ui: 0.1...1.9, neutral: 1,
        "Above 1 brightens the upper half, white too."),
      Parameter(
        "blacks", \.blacks, in: 0.01...1.99, ui: 0.1...1.9, neutral: 1,
        "Below 1 darkens what lies under 0.4, black too."),
      Parameter(
        "midtones", \.midtones, in: 0.01...1.99, ui: 0.1...1.9, neutral: 1,
        "Above 1 brightens the middle; black and white stay."),
      Parameter(
        "contrast", \.contrast, in: 0.01...1.99, ui: 0.1...1.9, neutral: 1,
        "Above 1 is an S about 0.4; black and white stay."),
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
