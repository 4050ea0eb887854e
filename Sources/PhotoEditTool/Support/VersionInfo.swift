// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditVideo

/// The components of the program, for `version`; nothing is loaded to list them.
enum VersionInfo {
  /// The names and versions: photoedit's own version numbers first, then the libraries.
  static var versions: [(name: String, version: String)] {
    [
      ("engine", "\(Renderer.semanticsVersion)"),
      ("edit format", "\(FilterGraph.formatIdentifier) \(FilterGraph.formatVersion)"),
    ] + CodecLibraries.versions + [
      ("libcrypto", SHA256Digest.libraryVersion),
      ("libexpat", LUTFileError.expatVersion),
      ("libavformat", AVFormatLibrary.version),
      ("libavcodec", AVCodecLibrary.version),
    ]
  }

  /// The versions of the libraries, which do not change pixels as the engine's version does.
  static var libraries: JSONValue {
    .object(
      Dictionary(versions.dropFirst(2).map { ($0.name, .string($0.version)) }) { first, _ in
        first
      })
  }

  static var all: [ProgramDescription.Component] {
    versions.map { .init($0.name, $0.version) }
  }

  /// Rejects a variant of the row kernels that does not exist or that this machine cannot run.
  static func checkKernels() throws(CommandFailure) {
    guard let refusal = RowKernels.refusal else { return }
    throw .usage(
      refusal, hint: "use \(RowKernels.available.joined(separator: ", ")), or unset it")
  }

  /// The image formats that this build decodes.
  static var imageFormats: [String] {
    ImageFormat.allCases.filter(\.isReadable).map(\.rawValue)
  }

  /// The video containers that are copied as is, without any library.
  static let copiedMovies: [MovieContainer] = [.quickTime]

  /// The video containers that are remuxed to QuickTime, which requires libavformat.
  static let remuxedMovies: [MovieContainer] = [.mpeg4, .matroska, .avi]
}
