// SPDX-License-Identifier: Apache-2.0
public struct Median: Filter {
  public static let schema = FilterSchema<Self>(
    "median", "Takes single pixels out that differ from their surroundings.",
    peers: "Core Image CIMedianFilter (radius 1); ImageMagick -statistic Median; ffmpeg median",
    formula: "median of in(x + i, y + j), i and j from −radius to radius, each channel by itself",
    source: "OpenCV medianBlur; edges go on",
    family: .neighbourhood, tolerance: "E1",
    parameters: [
      Parameter(
        "radius", \.radius, unit: .pixels, in: 1...15,
        "Pixels from the middle of the square to its side.")
    ])

  public var radius = 1

  public init() {}

  /// Creates the filter.
  public init(radius: Int) { self.radius = radius }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let radius = context.pixels(radius)
    return radius == 0 ? [] : [.area(.neighbourhood(.median(radius: radius)))]
  }
}
