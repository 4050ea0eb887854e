// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditStorage

extension MovieError {
  /// Converts a failed call of the C layer to an error.
  init(_ status: Int32, _ failure: pe_av_failure, path: String, doing: String) {
    let reason = failure.reason
    self =
      switch status {
      case PE_AV_CANCELLED: .cancelled
      case PE_AV_MISSING:
        .libraryMissing(name: String(cString: pe_av_library_name()), reason: reason)
      case PE_AV_SYSTEM:
        .file(FileError(errno: failure.system_error, "cannot \(doing)", path: path))
      default: .damaged("libavformat cannot \(doing): \(reason)")
      }
  }
}

extension pe_av_failure {
  /// The library's error message.
  var reason: String {
    withUnsafeBytes(of: text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
