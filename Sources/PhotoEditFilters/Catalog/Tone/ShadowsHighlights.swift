// SPDX-License-Identifier: Apache-2.0
public struct ShadowsHighlights: Filter {
  public static let schema = FilterSchema<Self>(
    "shadowsHighlights",
    "Recovers shadows and highlights while preserving local contrast.",
    aliases: ["shadowsHighlightsLocal"],
    equivalents: "Core Image CIHighlightShadowAdjust; GEGL shadows-highlights; darktable",
    formula: """
      in·Z/Y, Z = f(B) + Y − B, B the guided filter of the luma Y (as clarity), f parametricTone \
      with highlights 1 + 0.99·highlights and then shadows 1 + 0.99·shadows
      """,
    source: """
      He, Sun and Tang 2013; OpenColorIO 2.6 GradingToneTransform, style video; a luma below 1/255 \
      counts as 1/255 in the ratio, and the remainder is added
      """,
    dependency: .neighborhood, tolerance: "F",
    parameters: [
      Parameter(
        "shadows", \.shadows, in: -1...1, identity: 0, argument: 0.5,
        "Above 0 brightens shadows."),
      Parameter(
        "highlights", \.highlights, in: -1...1, identity: 0,
        "Below 0 darkens highlights."),
      Parameter(
        "radius", \.radius, unit: .fraction, in: 0.001...0.1, ui: 0.002...0.05,
        "Detail size, as a fraction of the longer side."),
      Parameter(
        "epsilon", \.epsilon, in: 0.0001...1, ui: 0.001...0.1,
        "Maximum variance treated as detail rather than an edge."),
    ])

  public var shadows = 0.0
  public var highlights = 0.0
  public var radius = 0.015
  public var epsilon = 0.01

  public init() {}

  /// Creates the filter.
  public init(shadows: Double, highlights: Double) {
    (self.shadows, self.highlights) = (shadows, highlights)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let curves = [
      GradingTone.highlights(1 + 0.99 * highlights), GradingTone.shadows(1 + 0.99 * shadows),
    ].compactMap { $0 }
    if curves.isEmpty { return [] }
    let tone = LocalToneMapping(
      radius: context.pixels(ofLongSide: radius), epsilon: epsilon,
      change: .tone(ToneCurve(curves.map { .parabolas($0) })))
    return [.area(.neighborhood(.guided(tone)))]
  }
}
