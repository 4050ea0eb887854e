// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

extension MoviePassThrough {
  /// The version of libavformat that was built against; asking loads nothing.
  package static var libraryVersion: String { String(cString: pe_av_library_version()) }

  /// The file that is loaded when a movie that is not QuickTime comes: "libavformat.so.59".
  package static var libraryName: String { String(cString: pe_av_library_name()) }
}
