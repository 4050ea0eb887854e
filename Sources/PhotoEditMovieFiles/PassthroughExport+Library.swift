// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

extension PassthroughExport {
  /// The version of libavformat used at build time; accessing it loads nothing.
  package static var libraryVersion: String { String(cString: pe_av_library_version()) }

  /// The library file that is loaded for a video that is not QuickTime: "libavformat.so.59".
  package static var libraryName: String { String(cString: pe_av_library_name()) }
}
