// SPDX-License-Identifier: Apache-2.0
/// Black and white with exaggerated contrast.
public struct LookNoir: Look {
  public static let schema = lookSchema(
    "noir", "Black and white with exaggerated contrast.",
    formula: """
      grayscale mode luma709, then the curve 0:0/0.25:0.12/0.5:0.5/0.75:0.9/1:1
      """, peer: "CIPhotoEffectNoir")

  static let recipe: [any Filter] = [
    Grayscale(.luma709),
    curve([(0, 0), (0.25, 0.12), (0.5, 0.5), (0.75, 0.9), (1, 1)]),
  ]

  /// How much of the look is used, 0 to 1.
  public var amount = 0.0

  public init() {}

  /// Makes the filter.
  public init(amount: Double) { self.amount = amount }
}
