// SPDX-License-Identifier: Apache-2.0
import CJPEG
import CLCMS
import CPNG
import CZlib

#if GIF
  import CGIF
#endif
#if HEIF
  import CHEIF
#endif
#if TIFF
  import CTIFF
#endif
#if WebP
  import CWebP
#endif

/// The C libraries that decode and encode, for whoever reports a problem.
package enum CodecLibraries {
  /// Names and versions, in the order in which they are shown.
  package static var versions: [(name: String, version: String)] {
    var versions = [
      ("libjpeg-turbo", String(cString: pe_jpeg_version())),
      ("libpng", String(cString: pe_png_version())),
      ("zlib", String(cString: pe_zlib_version())),
      ("lcms2", String(cString: pe_lcms_version())),
    ]
    #if HEIF
      versions.append(("libheif", String(cString: pe_heif_version())))
    #endif
    #if WebP
      versions.append(("libwebp", String(cString: pe_webp_version())))
    #endif
    #if TIFF
      versions.append(("libtiff", String(cString: pe_tiff_version())))
    #endif
    #if GIF
      versions.append(("giflib", String(cString: pe_gif_version())))
    #endif
    return versions
  }
}
