// SPDX-License-Identifier: Apache-2.0
/// Black and white with little contrast.
public struct LookMono: Look {
  public static let schema = lookSchema(
    "mono", "Black and white with little contrast.",
    formula: "look.tonal, then contrast 0.85", peer: "CIPhotoEffectMono")

  static let recipe: [any Filter] = [Grayscale(.luma709), Contrast(0.85)]

  /// How much of the look is used, 0 to 1.
  public var amount = 0.0

  public init() {}

  /// Makes the filter.
  public init(amount: Double) { self.amount = amount }
}
