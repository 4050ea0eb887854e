// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

public struct Exposure: Filter {
  public static let schema = FilterSchema<Self>(
    "exposure", "Adjusts exposure in stops.",
    equivalents: "Core Image CIExposureAdjust; Lightroom Exposure; darktable exposure",
    formula: "(x − black) / (2^−ev − black), linear",
    source: "(x − black) / (2^−ev − black), linear, as in GEGL and darktable",
    transferEncoding: .linear, dependency: .curve, tolerance: "T1",
    parameters: [
      Parameter(
        "ev", \.ev, unit: .stops, in: -10...10, ui: -3...3, identity: 0,
        "Exposure in stops; +1 doubles the light."),
      Parameter(
        "black", \.black, in: -0.1...0.1, ui: -0.02...0.02, identity: 0,
        "Linear value mapped to black."),
    ])

  public var ev = 0.0
  public var black = 0.0

  public init() {}

  /// Creates the filter.
  public init(ev: Double, black: Double = 0) { (self.ev, self.black) = (ev, black) }

  public func validate() throws(ParameterError) {
    guard exp2(-ev) - black > 1e-6 else {
      throw conflict("black must be below the white point 2^−ev = \(exp2(-ev))")
    }
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let gain = 1 / (exp2(-ev) - black)
    return [.curves(.init(.init([.decode, .affine(scale: gain, offset: -black * gain), .encode])))]
  }
}
