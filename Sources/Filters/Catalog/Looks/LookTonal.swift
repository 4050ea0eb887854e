// SPDX-License-Identifier: Apache-2.0
/// Black and white, contrast unchanged.
public struct LookTonal: Look {
  public static let schema = lookSchema(
    "tonal", "Black and white, contrast unchanged.",
    formula: "grayscale mode luma709", peer: "CIPhotoEffectTonal")

  static let recipe: [any Filter] = [Grayscale(.luma709)]

  /// How much of the look is used, 0 to 1.
  public var amount = 0.0

  public init() {}

  /// Makes the filter.
  public init(amount: Double) { self.amount = amount }
}
