// SPDX-License-Identifier: Apache-2.0
public struct Vignette: Filter {
  /// The falloff function.
  public enum Model: String, Sendable, Hashable, CaseIterable {
    /// cos⁴, the natural falloff of a lens.
    case cos4
    /// A smooth step between two radii.
    case smooth
  }

  public static let schema = FilterSchema<Self>(
    "vignette", version: 2, "Darkens or brightens the corners.",
    equivalents: "ffmpeg vignette; Core Image CIVignette; GEGL vignette; ImageMagick -vignette",
    formula: """
      x·g, g = 1 − amount·(1 − f), f = cos⁴(angle·d) or 1 − 0.6·smoothstep of the distance d; below \
      0 x·g/(1 + m·(g − 1)), g = 1 + |amount|·(1 − f), m the largest channel, so that white stays \
      white
      """,
    source: """
      cos4: cos(angle·d / half diagonal)⁴; smooth: 1 − 0.6·smoothstep(radius, radius + feather)
      """,
    dependency: .position, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, in: -1...1, identity: 0, argument: 1,
        "Strength of the falloff; below 0 brightens the corners."),
      Parameter("model", \.model, "Falloff model."),
      Parameter(
        "angle", \.angle, unit: .degrees, in: 0...90, "Half the field of view (model cos4)."),
      Parameter(
        "center", \.center, count: 2, in: 0...1, unit: .fraction,
        "Center of the falloff, as column and row."),
      Parameter(
        "radius", \.radius, unit: .fraction, in: 0...2, ui: 0...1,
        "Radius where the falloff starts; 1 is the corner (model smooth)."),
      Parameter(
        "feather", \.feather, unit: .fraction, in: 0...2, ui: 0...1,
        "Width of the falloff (model smooth)."),
      Parameter(
        "roundness", \.roundness, unit: .fraction, in: 0...1,
        "1 is a circle, 0 follows the image shape (model smooth)."),
      Parameter("light", \.light, "Transfer encoding to compute in: gamma-encoded or linear."),
    ])

  public static var previous: (any Filter.Type)? { ClippingVignette.self }

  public var amount = 0.0
  public var model = Model.cos4
  public var angle = 36.0
  public var center: [Double] = [0.5, 0.5]
  public var radius = 0.5
  public var feather = 0.5
  public var roundness = 1.0
  public var light = TransferEncoding.encoded

  public init() {}

  /// Creates the filter.
  public init(amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    gain(share: model == .smooth ? 0.6 : 1, keepsWhite: amount < 0, in: context)
  }

  fileprivate func gain(
    share: Double, keepsWhite: Bool, in context: LoweringContext
  ) -> [FilterOperation] {
    if isIdentity { return [] }
    let law: RadialGain.Model =
      model == .cos4 ? .cosine(angle: angle) : .smooth(inner: radius, outer: radius + feather)
    let radialGain = RadialGain(
      law, amount: share * amount, size: context.size, center: (center[0], center[1]),
      roundness: model == .cos4 ? 1 : roundness, keepsWhite: keepsWhite)
    return [.radialGain(radialGain)].inEncoding(light)
  }
}

/// Version 1: brightened corners are clipped, and those of the model smooth are darkened to black.
struct ClippingVignette: EarlierVersion {
  static let schema = FilterSchema<Self>(
    "vignette", Vignette.schema.summary, equivalents: Vignette.schema.equivalents,
    formula: "x·(1 + amount·(f − 1)), f = cos⁴(angle·d) or 1 − smoothstep of the distance d",
    source: "cos4: cos(angle·d / half diagonal)⁴; smooth: 1 − smoothstep(radius, radius + feather)",
    dependency: .position, tolerance: "T1", parameters: parametersOfNewest)

  var newest = Vignette()

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    newest.gain(share: 1, keepsWhite: false, in: context)
  }
}
