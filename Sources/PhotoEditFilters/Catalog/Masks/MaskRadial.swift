// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct MaskRadial: Filter {
  public static let schema = FilterSchema<Self>(
    "mask.radial", "Elliptical gradient mask.",
    equivalents:
      "Core Image CIRadialGradient; CSS mask-image: radial-gradient(); Lightroom radial filter",
    formula: "1 − smoothstep(1 − feather, 1, d), d the distance in radii of the rotated ellipse",
    source: "smoothstep of the elliptical distance", dependency: .mask, inputs: .none,
    tolerance: "T1",
    parameters: [
      Parameter(
        "center", \.center, count: 2, in: -1...2, unit: .fraction,
        "Center of the ellipse, as column and row."),
      Parameter(
        "radius", \.radius, count: 2, in: 0.001...4, unit: .fraction,
        "Semi-axes, as fractions of the width and the height."),
      Parameter(
        "angle", \.angle, unit: .degrees, in: -180...180, "Clockwise rotation of the ellipse."),
      Parameter(
        "feather", \.feather, unit: .fraction, in: 0...1,
        "Width of the transition, as a fraction of the radius."),
      Parameter("invert", \.isInverted, "Invert the mask: 1 outside, 0 inside."),
    ])

  public var center: [Double] = [0.5, 0.5]
  public var radius: [Double] = [0.4, 0.4]
  public var angle = 0.0
  public var feather = 0.5
  public var isInverted = false

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let size = SIMD2(Double(context.size.width), Double(context.size.height))
    let law = MaskGenerator.Law.radial(
      center: SIMD2(center[0], center[1]) * size, radius: SIMD2(radius[0], radius[1]) * size,
      angle: angle * .pi / 180, feather: feather, isInverted: isInverted)
    return [
      .layer(Layer(.mask(MaskGenerator(law, size: context.size)), rule: .mask(.multiply)))
    ]
  }
}
