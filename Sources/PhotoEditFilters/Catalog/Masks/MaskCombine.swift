// SPDX-License-Identifier: Apache-2.0

public struct MaskCombine: Filter {
  public static let schema = FilterSchema<Self>(
    "mask.combine", "Combines two masks.",
    equivalents: "Lightroom add, intersect and subtract; Photoshop channel calculations",
    formula: "add: 1 − (1 − a)(1 − b); multiply: a·b; subtract: a·(1 − b)",
    source: "coverage algebra, Porter and Duff 1984", dependency: .mask, inputs: .twoMasks,
    tolerance: "F", parameters: [Parameter("mode", \.mode, "How to combine the masks.")])

  public var mode = MaskCombination.add

  public init() {}

  /// Creates the filter.
  public init(_ mode: MaskCombination) { self.mode = mode }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    [.merge(Composite(.mask(mode), above: .secondInput))]
  }
}
