// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform

extension LightroomConverter {
  /// Translates vibrance and saturation or gray, and the tints of tonal ranges.
  mutating func translateColors() {
    if isGray {
      for name in ["Vibrance", "Saturation"] where isActive(name) {
        refuse(name, "has no effect on a grayscale image")
      }
      let names = ["ConvertToGrayscale", "Treatment"].filter(isActive)
      add(Grayscale(.luma709), for: names.map { ($0, ["mode"]) })
    }
    if let amount = number("Vibrance", in: -100...100) {
      add(Vibrance(amount / 100), for: [("Vibrance", ["amount"])])
    }
    if let amount = number("Saturation", in: -100...100) {
      add(Saturate(1 + amount / 100), for: [("Saturation", ["amount"])])
    }
    translateSplitToning()
    translateColorGrading()
  }

  private mutating func translateSplitToning() {
    let shadow = number("SplitToningShadowSaturation", in: 0...100)
    let highlight = number("SplitToningHighlightSaturation", in: 0...100)
    guard shadow != nil || highlight != nil else { return }
    var filter = SplitTone()
    filter.shadowSaturation = (shadow ?? 0) / 100
    filter.highlightSaturation = (highlight ?? 0) / 100
    filter.shadowHue = plain("SplitToningShadowHue", in: 0...360, default: 0)
    filter.highlightHue = plain("SplitToningHighlightHue", in: 0...360, default: 0)
    filter.balance = plain("SplitToningBalance", in: -100...100, default: 0) / 100
    let settings: [(name: String, parameters: [String])] = [
      ("SplitToningShadowHue", ["shadowHue"]),
      ("SplitToningHighlightHue", ["highlightHue"]), ("SplitToningBalance", ["balance"]),
      ("SplitToningShadowSaturation", ["shadowSaturation"]),
      ("SplitToningHighlightSaturation", ["highlightSaturation"]),
    ].filter { isActive($0.name) }
    add(filter, for: settings)
  }

  /// Translates midtones by gamma, all tones by an offset, and brightness by the masters.
  private mutating func translateColorGrading() {
    let names = [
      "ColorGradeMidtoneSat", "ColorGradeGlobalSat", "ColorGradeShadowLum", "ColorGradeMidtoneLum",
      "ColorGradeHighlightLum", "ColorGradeGlobalLum",
    ]
    let numbers = names.map { number($0, in: $0.hasSuffix("Sat") ? 0...100 : -100...100) }
    guard numbers.contains(where: { $0 != nil }) else { return }
    let amounts = numbers.map { ($0 ?? 0) / 100 }
    let middle = Self.tint(plain("ColorGradeMidtoneHue", in: 0...360, default: 0))
    let all = Self.tint(plain("ColorGradeGlobalHue", in: 0...360, default: 0))
    var filter = LiftGammaGain()
    filter.gamma = middle.map { exp2(0.5 * amounts[0] * $0) }
    filter.offset = all.map { 0.1 * amounts[1] * $0 }
    filter.masterLift = 0.1 * amounts[2]
    filter.masterGamma = exp2(0.5 * (amounts[3] + amounts[5]))
    filter.masterGain = 1 + 0.1 * amounts[4]
    let settings: [(name: String, parameters: [String])] = [
      ("ColorGradeMidtoneHue", ["gamma"]), ("ColorGradeGlobalHue", ["offset"]),
      ("ColorGradeMidtoneSat", ["gamma"]), ("ColorGradeGlobalSat", ["offset"]),
      ("ColorGradeShadowLum", ["masterLift"]), ("ColorGradeMidtoneLum", ["masterGamma"]),
      ("ColorGradeHighlightLum", ["masterGain"]), ("ColorGradeGlobalLum", ["masterGamma"]),
    ].filter { isActive($0.name) }
    add(filter, for: settings)
  }

  /// Returns red, green, and blue of a hue as differences from their mean.
  private static func tint(_ hue: Double) -> [Double] {
    let channels = [0.0, 4, 2].map { min(max(abs(fmod(hue / 60 + $0, 6) - 3) - 1, 0), 1) }
    let mean = channels.reduce(0, +) / 3
    return channels.map { $0 - mean }
  }
}
