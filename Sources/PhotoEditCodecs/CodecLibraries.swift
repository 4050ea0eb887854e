// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import CPhotoEditLCMS
import CPhotoEditPNG
import CPhotoEditZlib
import PhotoEditStorage

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
    #if RAW
      versions.append(("libraw", String(cString: pe_raw_version())))
    #endif
    return versions
  }
}

/// An optional part of a build: formats and the library that reads them.
package struct OptionalInput: Sendable, Hashable {
  /// The package trait, in lower case.
  package let name: String
  /// The formats read by this part.
  package let formats: [ImageFormat]
  /// The project that provides the library.
  package let library: String
  /// The file name of the library.
  package let fileName: String
  /// The Debian package that contains the library.
  package let package: String

  /// Indicates whether this build reads the formats.
  package var isBuilt: Bool { formats.allSatisfy(\.isReadable) }

  /// The version of the compiled headers; nil in a build without this part.
  package var version: String? {
    CodecLibraries.versions.first { $0.name == library }?.version
  }

  /// Loads the library; the reason if that fails, otherwise nil.
  package var refusal: String? { SharedLibrary.refusal(of: fileName) }

  /// The library for profiles with lookup tables; part of every build, and loaded when needed.
  package static let colorLibrary = OptionalInput(
    name: "lcms2", formats: [], library: "lcms2", fileName: "liblcms2.so.2",
    package: "liblcms2-2")

  /// All parts, in the order of the manifest.
  package static let all = [
    OptionalInput(
      name: "heif", formats: [.heif, .avif], library: "libheif", fileName: "libheif.so.1",
      package: "libheif1"),
    OptionalInput(
      name: "webp", formats: [.webp], library: "libwebp", fileName: "libwebp.so.7",
      package: "libwebp7"),
    OptionalInput(
      name: "tiff", formats: [.tiff], library: "libtiff", fileName: "libtiff.so.6",
      package: "libtiff6"),
    OptionalInput(
      name: "gif", formats: [.gif], library: "giflib", fileName: "libgif.so.7", package: "libgif7"),
    OptionalInput(
      name: "raw", formats: [.raw], library: "libraw", fileName: rawFileName, package: rawPackage),
  ]

  /// The file name of LibRaw, which differs between releases of Debian.
  static var rawFileName: String {
    #if RAW
      String(cString: pe_raw_library_name())
    #else
      "libraw_r.so"
    #endif
  }

  /// The package of LibRaw: "libraw20" on Debian 12, "libraw23t64" on Debian 13.
  static var rawPackage: String {
    guard let number = rawFileName.split(separator: ".").last.flatMap({ Int($0) }) else {
      return "libraw"
    }
    return "libraw\(number)" + (number > 20 ? "t64" : "")
  }
}

/// Loading of the library for a format, when the first such file is read.
enum LibraryLoading {
  /// Maximum size of a message in bytes, including its terminating zero.
  private static let messageCapacity = 240

  /// Calls a C function that loads a library once; throws an error if the library is missing.
  ///
  /// The function returns 0 if the library is loaded, and otherwise fills in a message.
  ///
  /// - Parameter package: The Debian package of the library; nil for the one that reads the format.
  static func load(
    _ format: ImageFormat, package: String? = nil,
    _ open: (UnsafeMutablePointer<CChar>?) -> Int32
  ) throws(CodecError) {
    var message = [CChar](repeating: 0, count: messageCapacity)
    guard open(&message) != 0 else { return }
    let expected = OptionalInput.all.first { $0.formats.contains(format) }?.package
    throw .libraryMissing(
      format, package: package ?? expected ?? format.rawValue,
      reason: String(untilZero: message))
  }
}
