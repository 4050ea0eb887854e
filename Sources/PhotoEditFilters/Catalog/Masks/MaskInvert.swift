// SPDX-License-Identifier: Apache-2.0

public struct MaskInvert: Filter {
  public static let schema = FilterSchema<Self>(
    "mask.invert", "Inverts a mask.",
    equivalents: "Core Image CIColorInvert on a mask; ImageMagick -negate", formula: "1 − a",
    source: "coverage algebra", dependency: .mask, inputs: .mask, tolerance: "F", parameters: [])

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    [.curves(.init(.init([.affine(scale: -1, offset: 1)])))]
  }
}
