// SPDX-License-Identifier: Apache-2.0
public struct SplitTone: Filter {
  public static let schema = FilterSchema<Self>(
    "splitTone", version: 2, "Tints shadows and highlights with different colors.",
    equivalents: "Lightroom SplitToning; darktable split-toning",
    formula: """
      x + (1 − h)·(S(c, shadow) − c) + h·(S(c, highlight) − c), S soft-light, c = clamp(x), \
      h = smoothstep(luma + balance/2); a tint is 0.5 + saturation·(hue − 0.5), \
      an sRGB color
      """,
    source: "own; soft-light of W3C Compositing and Blending 1, ITU-T T.871 luma, encoded",
    dependency: .color, tolerance: "F 0.02",
    parameters: [
      Parameter(
        "shadowHue", \.shadowHue, unit: .degrees, in: 0...360, "Hue of the shadows."),
      Parameter(
        "shadowSaturation", \.shadowSaturation, unit: .fraction, in: 0...1, identity: 0,
        "Strength of the shadow tint."),
      Parameter(
        "highlightHue", \.highlightHue, unit: .degrees, in: 0...360, "Hue of the highlights."),
      Parameter(
        "highlightSaturation", \.highlightSaturation, unit: .fraction, in: 0...1, identity: 0,
        "Strength of the highlight tint."),
      Parameter(
        "balance", \.balance, in: -1...1, "Balance; above 0 treats more tones as highlights."),
    ])

  public static var previous: (any Filter.Type)? { NumericVersion<Self>.self }

  public var shadowHue = 220.0
  public var shadowSaturation = 0.0
  public var highlightHue = 40.0
  public var highlightSaturation = 0.0
  public var balance = 0.0

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let tint = SplitToning(
      shadow: (shadowHue, shadowSaturation), highlight: (highlightHue, highlightSaturation),
      balance: balance, in: context.space)
    return [.map(PixelMap(tint))]
  }
}
