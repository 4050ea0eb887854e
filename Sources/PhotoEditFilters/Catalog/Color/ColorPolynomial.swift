// SPDX-License-Identifier: Apache-2.0
public struct ColorPolynomial: Filter {
  public static let schema = FilterSchema<Self>(
    "colorPolynomial", "Applies a cubic polynomial to each channel.",
    equivalents: "Core Image CIColorPolynomial",
    formula: "a₀ + a₁·x + a₂·x² + a₃·x³",
    source: "Core Image Filter Reference, CIColorPolynomial, encoded", dependency: .curve,
    tolerance: "F 0.02",
    parameters: [
      Parameter(
        "red", \.red, count: 4, in: -10...10, identity: [0, 1, 0, 0],
        "Coefficients a₀ to a₃ for red."),
      Parameter(
        "green", \.green, count: 4, in: -10...10, identity: [0, 1, 0, 0],
        "Coefficients a₀ to a₃ for green."),
      Parameter(
        "blue", \.blue, count: 4, in: -10...10, identity: [0, 1, 0, 0],
        "Coefficients a₀ to a₃ for blue."),
    ])

  public var red: [Double] = [0, 1, 0, 0]
  public var green: [Double] = [0, 1, 0, 0]
  public var blue: [Double] = [0, 1, 0, 0]

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let curves = [red, green, blue].map { ToneCurve([.polynomial($0)]) }
    return [.curves(.init(red: curves[0], green: curves[1], blue: curves[2]))]
  }
}
