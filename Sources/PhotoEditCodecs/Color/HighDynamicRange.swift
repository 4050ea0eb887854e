// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform

/// The colors of an HDR image, and their conversion to Display P3 with the sRGB curve.
///
/// - Source: ITU-R BT.2100-3 (PQ and HLG), BT.2446-1, method A (tone mapping), BT.2020-2.
package struct HighDynamicRange: Sendable, Hashable {
  /// The transfer function of the code values.
  enum Transfer: Sendable { case perceptual, hybridLogGamma }

  let transfer: Transfer
  let primaries: ColorPrimaries
  /// The luminance that becomes white, in cd/m².
  package let peak: Double

  /// The luminance of white in the result, in cd/m².
  static let standardPeak = 100.0
  /// The peak of an image that does not state its own, and of HLG.
  static let usualPeak = 1000.0

  /// Interprets the codes of H.273; nil unless they mean HDR.
  ///
  /// - Parameter brightest: The maximum content light level in cd/m², if it is known; used for PQ.
  package init?(primariesCode: Int, transferCode: Int, brightest: Double? = nil) {
    switch transferCode {
    case 16: transfer = .perceptual
    case 18: transfer = .hybridLogGamma
    default: return nil
    }
    // Without primaries, those for which these functions were defined.
    let code = primariesCode == 2 ? 9 : primariesCode
    guard let primaries = ColorPrimaries(codePoint: code) else { return nil }
    self.primaries = primaries
    let isStated = transfer == .perceptual && (brightest ?? 0) > 0
    peak = min(max(isStated ? brightest ?? 0 : Self.usualPeak, Self.standardPeak), 10_000)
  }

  var name: String { transfer == .perceptual ? "PQ" : "HLG" }

  var toneMapping: ToneMapping { ToneMapping(method: "bt2446a", peak: peak) }

  /// The loss of a rendering, as a sentence.
  var loss: String {
    "The image is HDR (\(name), ITU-R BT.2100); it is converted to standard range by ITU-R "
      + "BT.2446, method A, where \(Int(peak.rounded())) cd/m² become white."
  }

  // MARK: Light

  /// Returns the light of a code value of 0 to 1: of the display relative to the peak for PQ, of
  /// the scene for HLG.
  package func light(_ code: Double) -> Double {
    switch transfer {
    case .perceptual:
      let power = pow(code, 32.0 / 2523)
      let share = max(power - 3424.0 / 4096, 0) / (2413.0 / 128 - 2392.0 / 128 * power)
      return 10_000 * pow(share, 16_384.0 / 2610) / peak
    case .hybridLogGamma:
      let a = 0.178_832_77
      let b = 1 - 4 * a
      let c = 0.5 - a * log(4 * a)
      return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12
    }
  }

  /// Returns the factor from the light of the scene to that of the display, for the luminance of
  /// the scene; 1 for PQ.
  package func systemGain(_ luminance: Double) -> Double {
    transfer == .perceptual ? 1 : pow(luminance, 0.2)
  }

  // MARK: Tone mapping

  /// The exponent of the domain in which tones are mapped.
  static let gamma = 2.4
  /// The luma weights of red, green and blue of BT.2020.
  static let weights = [0.2627, 0.6780, 0.0593]

  /// Returns the luma of the result for a luma relative to the peak; both are nonlinear.
  func mapped(_ luma: Double) -> Double {
    let high = 1 + 32 * pow(peak / 10_000, 1 / Self.gamma)
    let low = 1 + 32 * pow(Self.standardPeak / 10_000, 1 / Self.gamma)
    let p = log(1 + (high - 1) * luma) / log(high)
    let c =
      p <= 0.7399
      ? 1.0770 * p : p < 0.9909 ? (-1.1510 * p + 2.7811) * p - 0.6302 : 0.5 * p + 0.5
    return (pow(low, c) - 1) / (low - 1)
  }

  /// The matrix from linear light of the primaries to that of BT.2020; nil if they are the same.
  var matrixToBT2020: [[Double]]? {
    let wide = ColorPrimaries(codePoint: 9)
    guard primaries != wide, let own = primaries.matrix,
      let back = wide?.matrix.flatMap({ ColorMatrix.inverse($0) })
    else { return nil }
    return ColorMatrix.product(back, own)
  }

  /// The matrix from linear light of BT.2020 to that of Display P3.
  static let matrixToDisplayP3: [[Double]] = {
    guard let wide = ColorPrimaries(codePoint: 9)?.matrix,
      let back = ColorPrimaries.displayP3.matrix.flatMap({ ColorMatrix.inverse($0) })
    else { preconditionFailure("constant matrices are invertible") }
    return ColorMatrix.product(back, wide)
  }()
}
