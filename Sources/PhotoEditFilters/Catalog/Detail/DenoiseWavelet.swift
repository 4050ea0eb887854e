// SPDX-License-Identifier: Apache-2.0
public struct DenoiseWavelet: Filter {
  public static let schema = FilterSchema<Self>(
    "denoiseWavelet", version: 2,
    "Reduces noise by wavelet shrinkage, as strongly as there is noise.",
    equivalents: "scikit-image denoise_wavelet; ImageMagick -wavelet-denoise; ffmpeg vaguedenoiser",
    formula: """
      db2 wavelet of luma and color differences; each band loses strength·σ²/√max(mean² − σ², ε), \
      and no more than all; noise is measured as by denoiseNLM, and counts 1.5 times where it is \
      stronger at half size
      """,
    source: """
      Chang, Yu and Vetterli 2000, as scikit-image denoise_wavelet(wavelet='db2', \
      convert2ycbcr=True, method='BayesShrink', rescale_sigma=True) with a given sigma
      """,
    dependency: .neighborhood, tolerance: "F",
    parameters: [
      Parameter(
        "levels", \.levels, in: 0...8,
        "Number of decomposition levels; 0 uses the maximum minus three."),
      Parameter(
        "sigma", \.sigma, in: 0...1, ui: 0...0.2,
        "Standard deviation of the noise per channel; 0 measures it."),
      Parameter(
        "strength", \.strength, in: 0...4, ui: 0...2, "Factor for the thresholds."),
    ])

  public static var previous: (any Filter.Type)? { FinestBandDenoiseWavelet.self }

  public var levels = 0
  public var sigma = 0.0
  public var strength = 1.0

  public init() {}

  /// Creates the filter.
  public init(strength: Double) { self.strength = strength }

  fileprivate var shrinkage: WaveletShrinkage {
    WaveletShrinkage(
      levels: levels == 0 ? nil : levels, sigma: sigma == 0 ? nil : sigma, strength: strength)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if strength == 0 { return [] }
    return [sigma == 0 ? .adapt(.shrink(shrinkage)) : .area(.wavelet(shrinkage))]
  }
}

/// Version 1: noise is estimated from the finest band alone, where cameras leave little of it.
struct FinestBandDenoiseWavelet: EarlierVersion {
  static let schema = FilterSchema<Self>(
    "denoiseWavelet", "Reduces noise by wavelet shrinkage.",
    equivalents: DenoiseWavelet.schema.equivalents,
    formula: """
      db2 wavelet of luma and color differences; each band loses strength·σ²/√max(mean² − σ², ε), \
      and no more than all; σ from the median of the finest diagonal band
      """,
    source: """
      Chang, Yu and Vetterli 2000, as scikit-image denoise_wavelet(wavelet='db2', \
      convert2ycbcr=True, method='BayesShrink', rescale_sigma=True)
      """,
    dependency: .neighborhood, tolerance: "F", parameters: parametersOfNewest)

  var newest = DenoiseWavelet()

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    newest.strength == 0 ? [] : [.area(.wavelet(newest.shrinkage))]
  }
}
