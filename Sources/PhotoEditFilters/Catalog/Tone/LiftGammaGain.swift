// SPDX-License-Identifier: Apache-2.0
public struct LiftGammaGain: Filter {
  public static let schema = FilterSchema<Self>(
    "liftGammaGain", "Grades shadows, midtones and highlights by color.",
    equivalents:
      "OpenColorIO GradingPrimary (video); DaVinci Resolve primaries; Blender lift gamma gain",
    formula: """
      s·(x + offset + lift − b) + b, s = (w − b)/(w/gain + lift − b), about the pivots b and w; \
      then the power 1/gamma between them, then saturation with BT.709 luma
      """,
    source: "OpenColorIO 2.6 GradingPrimaryTransform, style video, encoded", dependency: .color,
    tolerance: "F 0.02 of OpenColorIO",
    parameters: [
      Parameter(
        "lift", \.lift, count: 3, in: -1...1, identity: [0, 0, 0],
        "Shift of black; white is unchanged."),
      Parameter(
        "gamma", \.gamma, count: 3, in: 0.1...10, identity: [1, 1, 1],
        "Midtone gamma; above 1 brightens."),
      Parameter(
        "gain", \.gain, count: 3, in: 0...4, identity: [1, 1, 1], "Factor; black is unchanged."),
      Parameter(
        "masterLift", \.masterLift, in: -1...1, ui: -0.2...0.2, identity: 0,
        "Offset added to every lift."),
      Parameter(
        "masterGamma", \.masterGamma, in: 0.1...10, ui: 0.3...3, identity: 1,
        "Factor for every gamma."),
      Parameter(
        "masterGain", \.masterGain, in: 0...4, ui: 0...2, identity: 1, "Factor for every gain."),
      Parameter(
        "offset", \.offset, count: 3, in: -1...1, identity: [0, 0, 0], "Shift of black and white."),
      Parameter(
        "saturation", \.saturation, in: 0...4, ui: 0...2, identity: 1,
        "Saturation; 0 is gray, 1 unchanged."),
      Parameter("pivotBlack", \.pivotBlack, in: -1...1, ui: -0.1...0.2, "Value treated as black."),
      Parameter("pivotWhite", \.pivotWhite, in: 0.1...4, ui: 0.8...1.2, "Value treated as white."),
    ])

  public var lift: [Double] = [0, 0, 0]
  public var gamma: [Double] = [1, 1, 1]
  public var gain: [Double] = [1, 1, 1]
  public var masterLift = 0.0
  public var masterGamma = 1.0
  public var masterGain = 1.0
  public var offset: [Double] = [0, 0, 0]
  public var saturation = 1.0
  public var pivotBlack = 0.0
  public var pivotWhite = 1.0

  public init() {}

  public func validate() throws(ParameterError) {
    guard pivotWhite - pivotBlack >= 0.01 else {
      throw conflict("pivotWhite must exceed pivotBlack by at least 0.01")
    }
    for channel in 0..<3 where abs(1 / slope(channel)) < 1e-4 {
      throw conflict(
        "lift \(jsonNumber(lift[channel] + masterLift)) with gain "
          + "\(jsonNumber(gain[channel] * masterGain)) maps black and white to the same value")
    }
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let curves = (0..<3).map(curve)
    var operations: [FilterOperation] = [
      .curves(.init(red: curves[0], green: curves[1], blue: curves[2]))
    ]
    if saturation != 1 {
      operations.append(.matrix(.sum(LumaWeights.rec709).scaled(by: 1 - saturation)))
    }
    return operations
  }

  /// Returns the slope of a channel; a gain of zero, the limit of small gains, makes everything
  /// black.
  private func slope(_ channel: Int) -> Double {
    let gain = gain[channel] * masterGain
    if gain == 0 { return 0 }
    return (pivotWhite - pivotBlack)
      / (pivotWhite / gain + lift[channel] + masterLift - pivotBlack)
  }

  private func curve(_ channel: Int) -> ToneCurve {
    let slope = slope(channel)
    let offset = offset[channel] + lift[channel] + masterLift - pivotBlack
    let exponent = 1 / (gamma[channel] * masterGamma)
    if exponent == 1 {
      return ToneCurve([.affine(scale: slope, offset: offset * slope + pivotBlack)])
    }
    let range = pivotWhite - pivotBlack
    return ToneCurve([
      .affine(scale: slope / range, offset: offset * slope / range), .power(exponent),
      // Powers up to a hundred overflow; the sums for saturation must stay finite.
      .affine(scale: range, offset: pivotBlack), .clamp(-1e18...1e18),
    ])
  }
}
