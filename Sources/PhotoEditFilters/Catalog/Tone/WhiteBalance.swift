// SPDX-License-Identifier: Apache-2.0
public struct WhiteBalance: Filter {
  public static let schema = FilterSchema<Self>(
    "whiteBalance", version: 3,
    "Corrects the color of the light source.",
    aliases: ["temperatureAndTint"],
    equivalents: "Core Image CITemperatureAndTint; Lightroom Temperature and Tint",
    formula: """
      Bradford adaptation from (temperature, tint) to (targetTemperature, targetTint), linear, \
      through the photo's primaries; u, v by Robertson's isotherms, −tint/3000 along them towards \
      magenta; above 0.75 compressed as exposure with rolloff 0.25, so that the largest sum of \
      positive coefficients of a row becomes 1; then by s(0.7, 0.93) of the smallest channel of x, \
      s(a, b) a smooth step from a to b, to the largest channel of x and the result
      """,
    source: """
      Robertson, 1968, with u = 0.24792 at 325; Lam, 1985 (Bradford); tint of the DNG SDK; \
      Reinhard et al., 2002 (compression)
      """,
    transferEncoding: .linear, dependency: .color, tolerance: "F 0.02 of colour-science",
    parameters: [
      Parameter(
        "temperature", \.temperature, unit: .kelvin, in: 2000...25000, ui: 2500...12000,
        identity: 6500, "Color temperature of the scene; above the target, colors become warmer."),
      Parameter(
        "tint", \.tint, in: -150...150, identity: 0,
        "Green-magenta tint of the scene; above 0, colors become more magenta."),
      Parameter(
        "targetTemperature", \.targetTemperature, unit: .kelvin, in: 2000...25000,
        ui: 2500...12000, identity: 6500, "Color temperature of the viewing light."),
      Parameter(
        "targetTint", \.targetTint, in: -150...150, identity: 0,
        "Green-magenta tint of the viewing light."),
    ])

  public static var previous: (any Filter.Type)? { ClippingWhiteBalance.self }

  /// The correlated color temperature of the light in which the photo was taken, in kelvin.
  public var temperature = 6500.0
  public var tint = 0.0
  /// The correlated color temperature of the light in which the photo is viewed, in kelvin.
  public var targetTemperature = 6500.0
  public var targetTint = 0.0

  public init() {}

  /// Creates the filter.
  public init(temperature: Double, tint: Double = 0) {
    (self.temperature, self.tint) = (temperature, tint)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    guard let matrix = adaptation(in: context) else { return [] }
    return [.map(PixelMap(WhiteAdaptation(matrix)))].inEncoding(.linear)
  }

  /// The matrix of linear light; nil if scene and view have the same light.
  fileprivate func adaptation(in context: LoweringContext) -> ColorTransform? {
    if temperature == targetTemperature && tint == targetTint { return nil }
    return ChromaticAdaptation.matrix(
      from: Illuminant(temperature: temperature, tint: tint),
      to: Illuminant(temperature: targetTemperature, tint: targetTint),
      in: context.space ?? .sRGB)
  }
}

/// Version 2: channels are clipped at white, and white becomes colored.
struct ClippingWhiteBalance: EarlierVersion {
  static let schema = FilterSchema<Self>(
    "whiteBalance", version: 2, WhiteBalance.schema.summary, aliases: WhiteBalance.schema.aliases,
    equivalents: WhiteBalance.schema.equivalents,
    formula: """
      Bradford adaptation from (temperature, tint) to (targetTemperature, targetTint), linear, \
      through the photo's primaries; \
      u, v by Robertson's isotherms, −tint/3000 along them towards magenta
      """,
    source: "Robertson, 1968, with u = 0.24792 at 325; Lam, 1985 (Bradford); tint of the DNG SDK",
    transferEncoding: .linear, dependency: .color, tolerance: "F 0.02 of colour-science",
    parameters: parametersOfNewest)

  static var previous: (any Filter.Type)? { NumericVersion<Self>.self }

  var newest = WhiteBalance()

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    newest.adaptation(in: context).map { [.matrix($0)].inEncoding(.linear) } ?? []
  }
}
