// SPDX-License-Identifier: Apache-2.0
public struct GaussianBlur: Filter {
  public static let schema = FilterSchema<Self>(
    "gaussianBlur", "Softens the picture evenly.",
    aliases: ["blur"],
    peers: "CSS blur(); Core Image CIGaussianBlur (linear); ImageMagick -gaussian-blur 0xσ",
    formula: "Σ w(i)·w(j)·in(x + i, y + j), w(i) = exp(−i²/2σ²), cut at ⌈4σ⌉, sum one",
    source: "sampled Gaussian, cut at ⌈4σ⌉ and normalised; edges go on (scipy mode nearest)",
    family: .neighbourhood, tolerance: "F",
    parameters: [
      Parameter(
        "sigma", \.sigma, unit: .pixels, in: 0...500, ui: 0...50, neutral: 0,
        "Standard deviation."),
      Parameter("light", \.light, "The light in which neighbours are mixed."),
    ])

  /// Standard deviation in pixels of the full-size picture.
  ///
  /// From 12 on, and from 32 on in linear light, the sum is made on a coarse grid, within 0.011 and
  /// 0.044 levels of the one that is summed directly.
  public var sigma = 0.0
  public var light = Light.encoded

  public init() {}

  /// Makes the filter.
  public init(sigma: Double, light: Light = .encoded) {
    self.sigma = sigma
    self.light = light
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isNeutral { return [] }
    let kernel = BlurKernel(gaussian: sigma * context.scale, light: light)
    return [.blur(kernel)].inLight(light)
  }
}
