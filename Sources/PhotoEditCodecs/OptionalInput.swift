// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

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
  ]
}
