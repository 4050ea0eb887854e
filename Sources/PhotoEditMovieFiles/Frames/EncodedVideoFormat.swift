// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

/// The format of encoded frames that replace those of a video.
package struct EncodedVideoFormat: Sendable {
  /// The FFmpeg codec name, such as "h264".
  package var codec: String
  /// The four-character code of its sample entry, such as "avc1".
  package var fourCC: String
  /// Width in coded pixels.
  package var width: Int
  /// Height in coded pixels.
  package var height: Int
  /// Width / height of a pixel; 0 if square.
  package var pixelAspect: (numerator: Int32, denominator: Int32)
  /// ITU-T H.273 code; 2 (unspecified) is not written.
  package var primaries: Int32
  /// ITU-T H.273 code; 2 (unspecified) is not written.
  package var transfer: Int32
  /// ITU-T H.273 code; 2 (unspecified) is not written.
  package var colorMatrix: Int32
  /// Indicates whether luma uses the full range.
  package var isFullRange: Bool
  /// Codec configuration data for the decoder.
  package var setup: [UInt8]
  /// Indicates whether the frames already have their display orientation, regardless of the
  /// source's matrix.
  package var isOriented: Bool

  /// Creates a format.
  package init(
    codec: String, fourCC: String, width: Int, height: Int,
    pixelAspect: (numerator: Int32, denominator: Int32), primaries: Int32, transfer: Int32,
    colorMatrix: Int32, isFullRange: Bool, setup: [UInt8], isOriented: Bool
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
    self.isOriented = isOriented
  }

  /// Calls a closure with the C representation, which is valid only during the call.
  func withDescription<Result>(_ body: (pe_av_encoded) -> Result) -> Result {
    let tag = fourCC.utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return codec.withCString { codec in
      setup.withUnsafeBufferPointer { setup in
        body(
          pe_av_encoded(
            codec: codec, tag: tag, width: Int32(width), height: Int32(height),
            pixel_numerator: pixelAspect.numerator, pixel_denominator: pixelAspect.denominator,
            primaries: primaries, transfer: transfer, color_matrix: colorMatrix,
            is_full_range: isFullRange ? 1 : 0, setup: setup.baseAddress,
            setup_size: Int32(setup.count), is_oriented: isOriented ? 1 : 0))
      }
    }
  }
}
