// SPDX-License-Identifier: Apache-2.0
public struct BlackWhitePoint: Filter {
  public static let schema = FilterSchema<Self>(
    "blackWhitePoint", "Sets the black and white points.",
    equivalents: "Lightroom Blacks and Whites; ImageMagick -level; Core Image CIWhitePointAdjust",
    formula: "clamp((x − black)/(white − black))",
    source: "levels with gamma 1: SVG feComponentTransfer, ImageMagick -level, encoded",
    dependency: .curve, tolerance: "T1",
    parameters: [
      Parameter(
        "black", \.black, unit: .fraction, in: 0...1, identity: 0, "Value mapped to black."),
      Parameter(
        "white", \.white, unit: .fraction, in: 0...1, identity: 1, "Value mapped to white."),
    ])

  public var black = 0.0
  public var white = 1.0

  public init() {}

  /// Creates the filter.
  public init(black: Double, white: Double) { (self.black, self.white) = (black, white) }

  public func validate() throws(ParameterError) {
    guard abs(white - black) >= 1e-4 else {
      throw conflict("black and white must differ by 0.0001 or more")
    }
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let slope = 1 / (white - black)
    return [
      .curves(.init(.init([.affine(scale: slope, offset: -black * slope), .clamp(0...1)])))
    ]
  }
}
