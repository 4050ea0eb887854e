// SPDX-License-Identifier: Apache-2.0

public struct MaskColor: Filter {
  public static let schema = FilterSchema<Self>(
    "mask.color", "Mask of colors near samples.",
    equivalents: "Lightroom Color Range; Photoshop Color Range; darktable parametric mask",
    formula: """
      1 − smoothstep(tolerance, tolerance + softness, d), d² = (ΔL/2)² + Δa² + Δb² in Oklab, to the \
      nearest sample
      """,
    source: "Ottosson 2020 for Oklab; smoothstep of the distance", dependency: .mask,
    inputs: .image, tolerance: "F",
    parameters: [
      Parameter(
        "samples", \.samples, counts: (1...8).map { 3 * $0 }, in: -1...1,
        "Colors as L:a:b of Oklab, one after another."),
      Parameter(
        "tolerance", \.tolerance, in: 0...0.3, "Distance up to which a color belongs to the mask."),
      Parameter(
        "softness", \.softness, in: 0...0.3,
        "Additional distance over which the mask falls off to 0."),
    ])

  /// Lightness, 0 to 1, and the two opponent axes, about −0.4 to 0.4, of each color.
  public var samples: [Double] = [0.7, -0.05, -0.1]
  public var tolerance = 0.06
  public var softness = 0.12

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let colors = stride(from: 0, to: samples.count, by: 3).map {
      SIMD3(samples[$0], samples[$0 + 1], samples[$0 + 2])
    }
    let range = ColorRange(samples: colors, tolerance: tolerance, softness: softness)
    return Oklab.measuring(range, in: context.space ?? .sRGB)
  }
}
