// SPDX-License-Identifier: Apache-2.0
public struct ShadowsHighlights: Filter {
  public static let schema = FilterSchema<Self>(
    "shadowsHighlights", version: 3,
    "Recovers shadows and highlights while preserving local contrast.",
    aliases: ["shadowsHighlightsLocal"],
    equivalents: "Core Image CIHighlightShadowAdjust; GEGL shadows-highlights; darktable",
    formula: """
      in·Z/Y, Z = f(B) + Y − B, B the guided filter of the luma Y (as clarity); f: highlights below \
      0 darken by 0.14·|highlights|·s(0.55, 0.92)·(1 − 0.4·s(0.78, 1)) of B, s(a, b) smooth steps \
      from a to b; then parametricTone with highlights 1 + 0.99·highlights above 0 and shadows \
      1 + 0.99·shadows, whose change counts by s(0, 0.08)
      """,
    source: """
      He, Sun and Tang 2013; OpenColorIO 2.6 GradingToneTransform, style video; a luma below 1/255 \
      counts as 1/255 in the ratio, which is at most 2, and the remainder is added
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

  public static var previous: (any Filter.Type)? { SteepShadowsHighlights.self }

  public var shadows = 0.0
  public var highlights = 0.0
  public var radius = 0.015
  public var epsilon = 0.01

  public init() {}

  /// Creates the filter.
  public init(shadows: Double, highlights: Double) {
    (self.shadows, self.highlights) = (shadows, highlights)
  }

  /// An amount given alone leaves the other one neutral.
  public mutating func complete(given: Set<String>) {
    if given.contains("highlights") && !given.contains("shadows") { shadows = 0 }
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if shadows == 0 && highlights == 0 { return [] }
    let curve = Self.curve(highlights: max(0, highlights), shadows: shadows)
    let tone = BaseTone(
      curve, recovery: .gentle(max(0, -highlights)), anchor: 0.08, mostGain: 2)
    return mapping(tone, in: context)
  }

  fileprivate static func curve(highlights: Double, shadows: Double) -> ToneCurve {
    let curves = [
      GradingTone.highlights(1 + 0.99 * highlights), GradingTone.shadows(1 + 0.99 * shadows),
    ]
    return ToneCurve(curves.compactMap { $0 }.map { .parabolas($0) })
  }

  fileprivate func mapping(_ tone: BaseTone, in context: LoweringContext) -> [FilterOperation] {
    let mapping = LocalToneMapping(
      radius: context.pixels(ofLongSide: radius), epsilon: epsilon, change: .tone(tone))
    return [.area(.neighborhood(.guided(mapping)))]
  }
}

/// Version 2: levels above the middle are flattened, and black is lifted with the shadows.
struct SteepShadowsHighlights: EarlierVersion {
  static let schema = FilterSchema<Self>(
    "shadowsHighlights", version: 2, ShadowsHighlights.schema.summary,
    equivalents: ShadowsHighlights.schema.equivalents,
    formula: """
      in·Z/Y, Z = f(B) + Y − B, B the guided filter of the luma Y (as clarity); f: highlights below \
      0 darken by 0.17·|highlights|·s(0.4, 0.85)·(1 − 0.45·s(0.92, 1)) of B, s(a, b) smooth steps \
      from a to b; then parametricTone with highlights 1 + 0.99·highlights above 0 and shadows \
      1 + 0.99·shadows
      """,
    source: ShadowsHighlights.schema.source, dependency: .neighborhood, tolerance: "F",
    parameters: parametersOfNewest)

  static var previous: (any Filter.Type)? { BroadShadowsHighlights.self }

  var newest = ShadowsHighlights()

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    let (highlights, shadows) = (newest.highlights, newest.shadows)
    if shadows == 0 && highlights == 0 { return [] }
    let curve = ShadowsHighlights.curve(highlights: max(0, highlights), shadows: shadows)
    let tone = BaseTone(curve, recovery: .broad(max(0, -highlights)), mostGain: 2)
    return newest.mapping(tone, in: context)
  }
}

/// Version 1: highlights are darkened from a luma of 0.2 on and up to white, which turns gray next to
/// them, and colors of shadows are amplified without limit.
struct BroadShadowsHighlights: EarlierVersion {
  static let schema = FilterSchema<Self>(
    "shadowsHighlights", ShadowsHighlights.schema.summary,
    equivalents: ShadowsHighlights.schema.equivalents,
    formula: """
      in·Z/Y, Z = f(B) + Y − B, B the guided filter of the luma Y (as clarity), f parametricTone \
      with highlights 1 + 0.99·highlights and then shadows 1 + 0.99·shadows
      """,
    source: """
      He, Sun and Tang 2013; OpenColorIO 2.6 GradingToneTransform, style video; a luma below 1/255 \
      counts as 1/255 in the ratio, and the remainder is added
      """,
    dependency: .neighborhood, tolerance: "F",
    parameters: parametersOfNewest)

  var newest = ShadowsHighlights()

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    let (highlights, shadows) = (newest.highlights, newest.shadows)
    let curve = ShadowsHighlights.curve(highlights: highlights, shadows: shadows)
    return curve.steps.isEmpty ? [] : newest.mapping(BaseTone(curve), in: context)
  }
}
