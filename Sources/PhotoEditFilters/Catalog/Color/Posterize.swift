// SPDX-License-Identifier: Apache-2.0
public struct Posterize: Filter {
  public static let schema = FilterSchema<Self>(
    "posterize", "Reduces each channel to a number of levels.",
    equivalents: "ImageMagick -posterize; Core Image CIColorPosterize; SVG discrete rounds down",
    formula: "floor(x·(levels − 1) + ½)/(levels − 1)",
    source: "ImageMagick -posterize without dithering, encoded", dependency: .curve,
    tolerance: "E1",
    parameters: [
      Parameter("levels", \.levels, in: 2...256, "Number of levels, including black and white.")
    ])

  public var levels = 6

  public init() {}

  /// Creates the filter.
  public init(levels: Int) { self.levels = levels }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    [.curves(.init(.init([.quantize(steps: Double(levels - 1))])))]
  }
}
