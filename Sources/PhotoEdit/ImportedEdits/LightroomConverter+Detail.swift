// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

extension LightroomConverter {
  /// Translates noise reduction and sharpening.
  mutating func translateDetail() {
    if let amount = number("LuminanceSmoothing", in: 0...100) {
      add(DenoiseWavelet(strength: amount / 50), for: [("LuminanceSmoothing", ["strength"])])
    }
    if let amount = number("Sharpness", in: 0...150) {
      let radius = plain("SharpenRadius", in: 0.5...3, default: 1)
      let settings: [(name: String, parameters: [String])] = [
        ("SharpenRadius", ["sigma"]), ("Sharpness", ["amount", "sigma"]),
      ].filter { isActive($0.name) }
      add(SharpenLuma(sigma: radius, amount: amount / 100), for: settings)
    }
  }

  /// Translates the effects that Lightroom adds to the cropped image.
  mutating func translateEffects() {
    if let amount = number("PostCropVignetteAmount", in: -100...100) {
      // Lightroom's midpoint is where half of the falloff is reached.
      let middle = 0.5 + plain("PostCropVignetteMidpoint", in: 0...100, default: 50) / 200
      let feather = plain("PostCropVignetteFeather", in: 0...100, default: 50) / 100
      var filter = Vignette(amount: -amount / 100)
      filter.model = .smooth
      filter.feather = feather
      filter.radius = max(0, middle - feather / 2)
      let roundness = plain("PostCropVignetteRoundness", in: -100...100, default: 0)
      filter.roundness = max(0, roundness / 100)
      let settings: [(name: String, parameters: [String])] = [
        ("PostCropVignetteMidpoint", ["radius"]),
        ("PostCropVignetteFeather", ["feather"]), ("PostCropVignetteRoundness", ["roundness"]),
        ("PostCropVignetteAmount", ["amount", "model"]),
      ].filter { isActive($0.name) }
      add(filter, for: settings)
    }
    if let amount = number("GrainAmount", in: 0...100) {
      var filter = Grain(amount: amount / 100 * 0.4)
      filter.size = plain("GrainSize", in: 0...100, default: 25) / 25
      filter.seed = Int(plain("GrainSeed", in: 0...2_147_483_647, default: 0))
      let settings: [(name: String, parameters: [String])] = [
        ("GrainSize", ["size"]), ("GrainSeed", ["seed"]), ("GrainAmount", ["amount"]),
      ].filter { isActive($0.name) }
      add(filter, for: settings)
    }
  }
}
