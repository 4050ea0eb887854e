// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec

/// The libavcodec library, which is needed only for frames.
package enum AVCodecLibrary {
  /// The file name of the library, with the version built against.
  package static var name: String { String(cString: pe_codec_library_name()) }

  /// The version built against; reading it loads nothing.
  package static var version: String { String(cString: pe_codec_library_version()) }

  /// Indicates whether the process has loaded it.
  package static var isLoaded: Bool { pe_codec_is_loaded() != 0 }
}

extension pe_codec_failure {
  /// Returns the error of a decoder or encoder that could not be opened.
  ///
  /// - Parameter refusal: Returns the error for a reason that is specific to the codec.
  func opening(_ status: Int32, _ refusal: (_ reason: String) -> VideoError) -> VideoError {
    switch status {
    case PE_CODEC_MISSING: .libraryMissing(name: AVCodecLibrary.name, reason: reason)
    case PE_CODEC_NO_MEMORY: .outOfMemory
    default: refusal(reason)
    }
  }

  var reason: String { withUnsafeBytes(of: text) { String(untilZero: $0) } }
}
