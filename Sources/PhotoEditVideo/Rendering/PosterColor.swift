// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform

extension FrameColor {
  /// The steps that make sRGB of the numbers; none where they are sRGB.
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

  /// From the lights of the frames to those of sRGB; identity for those that nobody can tell apart.
  private var primariesToSRGB: ColorTransform {
    let code = Int(primaries)
    guard code != 1, code != 2, let own = ColorPrimaries(codePoint: code)?.matrix,
      let sRGB = ColorPrimaries.sRGB.matrix, let back = ColorMatrix.inverse(sRGB)
    else { return .identity }
    return ColorTransform(rows: ColorMatrix.product(back, own))
  }

  /// Light of the whole range of numbers, 1 being white.
  ///
  /// Up to three quarters of white, light stays what it is; what is brighter approaches white.
  ///
  /// - Source: ITU-R BT.2100-2, tables 4 and 5, for a screen of 1000 cd/m²; BT.2408-7 for white at
  ///   203 cd/m².
  private var toneMapped: [Float] {
    let knee = 0.75
    return (0...4096).map { step in
      let number = Double(step) / 4096
      let light = (transfer == 16 ? Self.perceptual(number) : Self.hybrid(number)) / 203
      if light <= knee { return Float(light) }
      return Float(knee + (1 - knee) * tanh((light - knee) / (1 - knee) / 2))
    }
  }

  /// cd/m² of a number of the perceptual quantizer.
  private static func perceptual(_ number: Double) -> Double {
    let power = pow(number, 32.0 / 2523)
    let share = max(power - 3424.0 / 4096, 0) / (2413.0 / 128 - 2392.0 / 128 * power)
    return 10_000 * pow(share, 16_384.0 / 2610)
  }

  /// cd/m² of a number of hybrid log-gamma, channel by channel.
  private static func hybrid(_ number: Double) -> Double {
    let a = 0.178_832_77
    let b = 1 - 4 * a
    let c = 0.5 - a * log(4 * a)
    let scene = number <= 0.5 ? number * number / 3 : (exp((number - c) / a) + b) / 12
    return 1000 * pow(scene, 1.2)
  }
}

extension ChannelCurves {
  /// Light to the numbers of sRGB.
  fileprivate static let encoding = ChannelCurves(ToneCurve([.clamp(0...1), .encode]))
}
