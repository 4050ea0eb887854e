// SPDX-License-Identifier: Apache-2.0
public struct Levels: Filter {
  public static let schema = FilterSchema<Self>(
    "levels", "Maps an input range to an output range.",
    equivalents: "ImageMagick -level; ffmpeg colorlevels; SVG feComponentTransfer",
    formula: "outBlack + (outWhite − outBlack)·clamp((x − inBlack)/(inWhite − inBlack))^(1/gamma)",
    source: "oB + (oW − oB)·clamp((x − iB) / (iW − iB))^(1/gamma), encoded",
    dependency: .curve, tolerance: "T1",
    parameters: [
      Parameter(
        "inBlack", \.inBlack, unit: .fraction, in: 0...1, identity: 0,
        "Input value mapped to outBlack."),
      Parameter(
        "inWhite", \.inWhite, unit: .fraction, in: 0...1, identity: 1,
        "Input value mapped to outWhite."),
      Parameter(
        "gamma", \.gamma, in: 0.1...10, ui: 0.3...3, identity: 1,
        "Midtone gamma; above 1 brightens."),
      Parameter(
        "outBlack", \.outBlack, unit: .fraction, in: 0...1, identity: 0, "Darkest output value."),
      Parameter(
        "outWhite", \.outWhite, unit: .fraction, in: 0...1, identity: 1, "Brightest output value."),
      Parameter("channel", \.channel, "Channel to change; rgb is all channels."),
    ])

  public var inBlack = 0.0
  public var inWhite = 1.0
  public var gamma = 1.0
  public var outBlack = 0.0
  public var outWhite = 1.0
  public var channel = Channel.rgb

  public init() {}

  public func validate() throws(ParameterError) {
    guard abs(inWhite - inBlack) >= 1e-4 else {
      throw conflict("inBlack and inWhite must differ by 0.0001 or more")
    }
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let slope = 1 / (inWhite - inBlack)
    let curve = ToneCurve([
      .affine(scale: slope, offset: -inBlack * slope), .clamp(0...1), .power(1 / gamma),
      .affine(scale: outWhite - outBlack, offset: outBlack),
    ])
    return [.curves(channel.curves(curve))]
  }
}
