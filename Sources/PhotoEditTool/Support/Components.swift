// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditVideo

/// What the program is made of, for `version`; nothing is loaded to answer.
enum Components {
  /// Names and versions: the project's own numbers first, then the libraries.
  static var versions: [(name: String, version: String)] {
    [
      ("engine", "\(Renderer.semanticsVersion)"),
      ("edit format", "\(FilterGraph.formatIdentifier) \(FilterGraph.formatVersion)"),
    ] + CodecLibraries.versions + [
      ("libcrypto", Digest.libraryVersion),
      ("libexpat", GradeError.expatVersion),
      ("libavformat", MoviePassThrough.libraryVersion),
      ("libavcodec", VideoLibrary.version),
    ]
  }

  static var all: [ProgramDescription.Component] {
    versions.map { .init($0.name, $0.version) }
  }

  /// Refuses a build of the row loops that does not exist or that this machine cannot run.
  static func checkKernels() throws(CommandFailure) {
    guard let refusal = RowKernels.refusal else { return }
    throw .usage(
      refusal, hint: "use \(RowKernels.available.joined(separator: ", ")), or unset it")
  }

  /// The formats of pictures that this build decodes.
  static var pictureFormats: [String] {
    ImageFormat.allCases.filter(\.isReadable).map(\.rawValue)
  }

  /// The movies that are copied as they are, without any library.
  static let copiedMovies: [MovieContainer] = [.quickTime]

  /// The movies that are brought into QuickTime, for which libavformat must be installed.
  static let remuxedMovies: [MovieContainer] = [.mpeg4, .matroska, .avi]
}
