// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditCodecs
import PhotoEditMovieFiles

/// What the numbers of frames mean, with everything settled that nobody says.
///
/// - Source: ITU-T H.273 (07/2024) for the codes.
struct FrameColor: Sendable, Hashable {
  /// Codes as the frames, or else the container, state them; 2 where neither does.
  let primaries: Int32
  let transfer: Int32
  let matrix: Int32
  let isFullRange: Bool
  /// How luma and chroma make RGB: a code that has weights.
  let effectiveMatrix: Int32
  private let chromaLocation: Int32

  /// - Throws: `unsupported` for ways to make RGB that nobody reads.
  init(_ facts: pe_frame_facts, _ track: VideoTrack) throws(VideoError) {
    func stated(_ frame: Int32, _ container: Int32) -> Int32 { frame == 2 ? container : frame }
    primaries = stated(facts.colour.primaries, track.primaries)
    transfer = stated(facts.colour.transfer, track.transfer)
    matrix = stated(facts.colour.matrix, track.colorMatrix)
    isFullRange = facts.colour.is_full_range != 0 || track.isFullRange
    chromaLocation = facts.colour.chroma_location
    let isRGB = facts.is_rgb != 0
    if !isRGB, [8, 11, 12, 13, 14].contains(matrix) {
      throw .unsupported("its colours are coded by matrix \(matrix) of H.273, which is not read")
    }
    if [1, 4, 5, 6, 7, 9, 10].contains(matrix) {
      effectiveMatrix = matrix
    } else {
      // As players do: what is larger than television of standard definition is like its successor.
      effectiveMatrix = facts.width >= 1280 || facts.height > 576 || isRGB ? 1 : 6
    }
  }

  var code: pe_codec_colour {
    pe_codec_colour(
      primaries: primaries, transfer: transfer, matrix: effectiveMatrix,
      is_full_range: isFullRange ? 1 : 0, chroma_location: chromaLocation)
  }

  /// Whether white is far from the brightest there is.
  var isHighDynamicRange: Bool { transfer == 16 || transfer == 18 }

  /// The lights that the numbers stand for, for filters; those of sRGB where nobody says, or where
  /// the numbers have no curve that filters know.
  var lights: ColorPrimaries {
    if isHighDynamicRange { return .sRGB }
    return ColorPrimaries(codePoint: Int(primaries)) ?? .sRGB
  }

  /// How numbers become light, for filters and for sRGB.
  ///
  /// Cameras of television and screens are taken for sRGB: such pictures are made on, and for, the
  /// same screens, and players show them so. High dynamic range has no such curve; filters work on
  /// its numbers as they are.
  var space: TransferFunction {
    if isHighDynamicRange || [1, 2, 6, 13, 14, 15].contains(transfer) { return .sRGB }
    do throws(TransferFunction.Refusal) {
      return try TransferFunction(codePoint: Int(transfer))
    } catch {
      // A code that nobody knows says nothing.
      return .sRGB
    }
  }
}
