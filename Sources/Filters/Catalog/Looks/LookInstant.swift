// SPDX-License-Identifier: Apache-2.0
/// Distorted colour, as of instant film.
public struct LookInstant: Look {
  public static let schema = lookSchema(
    "instant", "Distorted colour, as of instant film.",
    formula: """
      a curve for each channel: red 0:0.04/0.5:0.52/1:0.98, green 0:0.03/0.5:0.5/1:0.97, \
      blue 0:0.1/0.5:0.47/1:0.88; then saturate 0.9
      """, peer: "CIPhotoEffectInstant")

  static let recipe: [any Filter] = [
    curve([(0, 0.04), (0.5, 0.52), (1, 0.98)], .r),
    curve([(0, 0.03), (0.5, 0.5), (1, 0.97)], .g),
    curve([(0, 0.1), (0.5, 0.47), (1, 0.88)], .b),
    Saturate(0.9),
  ]

  /// How much of the look is used, 0 to 1.
  public var amount = 0.0

  public init() {}

  /// Makes the filter.
  public init(amount: Double) { self.amount = amount }
}
