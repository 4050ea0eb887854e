// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

/// The libavformat library, which is needed for remuxing but not for copying.
package enum AVFormatLibrary {
  /// The file name of the library, with the version used at build time.
  package static var name: String { String(cString: pe_av_library_name()) }

  /// Indicates whether the process has loaded it.
  package static var isLoaded: Bool { pe_av_is_loaded() != 0 }

  /// Loads the library now instead of with the first video that needs it.
  ///
  /// - Throws: `libraryMissing`.
  package static func load() throws(MovieError) {
    var failure = pe_av_failure()
    guard pe_av_load(&failure) == PE_AV_OK else {
      throw .libraryMissing(name: name, reason: failure.reason)
    }
  }
}
