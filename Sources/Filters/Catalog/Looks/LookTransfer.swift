// SPDX-License-Identifier: Apache-2.0
/// Warm colours.
public struct LookTransfer: Look {
  public static let schema = lookSchema(
    "transfer", "Warm colours.",
    formula: "red times 1.06 and blue times 0.92, then levels to 0.04…0.97",
    peer: "CIPhotoEffectTransfer")

  static let recipe: [any Filter] = [
    ColorMatrix([1.06, 0, 0, 0, 1, 0, 0, 0, 0.92]), levels(0.04, 0.97),
  ]

  /// How much of the look is used, 0 to 1.
  public var amount = 0.0

  public init() {}

  /// Makes the filter.
  public init(amount: Double) { self.amount = amount }
}
