// SPDX-License-Identifier: Apache-2.0
public struct DenoiseWavelet: Filter {
  public static let schema = FilterSchema<Self>(
    "denoiseWavelet", "Reduces noise by wavelet shrinkage.",
    equivalents: "scikit-image denoise_wavelet; ImageMagick -wavelet-denoise; ffmpeg vaguedenoiser",
    formula: """
      db2 wavelet of luma and color differences; each band loses strength·σ²/√max(mean² − σ², ε), \
      and no more than all
      """,
    source: """
      Chang, Yu and Vetterli 2000, as scikit-image denoise_wavelet(wavelet='db2', \
      convert2ycbcr=True, method='BayesShrink', rescale_sigma=True)
      """,
    dependency: .neighborhood, tolerance: "F",
    parameters: [
      Parameter(
        "levels", \.levels, in: 0...8,
        "Number of decomposition levels; 0 uses the maximum minus three."),
      Parameter(
        "sigma", \.sigma, in: 0...1, ui: 0...0.2,
        "Standard deviation of the noise per channel; 0 estimates it."),
      Parameter(
        "strength", \.strength, in: 0...4, ui: 0...2, "Factor for the thresholds."),
    ])

  public var levels = 0
  public var sigma = 0.0
  public var strength = 1.0

  public init() {}

  /// Creates the filter.
  public init(strength: Double) { self.strength = strength }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let shrinkage = WaveletShrinkage(
      levels: levels == 0 ? nil : levels, sigma: sigma == 0 ? nil : sigma, strength: strength)
    return strength == 0 ? [] : [.area(.wavelet(shrinkage))]
  }
}
