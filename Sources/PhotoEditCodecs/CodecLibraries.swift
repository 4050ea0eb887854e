// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import CPhotoEditLCMS
import CPhotoEditPNG
import CPhotoEditZlib

#if GIF
  import CPhotoEditGIF
#endif
#if HEIF
  import CPhotoEditHEIF
#endif
#if TIFF
  import CPhotoEditTIFF
#endif
#if WebP
  import CPhotoEditWebP
#endif

/// The C libraries that decode and encode, for problem reports.
package enum CodecLibraries {
  /// Names and versions, in display order.
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
