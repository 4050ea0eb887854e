// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

/// The libavformat library, which is needed for remuxing but not for copying.
package enum AVFormatLibrary {
  /// The file that is loaded for a video that is not QuickTime: "libavformat.so.59".
  package static var name: String { String(cString: pe_av_library_name()) }

  /// The version used at build time; accessing it loads nothing.
  package static var version: String { String(cString: pe_av_library_version()) }

  /// Indicates whether the process has loaded it.
  package static var isLoaded: Bool { pe_av_is_loaded() != 0 }
}
