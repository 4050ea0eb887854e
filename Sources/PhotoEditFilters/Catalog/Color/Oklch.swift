// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

public struct Oklch: Filter {
  public static let schema = FilterSchema<Self>(
    "oklch", version: 2, "Adjusts lightness, chroma and hue in the perceptual Oklch space.",
    equivalents: "CSS oklch() relative colors; libvips and colour-science Oklch",
    formula: "L′ = lightness·L, C′ = chroma·C, h′ = h + hue; Lab = M₂·∛(M₁·XYZ)",
    source: "Björn Ottosson, \"A perceptual color space for image processing\", 2020; XYZ by the "
      + "photo's primaries",
    transferEncoding: .linear, dependency: .color, tolerance: "T1",
    parameters: [
      Parameter(
        "lightness", \.lightness, in: 0...4, ui: 0...2, identity: 1, "Lightness factor."),
      Parameter(
        "chroma", \.chroma, in: 0...4, ui: 0...2, identity: 1, "Chroma factor; 0 is gray."),
      Parameter("hue", \.hue, unit: .degrees, in: -180...180, identity: 0, "Hue rotation angle."),
    ])

  public static var previous: (any Filter.Type)? { NumericVersion<Self>.self }

  public var lightness = 1.0
  public var chroma = 1.0
  public var hue = 0.0

  public init() {}

  /// Creates the filter.
  public init(lightness: Double = 1, chroma: Double = 1, hue: Double = 0) {
    (self.lightness, self.chroma, self.hue) = (lightness, chroma, hue)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let (c, s) = (chroma * cos(hue * .pi / 180), chroma * sin(hue * .pi / 180))
    return Oklab.applying(
      .init(rows: [[lightness, 0, 0], [0, c, -s], [0, s, c]]), in: context.space)
  }
}
