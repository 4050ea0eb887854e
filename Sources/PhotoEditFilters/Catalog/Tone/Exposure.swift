// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

public struct Exposure: Filter {
  public static let schema = FilterSchema<Self>(
    "exposure", version: 2, "Adjusts exposure in stops.",
    equivalents: "Core Image CIExposureAdjust; Lightroom Exposure; darktable exposure",
    formula: """
      y = (x − black) / (2^−ev − black), linear; above k = 1 − rolloff, \
      k + (1 − k)·u·(1 + u/U²)/(1 + u), u = (y − k)/(1 − k), U of x = 1: 70 % by the largest \
      channel, 30 % by channel
      """,
    source: "as in GEGL and darktable; Reinhard et al., 2002 (roll-off)",
    transferEncoding: .linear, dependency: .color, tolerance: "T1",
    parameters: [
      Parameter(
        "ev", \.ev, unit: .stops, in: -10...10, ui: -3...3, identity: 0,
        "Exposure in stops; +1 doubles the light."),
      Parameter(
        "black", \.black, in: -0.1...0.1, ui: -0.02...0.02, identity: 0,
        "Linear value mapped to black."),
      Parameter(
        "rolloff", \.rolloff, in: 0...1, argument: 0.35,
        "Range of linear light below white into which brightened highlights are compressed; 0 "
          + "clips them."),
    ])

  public static var previous: (any Filter.Type)? { ClippingExposure.self }

  public var ev = 0.0
  public var black = 0.0
  public var rolloff = 0.0

  public init() {}

  /// Creates the filter.
  public init(ev: Double, black: Double = 0, rolloff: Double = 0) {
    (self.ev, self.black, self.rolloff) = (ev, black, rolloff)
  }

  public func validate() throws(ParameterError) {
    guard exp2(-ev) - black > 1e-6 else {
      throw conflict("black must be below the white point 2^−ev = \(exp2(-ev))")
    }
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let gain = 1 / (exp2(-ev) - black)
    let exposed = ToneCurve([.decode, .affine(scale: gain, offset: -black * gain)])
    let white = (1 - black) * gain
    guard rolloff > 0, white > 1 else {
      return [.curves(.init(.init(exposed.steps + [.encode])))]
    }
    return [
      .curves(.init(exposed)), .map(PixelMap(RollOff(knee: 1 - rolloff, white: white))),
      .curves(.init(.init([.encode]))),
    ]
  }
}

/// Version 1: highlights that exceed white are clipped.
struct ClippingExposure: EarlierVersion {
  static let schema = FilterSchema<Self>(
    "exposure", Exposure.schema.summary, equivalents: Exposure.schema.equivalents,
    formula: "(x − black) / (2^−ev − black), linear",
    source: "(x − black) / (2^−ev − black), linear, as in GEGL and darktable",
    transferEncoding: .linear, dependency: .curve, tolerance: "T1",
    parameters: parametersOfNewest.filter { $0.name != "rolloff" })

  var newest = Exposure()

  func lowered(in context: LoweringContext) -> [FilterOperation] { newest.lowered(in: context) }
}
