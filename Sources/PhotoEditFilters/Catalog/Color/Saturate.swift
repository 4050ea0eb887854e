// SPDX-License-Identifier: Apache-2.0
public struct Saturate: Filter {
  /// The weights used to compute the brightness of a color.
  public enum Weights: String, Sendable, Hashable, CaseIterable {
    /// ITU-R BT.709.
    case rec709
    /// ITU-R BT.601, as in JPEG.
    case rec601
  }

  public static let schema = FilterSchema<Self>(
    "saturate", "Adjusts saturation and preserves luma.",
    aliases: ["saturation"],
    equivalents: "CSS saturate(); Core Image CIColorControls.saturation; Pillow Color (rec601)",
    formula: "l + amount·(x − l), with l the luma by the weights",
    source: "Filter Effects Module 1, saturate(): l + amount·(x − l), encoded",
    dependency: .color, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, in: 0...4, ui: 0...2, identity: 1,
        "Saturation; 0 is gray, 1 unchanged."),
      Parameter("weights", \.weights, "Luma weights."),
    ])

  public var amount = 1.0
  public var weights = Weights.rec709

  public init() {}

  /// Creates the filter.
  public init(_ amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let luma = weights == .rec709 ? LumaWeights.rec709 : LumaWeights.rec601
    return [.matrix(.sum(luma).scaled(by: 1 - amount))]
  }
}
