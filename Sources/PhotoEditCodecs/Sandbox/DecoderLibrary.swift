// SPDX-License-Identifier: Apache-2.0
#if GIF
  import CPhotoEditGIF
#endif
#if HEIF
  import CPhotoEditHEIF
#endif
#if RAW
  import CPhotoEditRAW
#endif
#if TIFF
  import CPhotoEditTIFF
#endif
#if WebP
  import CPhotoEditWebP
#endif

/// The library that decodes a format; a confined process loads one.
enum DecoderLibrary: String, CaseIterable {
  case heif, webp, tiff, gif, raw

  /// Creates the library of a format; nil for those that are decoded in the process itself.
  init?(_ format: ImageFormat) {
    switch format {
    case .jpeg, .png: return nil
    case .heif, .avif: self = .heif
    case .webp: self = .webp
    case .tiff: self = .tiff
    case .gif: self = .gif
    case .raw: self = .raw
    }
  }

  /// Loads all that is needed for any image, since a confined process cannot open files.
  ///
  /// - Returns: The errors, which concern the images that need what is missing.
  func load() -> [CodecError] {
    var errors: [CodecError] = []
    func attempt(_ load: () throws(CodecError) -> Void) {
      do throws(CodecError) { try load() } catch { errors.append(error) }
    }
    switch self {
    case .heif:
      #if HEIF
        attempt { () throws(CodecError) in
          try HEIFLibrary.load(for: .avif, withHEVC: false)
          pe_heif_prepare()
        }
        attempt { () throws(CodecError) in try HEIFLibrary.load(for: .heif, withHEVC: true) }
      #endif
    case .webp:
      #if WebP
        attempt { () throws(CodecError) in try LibraryLoading.load(.webp, pe_webp_load) }
      #endif
    case .tiff:
      #if TIFF
        attempt { () throws(CodecError) in try LibraryLoading.load(.tiff, pe_tiff_load) }
      #endif
    case .gif:
      #if GIF
        attempt { () throws(CodecError) in try LibraryLoading.load(.gif, pe_gif_load) }
      #endif
    case .raw:
      #if RAW
        attempt { () throws(CodecError) in try LibraryLoading.load(.raw, pe_raw_load) }
      #endif
    }
    return errors
  }
}
