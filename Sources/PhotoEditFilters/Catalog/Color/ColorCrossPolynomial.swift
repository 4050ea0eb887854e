// SPDX-License-Identifier: Apache-2.0
public struct ColorCrossPolynomial: Filter {
  public static let schema = FilterSchema<Self>(
    "colorCrossPolynomial", "Applies a polynomial of all channels and their products.",
    equivalents: "Core Image CIColorCrossPolynomial",
    formula: "a₀R + a₁G + a₂B + a₃R² + a₄G² + a₅B² + a₆RG + a₇GB + a₈BR + a₉",
    source: "Core Image Filter Reference, CIColorCrossPolynomial, encoded", dependency: .color,
    tolerance: "F 0.02",
    parameters: [
      Parameter(
        "red", \.red, count: 10, in: -10...10, identity: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        "Coefficients of R, G, B, R², G², B², RG, GB, BR and 1 for red."),
      Parameter(
        "green", \.green, count: 10, in: -10...10, identity: [0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
        "Coefficients for green."),
      Parameter(
        "blue", \.blue, count: 10, in: -10...10, identity: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
        "Coefficients for blue."),
    ])

  public var red: [Double] = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  public var green: [Double] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
  public var blue: [Double] = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    isIdentity ? [] : [.map(PixelMap(CrossPolynomial([red, green, blue])))]
  }
}
