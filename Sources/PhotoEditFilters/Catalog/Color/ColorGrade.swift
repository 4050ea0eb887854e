// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

public struct ColorGrade: Filter {
  /// A color wheel for a range of tones.
  public struct Wheel: Sendable, Hashable {
    /// Strength of the tint.
    public var amount = 0.0
    /// Degrees.
    public var hue = 0.0
    /// Brighter above 0.
    public var lightness = 0.0

    /// Creates a wheel.
    public init(hue: Double = 0, amount: Double = 0, lightness: Double = 0) {
      (self.hue, self.amount, self.lightness) = (hue, amount, lightness)
    }

    /// The values of red, green and blue in a grading curve; 1 has no effect.
    fileprivate var color: [Double] {
      // Exactly 1, which no sum of weights is.
      if amount == 0 { return [1, 1, 1] }
      let pull = (0..<3).map { 1 + 0.5 * amount * cos((hue - 120 * Double($0)) * Double.pi / 180) }
      let luma = zip(pull, LumaWeights.rec709).reduce(0) { $0 + $1.0 * $1.1 }
      return pull.map { $0 / luma }
    }

    /// The value of all channels together.
    fileprivate var master: Double { 1 + 0.9 * lightness }
  }

  public static let schema = FilterSchema<Self>(
    "colorGrade", "Tints and brightens shadows, midtones and highlights with color wheels.",
    aliases: ["colorWheels"],
    equivalents: "Lightroom Color Grading; DaVinci Resolve log wheels; OpenColorIO GradingTone",
    formula: """
      the curves of parametricTone for midtones, highlights and shadows, for each channel with \
      v = 1 + 0.5·amount·cos(hue − 0°, 120°, 240°), divided by the luma of v, then for all with \
      1 + 0.9·lightness; the values of global multiply those of each range; 0.1 to 1.9
      """,
    source: "OpenColorIO 2.6 GradingToneTransform, style video, encoded; BT.709 luma",
    dependency: .curve, tolerance: "F 0.02 of OpenColorIO",
    parameters: [
      wheel("shadow", "shadows", \.shadow.amount, \.shadow.hue, \.shadow.lightness),
      wheel("midtone", "midtones", \.midtone.amount, \.midtone.hue, \.midtone.lightness),
      wheel(
        "highlight", "highlights", \.highlight.amount, \.highlight.hue, \.highlight.lightness),
      wheel("global", "all tones", \.global.amount, \.global.hue, \.global.lightness),
      [
        Parameter(
          "balance", \.balance, in: -1...1,
          "Balance; above 0 treats more tones as highlights.")
      ],
    ].flatMap { $0 })

  private static func wheel(
    _ name: String, _ tones: String,
    _ amount: any WritableKeyPath<Self, Double> & Sendable,
    _ hue: any WritableKeyPath<Self, Double> & Sendable,
    _ lightness: any WritableKeyPath<Self, Double> & Sendable
  ) -> [Parameter<Self>] {
    [
      Parameter(
        name + "Amount", amount, unit: .fraction, in: 0...1, ui: 0...0.6, identity: 0,
        "Strength of the tint of \(tones)."),
      // Without an amount every hue has no effect.
      Parameter(
        name + "Hue", hue, unit: .degrees, in: 0...360, identity: 0,
        "Hue of the tint of \(tones): 0 red, 120 green, 240 blue."),
      Parameter(
        name + "Lightness", lightness, in: -1...1, ui: -0.6...0.6, identity: 0,
        "Brightness of \(tones); black and white stay."),
    ]
  }

  /// The wheel for shadows.
  public var shadow = Wheel()
  /// The wheel for midtones.
  public var midtone = Wheel()
  /// The wheel for highlights.
  public var highlight = Wheel()
  /// The wheel for all tones.
  public var global = Wheel()
  /// More highlights above 0.
  public var balance = 0.0

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let curves = (0..<3).map(curve)
    if curves.allSatisfy({ $0.steps.isEmpty }) { return [] }
    return [.curves(.init(red: curves[0], green: curves[1], blue: curves[2]))]
  }

  /// The curves of a channel, those of its color before those of all channels.
  private func curve(_ channel: Int) -> ToneCurve {
    func values(_ wheel: Wheel) -> [Double] {
      [wheel.color[channel] * global.color[channel], wheel.master * global.master]
        .map { min(max($0, 0.1), 1.9) }
    }
    let (start, end) = (0.2 - 0.2 * balance, 0.6 - 0.2 * balance)
    let curves =
      values(midtone).map { GradingTone.midtones($0) }
      + values(highlight).map { GradingTone.highlightCurve($0, from: start) }
      + values(shadow).map { GradingTone.shadowCurve($0, from: end) }
    return ToneCurve(curves.compactMap { $0.map { .parabolas($0) } })
  }
}
