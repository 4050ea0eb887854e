// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
import PhotoEditPlatform

/// A conversion from code values to linear light.
///
/// - Source: ITU-T H.273 (07/2024), table 3; IEC 61966-2-1.
package enum TransferFunction: Sendable, Hashable {
  /// Values are linear.
  case linear
  /// The sRGB curve.
  case sRGB
  /// The inverse of the camera curve of BT.709, BT.601 and BT.2020.
  case bt709
  /// The inverse of the camera curve of SMPTE 240M.
  case smpte240
  /// A power function.
  case gamma(Double)

  /// The reason why a `TransferCharacteristics` code is not supported.
  package enum Refusal: Error, Sendable, Hashable {
    /// The code means high dynamic range: perceptual quantization or hybrid log-gamma.
    case highDynamicRange(name: String)
    /// The code is reserved, or its curve cannot be represented in a profile.
    case unsupported(code: Int)
  }

  /// Creates the function of a `TransferCharacteristics` code.
  ///
  /// Code 2, "unspecified", is treated as sRGB, the default for files without color information.
  /// With the primaries of BT.709, or unspecified ones, the television camera codes (1, 6, 14 and
  /// 15) are also treated as sRGB: such images are created for the same screens, and browsers do
  /// the same.
  ///
  /// - Parameter primariesCode: The accompanying `ColourPrimaries` code, if any.
  package init(codePoint: Int, primariesCode: Int? = nil) throws(Refusal) {
    let isOfScreens = primariesCode == 1 || primariesCode == 2
    if isOfScreens, [1, 6, 14, 15].contains(codePoint) {
      self = .sRGB
      return
    }
    switch codePoint {
    case 1, 6, 11, 12, 14, 15: self = .bt709
    case 2, 13: self = .sRGB
    case 4: self = .gamma(2.2)
    case 5: self = .gamma(2.8)
    case 7: self = .smpte240
    case 8: self = .linear
    case 16: throw .highDynamicRange(name: "PQ")
    // The white is at 48/52.37 of the range; the whole range is used as displayed.
    case 17: self = .gamma(2.6)
    case 18: throw .highDynamicRange(name: "HLG")
    default: throw .unsupported(code: codePoint)
    }
  }

  /// Indicates whether eight bits are too coarse for the dark values of a rendering, because values
  /// are linear or nearly so.
  ///
  /// In linear light, the 40 darkest levels of the sRGB curve would be reduced to six.
  var isCoarseInDarks: Bool {
    switch self {
    case .linear: true
    case .gamma(let exponent): exponent < 1.6
    case .sRGB, .bt709, .smpte240: false
    }
  }

  /// The conversion from code values to linear light.
  package var curve: ParametricCurve {
    switch self {
    case .linear: ParametricCurve(g: 1)
    case .sRGB:
      ParametricCurve(g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045)
    case .bt709:
      ParametricCurve(
        g: 1 / 0.45, a: 1 / 1.099296826809442, b: 0.099296826809442 / 1.099296826809442,
        c: 1 / 4.5, d: 4.5 * 0.018053968510807)
    case .smpte240:
      ParametricCurve(
        g: 1 / 0.45, a: 1 / 1.111572195921731, b: 0.111572195921731 / 1.111572195921731,
        c: 1 / 4.0, d: 4 * 0.022821585529445)
    case .gamma(let exponent): ParametricCurve(g: exponent)
    }
  }
}

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
