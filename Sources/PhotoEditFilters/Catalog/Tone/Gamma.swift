// SPDX-License-Identifier: Apache-2.0
public struct Gamma: Filter {
  public static let schema = FilterSchema<Self>(
    "gamma", "Applies a power curve.",
    equivalents: "Core Image CIGammaAdjust; SVG feFuncX gamma; ImageMagick -gamma is the inverse",
    formula: "sign(x)·|x|^power",
    source: "sign(x)·|x|^power, encoded", dependency: .curve, tolerance: "T1",
    parameters: [
      Parameter(
        "power", \.power, in: 0.1...10, ui: 0.3...3, identity: 1,
        "Exponent; above 1 darkens the midtones.")
    ])

  public var power = 1.0

  public init() {}

  /// Creates the filter.
  public init(power: Double) { self.power = power }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    isIdentity ? [] : [.curves(.init(.init([.power(power)])))]
  }
}
