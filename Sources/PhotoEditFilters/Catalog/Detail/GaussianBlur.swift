// SPDX-License-Identifier: Apache-2.0
public struct GaussianBlur: Filter {
  public static let schema = FilterSchema<Self>(
    "gaussianBlur", "Applies a Gaussian blur.",
    aliases: ["blur"],
    equivalents: "CSS blur(); Core Image CIGaussianBlur (linear); ImageMagick -gaussian-blur 0xσ",
    formula: "Σ w(i)·w(j)·in(x + i, y + j), w(i) = exp(−i²/2σ²), truncated at ⌈4σ⌉, sum one",
    source: "sampled Gaussian, truncated at ⌈4σ⌉ and normalized; edge extend (scipy mode nearest)",
    dependency: .neighborhood, tolerance: "F",
    parameters: [
      Parameter(
        "sigma", \.sigma, unit: .pixels, in: 0...500, ui: 0...50, identity: 0,
        "Standard deviation of the blur."),
      Parameter("light", \.light, "Transfer encoding to compute in: gamma-encoded or linear."),
    ])

  /// The standard deviation in pixels of the full-size image.
  ///
  /// From 12 on, and from 32 on if linear, the convolution is computed on a coarse grid; results
  /// are within 0.011 and 0.044 levels of the direct convolution, respectively.
  public var sigma = 0.0
  public var light = TransferEncoding.encoded

  public init() {}

  /// Creates the filter.
  public init(sigma: Double, light: TransferEncoding = .encoded) {
    (self.sigma, self.light) = (sigma, light)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let kernel = BlurKernel(gaussian: sigma * context.scale, light: light)
    return [.blur(kernel)].inEncoding(light)
  }
}
