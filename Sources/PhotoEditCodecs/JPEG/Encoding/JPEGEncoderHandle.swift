// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG

/// The owner of a libjpeg encoder; must not be used by several threads at the same time.
package final class JPEGEncoderHandle {
  let pointer: OpaquePointer

  /// Creates an idle encoder.
  ///
  /// - Parameter usesLibraryCoder: Whether libjpeg transforms and encodes even where this project
  ///   has a faster implementation; the bytes are the same.
  package init(usesLibraryCoder: Bool = false) throws(CodecError) {
    guard let pointer = pe_jpeg_encoder_create(usesLibraryCoder ? 1 : 0) else { throw .outOfMemory }
    self.pointer = pointer
  }

  deinit { pe_jpeg_encoder_destroy(pointer) }

  /// Converts the code of a call to an error.
  func check(_ code: pe_jpeg_code) throws(CodecError) {
    switch code {
    case .PE_JPEG_OK: return
    case .PE_JPEG_OUT_OF_MEMORY: throw .outOfMemory
    case .PE_JPEG_UNSUPPORTED: throw .unsupported("a JPEG with \(message)")
    default: throw .encoding(message)
    }
  }

  private var message: String { String(cString: pe_jpeg_encoder_message(pointer)) }
}
