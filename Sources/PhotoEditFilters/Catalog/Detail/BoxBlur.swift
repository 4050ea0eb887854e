// SPDX-License-Identifier: Apache-2.0
public struct BoxBlur: Filter {
  public static let schema = FilterSchema<Self>(
    "boxBlur", "Applies a box blur.",
    equivalents:
      "Core Image CIBoxBlur (linear); ImageMagick -statistic Mean; ffmpeg avgblur; OpenCV blur",
    formula: "mean of in(x + i, y + j), i and j from −radius to radius",
    source: "OpenCV blur with BORDER_REPLICATE; sums are exact",
    dependency: .neighborhood, tolerance: "E1",
    parameters: [
      Parameter(
        "radius", \.radius, unit: .pixels, in: 0...250, identity: 0, argument: 5,
        "Pixels from the center of the square to its edge."),
      Parameter("light", \.light, "Transfer encoding to compute in: gamma-encoded or linear."),
    ])

  public var radius = 0
  public var light = TransferEncoding.encoded

  public init() {}

  /// Creates the filter.
  public init(radius: Int, light: TransferEncoding = .encoded) {
    (self.radius, self.light) = (radius, light)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let radius = context.pixels(radius)
    if radius == 0 { return [] }
    return [.area(.neighborhood(.box(radius: radius)))].inEncoding(light)
  }
}
