// SPDX-License-Identifier: Apache-2.0
public struct Brightness: Filter {
  public static let schema = FilterSchema<Self>(
    "brightness", "Adds a constant to every channel.",
    equivalents:
      "ImageMagick -brightness-contrast; ffmpeg eq; Core Image CIColorControls (linear there)",
    formula: "x + amount",
    source: "x + amount, encoded", dependency: .curve, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, unit: .fraction, in: -1...1, ui: -0.5...0.5, identity: 0,
        "Amount to add; 1 is the full range.")
    ])

  public var amount = 0.0

  public init() {}

  /// Creates the filter.
  public init(_ amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    return [.curves(.init(.init([.affine(scale: 1, offset: amount)])))]
  }
}
