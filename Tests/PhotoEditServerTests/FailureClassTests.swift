// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditVideo
import Testing

@testable import PhotoEditServer

@Suite("Classes of failures")
struct FailureClassTests {
  /// The exit code, the HTTP status and PhotoKit's code of each class, as published.
  private static let published: [FailureClass: (exit: Int32, status: Int, code: Int)] = [
    .invalidRequest: (65, 400, 3300), .invalidEdit: (65, 422, 3300), .unsuitable: (65, 409, 3302),
    .tooLarge: (65, 413, 3302), .expired: (65, 410, 3105), .missing: (66, 404, 3303),
    .unavailable: (69, 409, 3302), .internalError: (70, 500, -1), .cannotCreate: (73, 409, 3302),
    .inputOutput: (74, 500, -1), .noSpace: (74, 507, 3305), .busy: (75, 503, 3301),
    .changed: (75, 412, 3301), .noPermission: (77, 403, 3311), .cancelled: (130, 409, 3072),
  ]

  private struct Sample: PhotoEditError {
    let facts: FailureFacts
    var description: String { "sample" }
  }

  @Test(arguments: FailureClass.allCases)
  func `each class has its published numbers everywhere`(failure: FailureClass) throws {
    let expected = try #require(Self.published[failure])
    let error = Sample(facts: FailureFacts(failure, "sample", hint: "do it again"))
    #expect(CommandFailure(error, input: "a.jpg").exitCode.rawValue == expected.exit)
    let problem = Problem(error)
    #expect(problem.status == expected.status && problem.code.rawValue == expected.exit)
    #expect(EditingError(error, path: "a.jpg").code.rawValue == expected.code)
    #expect(EditingError(error, path: "a.jpg").failureClass == failure)
  }

  private static let errors: [any PhotoEditError] =
    [
      .missing, .exists, .notRegular, .outside, .empty, .permission, .noSpace, .tooLarge,
      .invalidDestination, .busy, .changed, .io,
    ].map { FileError($0, path: "/folder/photo.jpg", reason: "reason") }
    + codecErrors + codecErrors.map { RenderError.codec($0) }
    + movieErrors + movieErrors.map { VideoError.movie($0) }
    + [
      MetadataError.tooManyBytes(limit: 1), RenderError.tooLarge(PixelSize(width: 1, height: 1)),
      VideoError.outOfMemory, VideoError.unsupported("tracks"), VideoError.cancelled,
      VideoError.verificationFailed("a frame"), VideoError.render(.codec(.noThreads)),
      VideoError.cannotDecode(codec: "h264", reason: "x"), GraphError.duplicateNode("a"),
      GraphEditError.tooManyNodes(1), LUTFileError.line(3, found: "x", allowed: "y"),
      EditImportError.xmp(line: 4, reason: "x"),
    ]

  private static let codecErrors: [CodecError] = [
    .empty, .notAnImage(found: "text"), .unsupported("a 12-bit JPEG"), .notBuilt(.heif),
    .libraryMissing(.heif, package: "libheif1", reason: "none"),
    .damaged(message: "x", recoveredRows: 1, rows: 2),
    .limitExceeded(.pixels, value: 2, allowed: 1), .encoding("x"), .outOfMemory, .noThreads,
    .cancelled,
  ]

  private static let movieErrors: [MovieError] = [
    .notAMovie(found: "text"), .libraryMissing(name: "liba.so.1", reason: "none"),
    .damaged("x"), .verificationFailed("x"), .cancelled,
    .file(FileError(.noSpace, path: "/folder/clip.mov", reason: "reason")),
  ]

  @Test(arguments: errors.indices)
  func `an error has one exit code for the command line, the server and the editing interface`(
    index: Int
  ) {
    let error = Self.errors[index]
    let (failure, problem) = (CommandFailure(error, input: "a.jpg"), Problem(error))
    #expect(failure.exitCode == problem.code, "\(error)")
    #expect(failure.exitCode.rawValue == error.failureClass.exitCode, "\(error)")
    let editing = EditingError(error, path: "a.jpg")
    #expect(Problem(editing).code == problem.code && Problem(editing).kind == problem.kind)
    #expect(!problem.detail.contains("/folder"), "\(error)")
    if failure.exitCode != .interrupted {
      #expect(failure.message.hasPrefix(error.path.map { $0 + ": " } ?? "a.jpg: "), "\(error)")
      #expect(failure.code == error.facts.name && failure.hint == error.hint, "\(error)")
    }
  }

  @Test(arguments: PhotosErrorCode.allCases)
  func `each code of PhotoKit has the exit code of its class`(code: PhotosErrorCode) throws {
    let expected: ExitCode =
      switch code {
      case .internalError: .internalFault
      case .userCancelled: .interrupted
      case .identifierNotFound, .missingResource: .inputMissing
      case .operationInterrupted, .relinquishingLibraryBundleToWriter,
        .switchingSystemPhotoLibrary:
        .busy
      case .networkAccessRequired, .networkError, .libraryVolumeOffline: .unavailable
      case .notEnoughSpace: .inputOutput
      case .accessRestricted, .accessUserDenied: .noPermission
      case .changeNotSupported, .invalidResource, .requestNotSupportedForAsset,
        .multipleIdentifiersFound, .persistentChangeTokenExpired,
        .persistentChangeDetailsUnavailable, .libraryInFileProviderSyncRoot:
        .badData
      }
    let error = EditingError(code, path: "a.jpg", "reason", hint: "do it again")
    let failure = CommandFailure(error)
    #expect(failure.exitCode == expected && Problem(error).code == expected)
    #expect(failure.message == "a.jpg: reason" && failure.hint == "do it again")
    // A request that can be corrected gets the hint, too.
    let detail = code == .multipleIdentifiersFound ? "reason; do it again" : "reason"
    #expect(failure.code == "\(code)" && Problem(error).detail == detail)
  }

  @Test func `the position of an error is the line of its file`() {
    let positions = Self.errors.compactMap(\.position)
    #expect(positions == [3, 4])
  }
}
