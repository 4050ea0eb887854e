// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

public struct BlackWhite: Filter {
  /// The formula for computing the brightness of a color.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// The lightness, changed by hue.
    case bands
    /// A weighted sum of linear red, green and blue, as with a color filter in front of the lens.
    case channels
  }

  public static let schema = FilterSchema<Self>(
    "blackWhite", version: 2,
    "Converts to black and white with a brightness for each color, and tints.",
    aliases: ["blackAndWhite", "monochrome"],
    equivalents: """
      Lightroom B&W Mixer; Photoshop Black & White; GEGL mono-mixer; ImageMagick -color-matrix
      """,
    formula: """
      bands: L + g·Σw·mix·0.5·C/(C + 0.1) in Oklch, w and the smoothed C as colorMixer, g a smoothstep \
      of C from 0.005 to 0.04; channels: Σ weight·channel of \
      linear light, divided by Σ weight if luminance is preserved; tint: chroma \
      0.08·tintAmount·4·L·(1 − L) at the hue tintHue
      """,
    source: "own (bands, tint; Ottosson, 2020); GEGL mono-mixer (channels)",
    transferEncoding: .linear, dependency: .neighborhood, tolerance: "F 0.02",
    parameters: [
      Parameter("mode", \.mode, "Brightness by color bands or by channels."),
      mix("red", \.red), mix("orange", \.orange), mix("yellow", \.yellow), mix("green", \.green),
      mix("aqua", \.aqua), mix("blue", \.blue), mix("purple", \.purple),
      mix("magenta", \.magenta),
      weight("red", \.redWeight), weight("green", \.greenWeight), weight("blue", \.blueWeight),
      Parameter(
        "preserveLuminance", \.preservesLuminance,
        "Divide by the sum of the weights, so that grays keep their brightness; in mode channels."),
      Parameter(
        "tintHue", \.tintHue, unit: .degrees, in: 0...360, "Hue (Oklch) of the tint."),
      Parameter(
        "tintAmount", \.tintAmount, unit: .fraction, in: 0...1, ui: 0...0.6,
        "Strength of the tint; black and white stay neutral."),
    ])

  private static func mix(
    _ color: String, _ property: any WritableKeyPath<Self, Double> & Sendable
  ) -> Parameter<Self> {
    Parameter(
      color, property, in: -1...1,
      "Brightness of \(color); above 0 brightens it, in mode bands.")
  }

  private static func weight(
    _ channel: String, _ property: any WritableKeyPath<Self, Double> & Sendable
  ) -> Parameter<Self> {
    Parameter(
      channel + "Weight", property, in: -2...3, ui: -1...2,
      "Weight of linear \(channel), in mode channels.")
  }

  public var mode = Mode.bands
  /// Brightness of red.
  public var red = 0.0
  /// Brightness of orange.
  public var orange = 0.0
  /// Brightness of yellow.
  public var yellow = 0.0
  /// Brightness of green.
  public var green = 0.0
  /// Brightness of aqua.
  public var aqua = 0.0
  /// Brightness of blue.
  public var blue = 0.0
  /// Brightness of purple.
  public var purple = 0.0
  /// Brightness of magenta.
  public var magenta = 0.0
  /// Weight of linear red.
  public var redWeight = LumaWeights.rec709[0]
  /// Weight of linear green.
  public var greenWeight = LumaWeights.rec709[1]
  /// Weight of linear blue.
  public var blueWeight = LumaWeights.rec709[2]
  public var preservesLuminance = false
  public var tintHue = 70.0
  public var tintAmount = 0.0

  public static var previous: (any Filter.Type)? { PixelBlackWhite.self }

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    steps(in: context) { mix, space in
      let adjustment = HueAdjustment(grayMixing: mix, gate: (0.005, 0.04), in: space)
      // Without differences between colors, each pixel is on its own.
      if mix.values.allSatisfy({ $0 == 0 }) { return .map(PixelMap(adjustment)) }
      let radius = context.pixels(ofLongSide: SmoothedHues.radius)
      return .area(.neighborhood(.hues(SmoothedHues(radius: radius, adjustment: adjustment))))
    }
  }

  /// The steps with one after which the cube roots of cone responses are gray, each color as bright
  /// as its band demands.
  fileprivate func steps(
    in context: LoweringContext, mixing: (HueBands, WorkingSpace) -> FilterOperation
  ) -> [FilterOperation] {
    let space = context.space ?? .sRGB
    let gray: [FilterOperation]
    switch mode {
    case .bands:
      let mix = HueBands(values: [red, orange, yellow, green, aqua, blue, purple, magenta])
      gray = [
        .matrix(Oklab.coneResponse(of: space)), .curves(.init(.init([.power(1.0 / 3)]))),
        // The channels become equal, and one of them is the gray.
        mixing(mix, space), .matrix(.sum([1, 0, 0])),
        .curves(.init(.init([.clamp(0...1), .power(3)]))),
      ]
    case .channels:
      let weights = [redWeight, greenWeight, blueWeight]
      let sum = weights.reduce(0, +)
      let scale = preservesLuminance && abs(sum) > 1e-6 ? 1 / sum : 1
      gray = [.matrix(.sum(weights.map { $0 * scale }))]
    }
    return (gray + tint(in: space)).inEncoding(.linear)
  }

  /// The steps that tint linear gray.
  private func tint(in space: WorkingSpace) -> [FilterOperation] {
    if tintAmount == 0 { return [] }
    let hue = tintHue * Double.pi / 180
    let color = 0.08 * tintAmount * SIMD3(0, cos(hue), sin(hue))
    let pull = Oklab.opponentInverse.applied(to: color)
    // Cube roots of the cone responses to a gray are its lightness.
    let curves = (0..<3).map { cone in
      ToneCurve([
        .clamp(0...1), .power(1.0 / 3), .polynomial([0, 1 + 4 * pull[cone], -4 * pull[cone], 0]),
        .power(3),
      ])
    }
    return [
      .curves(.init(red: curves[0], green: curves[1], blue: curves[2])),
      .matrix(Oklab.coneResponse(of: space).inverse),
    ]
  }
}

/// Version 1: noise selects other bands from pixel to pixel, also in what is nearly gray.
struct PixelBlackWhite: EarlierVersion {
  static let schema = FilterSchema<Self>(
    "blackWhite", BlackWhite.schema.summary, aliases: BlackWhite.schema.aliases,
    equivalents: BlackWhite.schema.equivalents,
    formula: """
      bands: L + Σw·mix·0.5·C/(C + 0.1) in Oklch, w as colorMixer; channels: Σ weight·channel of \
      linear light, divided by Σ weight if luminance is preserved; tint: chroma \
      0.08·tintAmount·4·L·(1 − L) at the hue tintHue
      """,
    source: BlackWhite.schema.source, transferEncoding: .linear, dependency: .color,
    tolerance: "F 0.02", parameters: parametersOfNewest)

  var newest = BlackWhite()

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    newest.steps(in: context) { .map(PixelMap(HueAdjustment(grayMixing: $0, in: $1))) }
  }
}
