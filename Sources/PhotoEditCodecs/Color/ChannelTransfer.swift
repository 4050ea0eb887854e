// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
import PhotoEditPlatform

/// The conversion of one profile channel from code values to linear light, as a sequence of curves.
package struct ChannelTransfer: Sendable, Hashable {
  /// The curves, at least one.
  package let curves: [TransferCurve]

  /// Converts a code value to linear light.
  package func callAsFunction(_ x: Double) -> Double { curves.reduce(x) { $1($0) } }

  /// Indicates whether filters that expect the sRGB curve can use the values unchanged: the
  /// deviation is at most an eighth of an 8-bit level.
  var isSRGB: Bool {
    let curve = TransferFunction.sRGB.curve
    return (0...255).allSatisfy { level in
      let x = Double(level) / 255
      return abs(curve.inverse(self(x)) - x) <= 1 / (8 * 255)
    }
  }

  /// Returns whether code values can be recovered from linear light.
  func isReversible(bitsPerSample: Int) -> Bool {
    // For more than eight bits, the nearest byte must be the same, where ties are half a step away.
    let tolerance = bitsPerSample > 8 ? 1.0 / 131_072 : 1.0 / 2040
    return curves.allSatisfy { $0.isReversible(tolerance: tolerance) }
  }

  /// Returns the curves of the channels of an RGB or gray profile.
  ///
  /// - Returns: Nil if the profile uses lookup tables, or if a curve is damaged.
  static func channels(of profile: ICCProfile) -> [ChannelTransfer]? {
    if profile.hasLookupTables { return nil }
    if profile.colorSpace == "GRAY" {
      guard let curve = profile.curve("kTRC") else { return nil }
      return [ChannelTransfer(curves: [curve] + connection(profile))]
    }
    guard profile.colorSpace == "RGB ", profile.connectionSpace == "XYZ " else { return nil }
    let curves = ["rTRC", "gTRC", "bTRC"].compactMap { profile.curve($0) }
    return curves.count == 3 ? curves.map { ChannelTransfer(curves: [$0]) } : nil
  }

  /// Returns the conversion from lightness to linear light for a gray profile that yields
  /// lightness.
  ///
  /// - Source: CIE 15, L* as a fraction of 100; the constants are (29/3)³/100 and 0.08.
  private static func connection(_ profile: ICCProfile) -> [TransferCurve] {
    guard profile.connectionSpace == "Lab " else { return [] }
    return [
      .parametric(
        ParametricCurve(g: 3, a: 1 / 1.16, b: 0.16 / 1.16, c: 2700.0 / 24_389, d: 0.08))
    ]
  }
}
