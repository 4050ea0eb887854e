// SPDX-License-Identifier: Apache-2.0
public struct Posterize: Filter {
  public static let schema = FilterSchema<Self>(
    "posterize", "Leaves only some levels of each channel, evenly spaced.",
    peers: "ImageMagick -posterize; Core Image CIColorPosterize; SVG discrete rounds down",
    formula: "floor(x·(levels − 1) + ½)/(levels − 1)",
    source: "ImageMagick -posterize without dithering, encoded", family: .curve, tolerance: "E1",
    parameters: [
      Parameter("levels", \.levels, in: 2...256, "How many levels are left, black and white too.")
    ])

  public var levels = 6

  public init() {}

  /// Creates the filter.
  public init(levels: Int) { self.levels = levels }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    [.curves(.init(.init([.quantize(steps: Double(levels - 1))])))]
  }
}
