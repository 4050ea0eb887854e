// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG

/// A lossless change of the order in which a JPEG stores its coefficients.
package enum JPEGProgression {
  /// Returns a JPEG with the same coefficients and segments in progressive scans, which is usually
  /// smaller and appears with increasing detail while it loads.
  package static func progressive(_ jpeg: [UInt8]) throws(CodecError) -> [UInt8] {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    var message = [CChar](repeating: 0, count: Int(PE_JPEG_MESSAGE_SIZE))
    let code = pe_jpeg_make_progressive(jpeg, jpeg.count, &bytes, &count, &message)
    defer { pe_jpeg_free(bytes) }
    guard code == .PE_JPEG_OK, let bytes else {
      if code == .PE_JPEG_OUT_OF_MEMORY { throw .outOfMemory }
      throw .encoding(String(untilZero: message))
    }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}
