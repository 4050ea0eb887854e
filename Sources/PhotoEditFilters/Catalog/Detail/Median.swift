// SPDX-License-Identifier: Apache-2.0
public struct Median: Filter {
  public static let schema = FilterSchema<Self>(
    "median", "Applies a median filter to remove isolated pixels.",
    equivalents:
      "Core Image CIMedianFilter (radius 1); ImageMagick -statistic Median; ffmpeg median",
    formula: "median of in(x + i, y + j), i and j from −radius to radius, per channel",
    source: "OpenCV medianBlur; edge extend",
    dependency: .neighborhood, tolerance: "E1",
    parameters: [
      Parameter(
        "radius", \.radius, unit: .pixels, in: 1...15,
        "Pixels from the center of the square to its edge.")
    ])

  public var radius = 1

  public init() {}

  /// Creates the filter.
  public init(radius: Int) { self.radius = radius }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let radius = context.pixels(radius)
    return radius == 0 ? [] : [.area(.neighborhood(.median(radius: radius)))]
  }
}
