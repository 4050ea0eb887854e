// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform

extension FrameColor {
  /// The steps that convert the code values to sRGB; empty if they are sRGB.
  var stepsToSRGB: [FilterOperation] {
    let matrix = primariesToSRGB
    if isHighDynamicRange {
      let curve = ToneCurve([
        .table(LookupCurve(values: toneMapped, lower: 0, scale: 4096))
      ])
      return [.curves(ChannelCurves(curve)), .matrix(matrix), .curves(.encoding)]
    }
    if matrix == .identity && space == .sRGB { return [] }
    let curve: ToneCurve =
      space == .sRGB
      ? ToneCurve([.decode]) : ToneCurve([.transfer(.parametric(space.curve))])
    return [.curves(ChannelCurves(curve)), .matrix(matrix), .curves(.encoding)]
  }

  /// The conversion from the primaries of the frames to those of sRGB; identity for unknown
  /// primaries.
  private var primariesToSRGB: ColorTransform {
    let code = Int(primaries)
    guard code != 1, code != 2, let own = ColorPrimaries(codePoint: code)?.matrix,
      let sRGB = ColorPrimaries.sRGB.matrix, let back = ColorMatrix.inverse(sRGB)
    else { return .identity }
    return ColorTransform(rows: ColorMatrix.product(back, own))
  }

  /// The linear light of the code values from 0 to 1; white is 1.
  ///
  /// Light up to three quarters of white is unchanged; brighter light approaches white.
  ///
  /// - Source: ITU-R BT.2100-2, tables 4 and 5, for a screen of 1000 cd/m²; BT.2408-7 for white at
  ///   203 cd/m².
  private var toneMapped: [Float] {
    let knee = 0.75
    return (0...4096).map { step in
      let number = Double(step) / 4096
      let luminance = (transfer == 16 ? Self.perceptual(number) : Self.hybrid(number)) / 203
      if luminance <= knee { return Float(luminance) }
      return Float(knee + (1 - knee) * tanh((luminance - knee) / (1 - knee) / 2))
    }
  }

  /// Returns the luminance in cd/m² of a code value of the perceptual quantizer.
  private static func perceptual(_ number: Double) -> Double {
    let power = pow(number, 32.0 / 2523)
    let share = max(power - 3424.0 / 4096, 0) / (2413.0 / 128 - 2392.0 / 128 * power)
    return 10_000 * pow(share, 16_384.0 / 2610)
  }

  /// Returns the luminance in cd/m² of a code value of hybrid log-gamma, channel by channel.
  private static func hybrid(_ number: Double) -> Double {
    let a = 0.178_832_77
    let b = 1 - 4 * a
    let c = 0.5 - a * log(4 * a)
    let scene = number <= 0.5 ? number * number / 3 : (exp((number - c) / a) + b) / 12
    return 1000 * pow(scene, 1.2)
  }
}

extension ChannelCurves {
  /// The curves from linear light to sRGB code values.
  fileprivate static let encoding = ChannelCurves(ToneCurve([.clamp(0...1), .encode]))
}
