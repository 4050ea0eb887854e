// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

/// What an encoder says of pictures that take the place of a movie's own.
package struct EncodedVideo: Sendable {
  /// FFmpeg's name of the codec, such as "h264".
  package var codec: String
  /// The four characters of its sample entry, such as "avc1".
  package var fourCC: String
  /// Coded pixels.
  package var width: Int
  /// Coded pixels.
  package var height: Int
  /// Width / height of a pixel; 0 when square.
  package var pixelAspect: (numerator: Int32, denominator: Int32)
  /// Codes of ITU-T H.273; 2 is left out.
  package var primaries: Int32
  /// Code of ITU-T H.273; 2 is left out.
  package var transfer: Int32
  /// Code of ITU-T H.273; 2 is left out.
  package var colorMatrix: Int32
  /// Whether luma uses the whole range.
  package var isFullRange: Bool
  /// Set-up data of the decoder.
  package var setup: [UInt8]
  /// Whether the pictures stand upright, whatever the movie says of its own.
  package var isUpright: Bool

  /// Describes pictures.
  package init(
    codec: String, fourCC: String, width: Int, height: Int,
    pixelAspect: (numerator: Int32, denominator: Int32), primaries: Int32, transfer: Int32,
    colorMatrix: Int32, isFullRange: Bool, setup: [UInt8], isUpright: Bool
  ) {
    self.codec = codec
    self.fourCC = fourCC
    self.width = width
    self.height = height
    self.pixelAspect = pixelAspect
    self.primaries = primaries
    self.transfer = transfer
    self.colorMatrix = colorMatrix
    self.isFullRange = isFullRange
    self.setup = setup
    self.isUpright = isUpright
  }

  /// Runs a body with the form that the C layer takes, which lives as long as the body.
  func withDescription<Result>(_ body: (pe_av_made) -> Result) -> Result {
    let tag = fourCC.utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return codec.withCString { codec in
      setup.withUnsafeBufferPointer { setup in
        body(
          pe_av_made(
            codec: codec, tag: tag, width: Int32(width), height: Int32(height),
            pixel_numerator: pixelAspect.numerator, pixel_denominator: pixelAspect.denominator,
            primaries: primaries, transfer: transfer, colour_matrix: colorMatrix,
            is_full_range: isFullRange ? 1 : 0, setup: setup.baseAddress,
            setup_size: Int32(setup.count), is_upright: isUpright ? 1 : 0))
      }
    }
  }
}
