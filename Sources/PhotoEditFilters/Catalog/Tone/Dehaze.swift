// SPDX-License-Identifier: Apache-2.0

public struct Dehaze: Filter {
  public static let schema = FilterSchema<Self>(
    "dehaze", "Removes haze from distant parts of a photo, or adds haze.",
    aliases: ["hazeRemoval"],
    equivalents: "Lightroom Dehaze; darktable haze removal; GIMP and G'MIC dehaze plug-ins",
    formula: """
      (x − A)/t + A, t = 1 − 0.76·amount·D, at least minimumTransmission; D = guided filter by the \
      luma, of radius 4·patch and ε 0.001, of the smallest c/A in a square; below 0 \
      x·(1 + 0.6·amount) − 0.6·amount·A; A = medians of the pixels whose smallest c in a square is \
      among the largest 0.1 %, at least 0.4, halfway to their mean
      """,
    source: """
      He, Sun and Tang, CVPR 2009 (dark channel) and PAMI 2013 (guided filter), with medians \
      instead of one pixel; pixels that are white in all channels do not count
      """,
    dependency: .neighborhood, tolerance: "F 0.05",
    parameters: [
      Parameter(
        "amount", \.amount, in: -1...1, ui: -0.6...0.8, identity: 0, argument: 0.35,
        "Strength; below 0 adds haze."),
      Parameter(
        "patch", \.patch, unit: .pixels, in: 0...101,
        "Width of the square in which something dark is expected; 0 is 0.75 % of the longer side."),
      Parameter(
        "minimumTransmission", \.minimumTransmission, unit: .fraction, in: 0.1...0.5,
        "Share of the light below which contrast is not increased further; protects skies."),
      Parameter(
        "airlight", \.airlight, "Color of the haze; #000000 measures it in the image."),
    ])

  public var amount = 0.0
  public var patch = 0
  public var minimumTransmission = 0.25
  public var airlight = Self.measured

  /// The color by which the haze is measured; no measured color is as dark.
  private static let measured = Background(red: 0, green: 0, blue: 0)

  public init() {}

  /// Creates the filter.
  public init(_ amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let side = patch == 0 ? context.pixels(ofLongSide: 0.0075) : context.pixels(patch)
    let dehazing = Dehazing(
      reach: side / 2, amount: amount, leastTransmission: minimumTransmission)
    if airlight == Self.measured { return [.adapt(.dehaze(dehazing, fromLevel: nil))] }
    let color = context.numbers(of: airlight)
    // Nothing is divided by the color of a colored light that lacks a channel.
    return dehazing.operations(
      airlight: color.clamped(lowerBound: 0.1 * .white, upperBound: .white))
  }
}
