// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditCodecs
import PhotoEditPlatform

/// The color properties of frames, with defaults for everything unspecified.
///
/// - Source: ITU-T H.273 (07/2024) for the codes.
struct FrameColor: Sendable, Hashable {
  /// The codes stated by the frames, or otherwise by the container; 2 if neither does.
  let primaries: Int32
  let transfer: Int32
  let matrix: Int32
  let isFullRange: Bool
  /// The code of the matrix that converts luma and chroma to RGB; always one with known
  /// coefficients.
  let effectiveMatrix: Int32
  private let chromaLocation: Int32

  /// Determines the color of frames.
  ///
  /// - Throws: `unsupported` for unknown conversions to RGB.
  init(_ facts: pe_frame_facts, _ track: VideoTrack) throws(VideoError) {
    func stated(_ frame: Int32, _ container: Int32) -> Int32 { frame == 2 ? container : frame }
    primaries = stated(facts.color.primaries, track.primaries)
    transfer = stated(facts.color.transfer, track.transfer)
    matrix = stated(facts.color.matrix, track.colorMatrix)
    isFullRange = facts.color.is_full_range != 0 || track.isFullRange
    chromaLocation = facts.color.chroma_location
    let isRGB = facts.is_rgb != 0
    if !isRGB, [8, 11, 12, 13, 14].contains(matrix) {
      throw .unsupported("color matrix \(matrix) of H.273 is not supported")
    }
    if [1, 4, 5, 6, 7, 9, 10].contains(matrix) {
      effectiveMatrix = matrix
    } else {
      // As in players: frames larger than standard definition use the HDTV matrix.
      effectiveMatrix = facts.width >= 1280 || facts.height > 576 || isRGB ? 1 : 6
    }
  }

  var code: pe_codec_color {
    pe_codec_color(
      primaries: primaries, transfer: transfer, matrix: effectiveMatrix,
      is_full_range: isFullRange ? 1 : 0, chroma_location: chromaLocation)
  }

  /// Indicates whether white is far below the maximum brightness.
  var isHighDynamicRange: Bool { dynamicRange != nil }

  private var dynamicRange: HighDynamicRange? {
    HighDynamicRange(primariesCode: 9, transferCode: Int(transfer))
  }

  /// The primaries of the code values, for filters; those of sRGB if unspecified, or if the code
  /// values have no transfer function that filters support.
  var filterPrimaries: ColorPrimaries {
    if isHighDynamicRange { return .sRGB }
    return ColorPrimaries(codePoint: Int(primaries)) ?? .sRGB
  }

  /// The transfer function of the code values, for filters and for conversion to sRGB.
  ///
  /// The transfer functions of television cameras and screens are treated as sRGB: such frames are
  /// made on, and for, the same screens, and players show them that way. High dynamic range has no
  /// such curve; filters process its code values unchanged.
  var space: TransferFunction {
    if isHighDynamicRange || [1, 2, 6, 13, 14, 15].contains(transfer) { return .sRGB }
    // An unknown code specifies nothing.
    return (try? TransferFunction(codePoint: Int(transfer))) ?? .sRGB
  }

  /// The steps that convert the code values to sRGB; empty if they are sRGB.
  var stepsToSRGB: [FilterOperation] {
    let matrix = primariesToSRGB
    if let dynamicRange {
      let curve = ToneCurve([
        .table(LookupCurve(values: Self.toneMapped(dynamicRange), lower: 0, scale: 4096))
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

  /// Returns the linear light of the code values from 0 to 1, channel by channel; white is 1.
  ///
  /// Light up to three quarters of white is unchanged; brighter light approaches white.
  ///
  /// - Source: ITU-R BT.2408-7 for white at 203 cd/m².
  private static func toneMapped(_ range: HighDynamicRange) -> [Float] {
    let knee = 0.75
    return (0...4096).map { step in
      let light = range.light(Double(step) / 4096)
      let luminance = light * range.systemGain(light) * range.peak / 203
      if luminance <= knee { return Float(luminance) }
      return Float(knee + (1 - knee) * tanh((luminance - knee) / (1 - knee) / 2))
    }
  }
}

extension ChannelCurves {
  /// The curves from linear light to sRGB code values.
  fileprivate static let encoding = ChannelCurves(ToneCurve([.clamp(0...1), .encode]))
}
