// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// How the numbers of a picture become light.
///
/// - Source: ITU-T H.273 (07/2024), table 3; IEC 61966-2-1.
package enum TransferFunction: Sendable, Hashable {
  /// The numbers are light.
  case linear
  /// The curve of sRGB.
  case sRGB
  /// The inverse of what cameras of BT.709, BT.601 and BT.2020 do.
  case bt709
  /// The inverse of what cameras of SMPTE 240M do.
  case smpte240
  /// A power.
  case gamma(Double)

  /// Why the numbers of a TransferCharacteristics code are not made light.
  package enum Refusal: Error, Sendable, Hashable {
    /// The code means light far brighter than white: perceptual quantization or hybrid log-gamma.
    case highDynamicRange(name: String)
    /// The code is reserved, or its curve is none that a profile can state.
    case unsupported(code: Int)

    /// One clause.
    package var reason: String {
      switch self {
      case .highDynamicRange(let name):
        "its colours are coded for high dynamic range (\(name)), which needs tone mapping"
      case .unsupported(let code): "its transfer characteristics \(code) are not supported"
      }
    }
  }

  /// The function of a TransferCharacteristics code.
  ///
  /// Code 2, "unspecified", is taken for sRGB's, as everything without a statement is. With the
  /// primaries of BT.709, or unspecified ones, so are the codes of the cameras of television (1, 6,
  /// 14 and 15): such pictures are made on, and for, the same screens, and browsers show them so.
  ///
  /// - Parameter primariesCode: The ColourPrimaries code beside it, where there is one.
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
    // Its white stands at 48/52.37 of the range; the whole range is taken as it is shown.
    case 17: self = .gamma(2.6)
    case 18: throw .highDynamicRange(name: "HLG")
    default: throw .unsupported(code: codePoint)
    }
  }

  /// Whether eight bits of a rendering cannot tell the darks from one another: numbers that are
  /// light, or nearly.
  ///
  /// Of linear light the 40 darkest levels of sRGB's curve would come out as six.
  var isCoarseInDarks: Bool {
    switch self {
    case .linear: true
    case .gamma(let exponent): exponent < 1.6
    case .sRGB, .bt709, .smpte240: false
    }
  }

  /// Numbers to light.
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
