// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// A part of the package that a build can leave out: formats and the library that reads them.
package struct OptionalInput: Sendable, Hashable {
  /// The trait of the package, in small letters.
  package let name: String
  /// What it reads.
  package let formats: [ImageFormat]
  /// The project that the library comes from.
  package let library: String
  /// The name under which the library is opened.
  package let fileName: String
  /// The Debian package that brings the library.
  package let package: String

  /// Whether this build reads the formats.
  package var isBuilt: Bool { formats.allSatisfy(\.isReadable) }

  /// The version that was built against; nil in a build without.
  package var version: String? {
    CodecLibraries.versions.first { $0.name == library }?.version
  }

  /// Opens the library, and says why it cannot be opened; nil when it can.
  package var refusal: String? { SharedLibrary.refusal(of: fileName) }

  /// What every build has for profiles that are tables, and opens when one comes.
  package static let colorLibrary = OptionalInput(
    name: "lcms2", formats: [], library: "lcms2", fileName: "liblcms2.so.2",
    package: "liblcms2-2")

  /// Every part, in the order of the manifest.
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
