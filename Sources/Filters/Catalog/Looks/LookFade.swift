// SPDX-License-Identifier: Apache-2.0
/// Diminished colour, no deep black, no full white.
public struct LookFade: Look {
  public static let schema = lookSchema(
    "fade", "Diminished colour, no deep black, no full white.",
    formula: "saturate 0.75, then levels to 0.06…0.96", peer: "CIPhotoEffectFade")

  static let recipe: [any Filter] = [Saturate(0.75), levels(0.06, 0.96)]

  /// How much of the look is used, 0 to 1.
  public var amount = 0.0

  public init() {}

  /// Makes the filter.
  public init(amount: Double) { self.amount = amount }
}
