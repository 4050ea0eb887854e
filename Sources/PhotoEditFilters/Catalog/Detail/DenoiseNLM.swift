// SPDX-License-Identifier: Apache-2.0
public struct DenoiseNLM: Filter {
  public static let schema = FilterSchema<Self>(
    "denoiseNLM", "Takes noise out by averaging pixels whose surroundings look alike.",
    aliases: ["nlmeans"],
    peers: "scikit-image denoise_nl_means; OpenCV fastNlMeansDenoising; ffmpeg nlmeans",
    formula: """
      Σ w·in / Σ w over the window, w = exp(−max(0, d)), d = mean over the patch, with Gaussian \
      weights of σ = (patch − 1)/4, of (Δ² − 2·sigma²)/h²
      """,
    source: """
      Buades, Coll and Morel, IPOL 2011, as scikit-image denoise_nl_means(fast_mode=False) with its \
      exponential (Schraudolph 1999), its cut at d > 5 and its edges
      """,
    family: .neighbourhood, tolerance: "T1",
    parameters: [
      Parameter(
        "patch", \.patch, unit: .pixels, in: 3...7,
        "Width of the patches that are compared, an odd number."),
      Parameter(
        "search", \.search, unit: .pixels, in: 7...21,
        "Width of the window that is searched, an odd number."),
      Parameter(
        "h", \.h, in: 0.001...1, ui: 0.01...0.3, "Difference that still counts as alike."),
      Parameter(
        "sigma", \.sigma, in: 0...1, ui: 0...0.2,
        "Standard deviation of the noise, which differences are expected to have."),
    ])

  public var patch = 5
  public var search = 11
  public var h = 0.05
  public var sigma = 0.0

  public init() {}

  /// Creates the filter.
  public init(h: Double, sigma: Double = 0) {
    self.h = h
    self.sigma = sigma
  }

  public func validate() throws(ParameterError) {
    try requireOdd("patch", patch)
    try requireOdd("search", search)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let mean = PatchMean(
      reach: max(1, context.pixels(patch / 2)), search: max(1, context.pixels(search / 2)),
      strength: h, variance: sigma * sigma)
    return [.area(.neighbourhood(.patches(mean)))]
  }
}
