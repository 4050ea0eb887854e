// SPDX-License-Identifier: Apache-2.0

public struct Opacity: Filter {
  public static let schema = FilterSchema<Self>(
    "opacity", "Sets the opacity of the image.",
    equivalents: "CSS opacity(); ImageMagick -evaluate multiply on alpha",
    formula: "α·amount; in a JPEG, the background of the graph shows through",
    source: "Filter Effects Module 1, opacity()", dependency: .compositing, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, unit: .fraction, in: 0...1, identity: 1, argument: 0.5,
        "Opacity of the image; 0 is transparent.")
    ])

  public var amount = 1.0

  public init() {}

  /// Creates the filter.
  public init(amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    isIdentity ? [] : [.fade(amount)]
  }
}
