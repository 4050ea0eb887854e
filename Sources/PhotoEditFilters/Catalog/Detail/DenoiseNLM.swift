// SPDX-License-Identifier: Apache-2.0
public struct DenoiseNLM: Filter {
  public static let schema = FilterSchema<Self>(
    "denoiseNLM", "Reduces noise with non-local means.",
    aliases: ["nlmeans"],
    equivalents: "scikit-image denoise_nl_means; OpenCV fastNlMeansDenoising; ffmpeg nlmeans",
    formula: """
      Σ w·in / Σ w over the window, w = exp(−max(0, d)), d = mean over the patch, with Gaussian \
      weights of σ = (patch − 1)/4, of (Δ² − 2·sigma²)/h²
      """,
    source: """
      Buades, Coll and Morel, IPOL 2011, as scikit-image denoise_nl_means(fast_mode=False) with \
      its exponential (Schraudolph 1999), its cutoff at d > 5 and edge rule
      """,
    dependency: .neighborhood, tolerance: "T1",
    parameters: [
      Parameter(
        "patch", \.patch, unit: .pixels, in: 3...7,
        "Width of the compared patches, an odd number."),
      Parameter(
        "search", \.search, unit: .pixels, in: 7...21,
        "Width of the search window, an odd number."),
      Parameter(
        "h", \.h, in: 0.001...1, ui: 0.01...0.3, "Filter strength: difference treated as similar."),
      Parameter(
        "sigma", \.sigma, in: 0...1, ui: 0...0.2,
        "Expected standard deviation of the noise."),
    ])

  public var patch = 5
  public var search = 11
  public var h = 0.05
  public var sigma = 0.0

  public init() {}

  /// Creates the filter.
  public init(h: Double, sigma: Double = 0) { (self.h, self.sigma) = (h, sigma) }

  public func validate() throws(ParameterError) {
    try requireOdd("patch", patch)
    try requireOdd("search", search)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let mean = NonLocalMeans(
      reach: max(1, context.pixels(patch / 2)), search: max(1, context.pixels(search / 2)),
      strength: h, variance: sigma * sigma)
    return [.area(.neighborhood(.patches(mean)))]
  }
}
