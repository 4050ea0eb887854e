// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct TiltShift: Filter {
  public static let schema = FilterSchema<Self>(
    "tiltShift", "Simulates a tilt-shift lens by blurring outside a band.",
    equivalents: "Core Image CIMaskedVariableBlur; Photoshop Tilt-Shift; gmic fx_tiltshift",
    formula: """
      between G(σ·s) for s = 0, ¼, ½ and 1, with weight m = smoothstep(width/2, \
      width/2 + feather, distance from the line / height)
      """,
    source: "linear interpolation between Gaussians; G as in gaussianBlur",
    dependency: .neighborhood, tolerance: "F",
    parameters: [
      Parameter(
        "angle", \.angle, unit: .degrees, in: -180...180, "Clockwise rotation of the line."),
      Parameter(
        "position", \.position, count: 2, in: 0...1, unit: .fraction,
        "Point on the line, as column and row."),
      Parameter(
        "width", \.width, unit: .fraction, in: 0...2, ui: 0...1,
        "Width of the sharp band, as a fraction of the height."),
      Parameter(
        "feather", \.feather, unit: .fraction, in: 0...2, ui: 0...1,
        "Width of the transition on each side, as a fraction of the height."),
      Parameter(
        "maxSigma", \.maxSigma, unit: .pixels, in: 0...200, ui: 0...50, identity: 0, argument: 8,
        "Maximum standard deviation of the blur."),
    ])

  public var angle = 0.0
  public var position: [Double] = [0.5, 0.5]
  public var width = 0.2
  public var feather = 0.3
  public var maxSigma = 0.0

  public init() {}

  /// Creates the filter.
  public init(maxSigma: Double) { self.maxSigma = maxSigma }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let size = SIMD2(Double(context.size.width), Double(context.size.height))
    let inner = width / 2 * size.y
    let distances = inner...(inner + feather * size.y)
    let rungs = [0, 0.25, 0.5, 1]
    return zip(rungs, rungs.dropFirst()).map { low, high in
      let law = MaskGenerator.Law.band(
        center: SIMD2(position[0], position[1]) * size, angle: angle * .pi / 180,
        distances: distances, steps: low...high)
      let kernel = BlurKernel(gaussian: maxSigma * high * context.scale)
      return .layer(
        Layer(
          .input, [.blur(kernel)], rule: .exchange,
          mask: MaskGenerator(law, size: context.size)))
    }
  }
}
