// SPDX-License-Identifier: Apache-2.0
import CJPEG
import CPNG
import CZlib

/// The C libraries that decode and encode, for whoever reports a problem.
package enum CodecLibraries {
  /// Names and versions, in the order in which they are shown.
  package static var versions: [(name: String, version: String)] {
    [
      ("libjpeg-turbo", String(cString: pe_jpeg_version())),
      ("libpng", String(cString: pe_png_version())),
      ("zlib", String(cString: pe_zlib_version())),
    ]
  }
}
