// SPDX-License-Identifier: Apache-2.0

public struct ColorMixer: Filter {
  /// The adjustment of one color.
  public struct Band: Sendable, Hashable {
    /// Toward the next color above 0.
    public var hue = 0.0
    /// −1 is gray.
    public var saturation = 0.0
    /// Brighter above 0.
    public var lightness = 0.0

    /// Creates an adjustment.
    public init(hue: Double = 0, saturation: Double = 0, lightness: Double = 0) {
      (self.hue, self.saturation, self.lightness) = (hue, saturation, lightness)
    }
  }

  public static let schema = FilterSchema<Self>(
    "colorMixer", version: 2,
    "Adjusts hue, saturation and lightness of eight colors separately.",
    aliases: ["hsl", "selectiveColor"],
    equivalents: "Lightroom Color Mixer (HSL); darktable color zones; RawTherapee HSV equalizer",
    formula: """
      h′ = h + g·Σw·hue·⅔·(distance to the neighbor), L′ = L + g·Σw·lightness·0.35·C/(C + 0.06), \
      C′ = C·(1 + s), above 0 C·(1 + s·(1 − (C/Cmax)²)) with a smooth end at Cmax, s = \
      Σw·saturation, in Oklch; w a smoothstep between the hues 20°, 55°, 105°, 142°, 198°, 252°, \
      300° and 345°; g a smoothstep of C from 0.01 to 0.05; w, g and C/(C + 0.06) of (a, b) smoothed \
      by a guided filter with both as its guide, of radius 0.5 % of the longer side and ε 0.0003
      """,
    source: """
      own; Ottosson, 2020 (Oklab); Cmax at the new hue and lightness, as vibrance; He, Sun and Tang \
      2013 (guided filter)
      """,
    transferEncoding: .linear, dependency: .neighborhood, tolerance: "F 0.1",
    parameters: [
      sliders("red", "orange", "magenta", \.red.hue, \.red.saturation, \.red.lightness),
      sliders("orange", "yellow", "red", \.orange.hue, \.orange.saturation, \.orange.lightness),
      sliders("yellow", "green", "orange", \.yellow.hue, \.yellow.saturation, \.yellow.lightness),
      sliders("green", "aqua", "yellow", \.green.hue, \.green.saturation, \.green.lightness),
      sliders("aqua", "blue", "green", \.aqua.hue, \.aqua.saturation, \.aqua.lightness),
      sliders("blue", "purple", "aqua", \.blue.hue, \.blue.saturation, \.blue.lightness),
      sliders("purple", "magenta", "blue", \.purple.hue, \.purple.saturation, \.purple.lightness),
      sliders("magenta", "red", "purple", \.magenta.hue, \.magenta.saturation, \.magenta.lightness),
      [
        Parameter(
          "range", \.range, unit: .degrees, in: -15...15,
          "Rotation of the hues at which the eight colors are.")
      ],
    ].flatMap { $0 })

  private static func sliders(
    _ name: String, _ next: String, _ previous: String,
    _ hue: any WritableKeyPath<Self, Double> & Sendable,
    _ saturation: any WritableKeyPath<Self, Double> & Sendable,
    _ lightness: any WritableKeyPath<Self, Double> & Sendable
  ) -> [Parameter<Self>] {
    [
      Parameter(
        name + "Hue", hue, in: -1...1, identity: 0,
        "Hue of \(name): 1 is two thirds of the way to \(next), −1 to \(previous)."),
      Parameter(
        name + "Saturation", saturation, in: -1...1, identity: 0,
        "Saturation of \(name); −1 is gray."),
      Parameter(
        name + "Lightness", lightness, in: -1...1, identity: 0,
        "Lightness of \(name); grays stay as they are."),
    ]
  }

  /// The adjustment of red.
  public var red = Band()
  /// The adjustment of orange.
  public var orange = Band()
  /// The adjustment of yellow.
  public var yellow = Band()
  /// The adjustment of green.
  public var green = Band()
  /// The adjustment of aqua.
  public var aqua = Band()
  /// The adjustment of blue.
  public var blue = Band()
  /// The adjustment of purple.
  public var purple = Band()
  /// The adjustment of magenta.
  public var magenta = Band()
  /// Degrees by which the colors are moved.
  public var range = 0.0

  public static var previous: (any Filter.Type)? { PixelColorMixer.self }

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let hues = SmoothedHues(
      radius: context.pixels(ofLongSide: SmoothedHues.radius), adjustment: adjustment(in: context))
    return Oklab.applying(.area(.neighborhood(.hues(hues))), in: context.space ?? .sRGB)
  }

  fileprivate func adjustment(in context: LoweringContext) -> HueAdjustment {
    let bands = [red, orange, yellow, green, aqua, blue, purple, magenta]
    func hues(_ values: [Double]) -> HueBands { HueBands(values: values, shift: range) }
    return HueAdjustment(
      turns: hues(bands.indices.map { HueBands.turn(of: $0, by: bands[$0].hue) }),
      saturations: hues(bands.map(\.saturation)), lightnesses: hues(bands.map(\.lightness)),
      in: context.space ?? .sRGB)
  }
}

/// Version 1: noise selects other bands from pixel to pixel.
struct PixelColorMixer: EarlierVersion {
  static let schema = FilterSchema<Self>(
    "colorMixer", ColorMixer.schema.summary, aliases: ColorMixer.schema.aliases,
    equivalents: ColorMixer.schema.equivalents,
    formula: """
      h′ = h + g·Σw·hue·⅔·(distance to the neighbor), L′ = L + g·Σw·lightness·0.35·C/(C + 0.06), \
      C′ = C·(1 + s), above 0 C·(1 + s·(1 − (C/Cmax)²)) with a smooth end at Cmax, s = \
      Σw·saturation, in Oklch; w a smoothstep between the hues 20°, 55°, 105°, 142°, 198°, 252°, \
      300° and 345°; g a smoothstep of C from 0.01 to 0.05
      """,
    source: "own; Ottosson, 2020 (Oklab); Cmax at the new hue and lightness, as vibrance",
    transferEncoding: .linear, dependency: .color, tolerance: "F 0.1",
    parameters: parametersOfNewest)

  var newest = ColorMixer()

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    return Oklab.mapping(newest.adjustment(in: context), in: context.space ?? .sRGB)
  }
}
