// SPDX-License-Identifier: Apache-2.0
/// Cool colours.
public struct LookProcess: Look {
  public static let schema = lookSchema(
    "process", "Cool colours.",
    formula: "red times 0.95 and blue times 1.06, then the curve 0:0.02/0.5:0.52/1:1",
    peer: "CIPhotoEffectProcess")

  static let recipe: [any Filter] = [
    ColorMatrix([0.95, 0, 0, 0, 1, 0, 0, 0, 1.06]),
    curve([(0, 0.02), (0.5, 0.52), (1, 1)]),
  ]

  /// How much of the look is used, 0 to 1.
  public var amount = 0.0

  public init() {}

  /// Makes the filter.
  public init(amount: Double) { self.amount = amount }
}
