// SPDX-License-Identifier: Apache-2.0
/// Exaggerated colour.
public struct LookChrome: Look {
  public static let schema = lookSchema(
    "chrome", "Exaggerated colour.",
    formula: "saturate 1.3, then the curve 0:0/0.25:0.21/0.75:0.8/1:1", peer: "CIPhotoEffectChrome")

  static let recipe: [any Filter] = [
    Saturate(1.3), curve([(0, 0), (0.25, 0.21), (0.75, 0.8), (1, 1)]),
  ]

  /// How much of the look is used, 0 to 1.
  public var amount = 0.0

  public init() {}

  /// Makes the filter.
  public init(amount: Double) { self.amount = amount }
}
