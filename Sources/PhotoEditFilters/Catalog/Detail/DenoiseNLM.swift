// SPDX-License-Identifier: Apache-2.0
public struct DenoiseNLM: Filter {
  /// The weights of the pixels of a patch.
  public typealias Kernel = NoiseReduction.Kernel

  public static let schema = FilterSchema<Self>(
    "denoiseNLM", version: 2, "Reduces noise with non-local means, as strongly as there is noise.",
    aliases: ["nlmeans"],
    equivalents: "scikit-image denoise_nl_means; OpenCV fastNlMeansDenoising; ffmpeg nlmeans",
    formula: """
      Σ w·in / Σ w over the window, w = exp(−max(0, d)), d = mean over the patch of \
      (Δ² − 2·sigma²)/h²; luma and, with chroma·h, color differences; without h, h = \
      0.8·amount·sigma for the given noise; measured noise that is stronger at half size counts as \
      correlated, and h = 1.5·amount·noise without the 2·sigma²
      """,
    source: """
      Buades, Coll and Morel, IPOL 2011; box: as scikit-image denoise_nl_means(fast_mode=True) with \
      its exponential (Schraudolph 1999) and cutoff at d > 5, the search inside the image; noise: \
      Donoho and Johnstone 1994, the tenth percentile of the blocks of the diagonal db2 details of \
      two levels
      """,
    dependency: .neighborhood, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, unit: .fraction, in: 0...1,
        "Strength relative to the noise; not used if h is given."),
      Parameter(
        "chroma", \.chroma, in: 0...2,
        "Strength for color noise relative to that for luma; 0 leaves colors."),
      Parameter(
        "sigma", \.sigma, in: 0...1, ui: 0...0.1,
        "Standard deviation of the noise; 0 measures it unless h is given."),
      Parameter(
        "h", \.h, in: 0...1, ui: 0...0.3,
        "Difference treated as similar; 0 derives it from the noise."),
      Parameter(
        "patch", \.patch, unit: .pixels, in: 3...7,
        "Width of the compared patches, an odd number."),
      Parameter(
        "search", \.search, unit: .pixels, in: 7...21,
        "Width of the search window, an odd number."),
      Parameter(
        "kernel", \.kernel, "Weights in a patch; gaussian treats all channels alike."),
    ])

  public static var previous: (any Filter.Type)? { GaussianDenoiseNLM.self }

  public var amount = 0.6
  public var chroma = 1.5
  public var sigma = 0.0
  public var h = 0.0
  public var patch = 5
  public var search = 11
  public var kernel = Kernel.box

  public init() {}

  /// Creates the filter.
  public init(amount: Double) { self.amount = amount }

  /// Creates the filter with a strength that does not depend on the noise.
  public init(h: Double, sigma: Double = 0) { (self.h, self.sigma) = (h, sigma) }

  public func validate() throws(ParameterError) {
    try requireOdd("patch", patch)
    try requireOdd("search", search)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let reduction = NoiseReduction(
      reach: max(1, context.pixels(patch / 2)), search: max(1, context.pixels(search / 2)),
      amount: amount, chroma: chroma, kernel: kernel)
    if h > 0 { return reduction.operations(strength: h, sigma: sigma) }
    if amount == 0 { return [] }
    return sigma > 0 ? reduction.operations(white: sigma) : [.adapt(.denoise(reduction))]
  }
}

/// Version 1: Gaussian weights, and a strength that does not depend on the noise.
struct GaussianDenoiseNLM: Filter {
  static let schema = FilterSchema<Self>(
    "denoiseNLM", "Reduces noise with non-local means.",
    equivalents: DenoiseNLM.schema.equivalents,
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
        "patch", \.newest.patch, unit: .pixels, in: 3...7,
        "Width of the compared patches, an odd number."),
      Parameter(
        "search", \.newest.search, unit: .pixels, in: 7...21,
        "Width of the search window, an odd number."),
      Parameter(
        "h", \.newest.h, in: 0.001...1, ui: 0.01...0.3,
        "Filter strength: difference treated as similar."),
      Parameter(
        "sigma", \.newest.sigma, in: 0...1, ui: 0...0.2,
        "Expected standard deviation of the noise."),
    ])

  private(set) var newest: DenoiseNLM

  init() {
    newest = DenoiseNLM(h: 0.05)
    newest.kernel = .gaussian
  }

  func validate() throws(ParameterError) { try newest.validate() }

  func upgraded() -> (any Filter)? { newest }

  func lowered(in context: LoweringContext) -> [FilterOperation] { newest.lowered(in: context) }
}
