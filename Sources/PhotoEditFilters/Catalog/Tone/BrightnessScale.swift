// SPDX-License-Identifier: Apache-2.0
public struct BrightnessScale: Filter {
  public static let schema = FilterSchema<Self>(
    "brightnessScale", "Multiplies all values by a factor.",
    equivalents: "CSS brightness(); SVG feFuncX slope; ImageMagick -modulate; Pillow Brightness",
    formula: "amount·x", source: "Filter Effects Module 1, brightness(), encoded",
    dependency: .curve, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, in: 0...16, ui: 0...2, identity: 1,
        "Factor; 0 is black, 1 leaves the image unchanged.")
    ])

  public var amount = 1.0

  public init() {}

  /// Creates the filter.
  public init(_ amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    isIdentity ? [] : [.curves(.init(.init([.affine(scale: amount, offset: 0)])))]
  }
}
