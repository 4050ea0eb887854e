// SPDX-License-Identifier: Apache-2.0

/// The mapping of library errors to exit codes.
extension CommandFailure {
  /// The options for what hints of the library name.
  private static let options = [
    ("an empty RenderOptions.strip", "--strip none"),
    ("edit only the still image", "edit only the still image with --still-only"),
  ]

  init(_ error: EditingError) {
    let libraryHint = error.hint.map { hint in
      Self.options.reduce(hint) { $0.replacing($1.0, with: $1.1) }
    }
    if let file = error.file {
      self.init(file)
      message = error.errorDescription ?? error.message
      if file.kind == .permission {
        hint =
          "change the permissions, or set PHOTOEDIT_STATE to a folder for edits"
      }
      hint = libraryHint ?? hint
      return
    }
    let exitCode: ExitCode =
      switch error.code {
      case .internalError: .internalFault
      case .userCancelled: .interrupted
      case .changeNotSupported, .invalidResource, .requestNotSupportedForAsset: .badData
      case .operationInterrupted: .busy
      case .missingResource: .inputMissing
      case .notEnoughSpace: .inputOutput
      case .accessUserDenied: .noPermission
      }
    self.init(
      exitCode, error.errorDescription ?? error.message, hint: libraryHint,
      code: error.reportCode ?? "\(error.code)")
  }

  /// Creates the failure of a video's edit from the underlying error.
  ///
  /// - Parameter input: The name of the video as given by the user.
  init(_ error: EditingError, movie input: String) {
    switch error.underlying {
    case let error as VideoError: self.init(error, input: input)
    case let error as UnsupportedNode: self.init(.badData, "\(input): \(error)", code: "graph")
    default:
      self.init(error)
      if error.reportCode != nil, error.path != nil { message = "\(input): \(error.message)" }
    }
  }

  init(_ error: LibraryError) {
    if let file = error.file {
      self.init(file)
      message = error.errorDescription ?? error.message
      hint = error.hint ?? hint
      return
    }
    let exitCode: ExitCode =
      switch error.code {
      case .internalError: .internalFault
      case .userCancelled: .interrupted
      case .identifierNotFound, .missingResource: .inputMissing
      case .changeNotSupported, .invalidResource, .requestNotSupportedForAsset,
        .multipleIdentifiersFound, .persistentChangeTokenExpired,
        .persistentChangeDetailsUnavailable, .libraryInFileProviderSyncRoot:
        .badData
      case .operationInterrupted, .relinquishingLibraryBundleToWriter,
        .switchingSystemPhotoLibrary:
        .busy
      case .networkAccessRequired, .networkError, .libraryVolumeOffline: .unavailable
      case .notEnoughSpace: .inputOutput
      case .accessRestricted, .accessUserDenied: .noPermission
      }
    self.init(
      exitCode, error.errorDescription ?? error.message, hint: error.hint,
      code: "\(error.code)")
  }

  /// Returns the failure with the path of a folder instead of another one for the same folder.
  func naming(_ path: String, insteadOf other: String) -> CommandFailure {
    var failure = self
    failure.message = message.replacing(other, with: path)
    failure.hint = hint?.replacing(other, with: path)
    return failure
  }

  init(_ error: FileError) {
    let facts: (ExitCode, String, String?) =
      switch error.kind {
      case .missing:
        (
          .inputMissing, "missing",
          error.path.unicodeScalars.contains("\u{FFFD}")
            ? "rename it, if its name is not valid UTF-8" : "check the path"
        )
      case .invalidDestination:
        (.cannotCreate, "noPlace", "create the folder first, or choose another path with -o")
      case .exists: (.cannotCreate, "exists", "use --force to overwrite it, or -o for another path")
      case .notRegular: (.badData, "notRegular", "pass a regular file")
      case .outside:
        (.badData, "outside", "use a copy of the file in the folder, or pass the file itself")
      case .empty: (.badData, "empty", nil)
      case .permission:
        (.noPermission, "permission", "change the permissions of the file or its folder")
      case .noSpace: (.inputOutput, "noSpace", "free disk space and try again")
      case .tooLarge: (.badData, "tooLarge", nil)
      case .busy, .changed: (.busy, "busy", "try again")
      case .io: (.inputOutput, "io", nil)
      }
    self.init(facts.0, error.description, hint: facts.2, code: facts.1)
  }

  /// - Parameter input: The name of the image.
  init(_ error: RenderError, input: String) {
    switch error {
    case .codec(let error): self.init(error, input: input)
    case .cancelled: self = .cancelled(.interrupted)
    case .metadata, .graph, .sourceMismatch, .tooLarge, .otherColorSpace, .pixels:
      self.init(.badData, "\(input): \(error)", code: error.reportCode)
    }
  }

  init(_ error: CodecError, input: String) {
    let facts: (String, String?) =
      switch error {
      case .empty: ("empty", nil)
      case .notAnImage: ("notAnImage", nil)
      case .unsupported: ("unsupported", error.hint)
      case .notBuilt: ("notBuilt", error.hint)
      case .libraryMissing: ("libraryMissing", error.hint)
      // Without any rows, nothing of the image is known, so nothing can be rendered.
      case .damaged(_, _, nil): ("damaged", nil)
      case .damaged: ("damaged", "use --lenient to keep them")
      case .limitExceeded(.memory, _, _):
        ("limitExceeded", "raise the limit with --max-memory if you trust the file")
      case .limitExceeded:
        (
          "limitExceeded",
          "raise the limit with --max-pixels, --max-dimension or --max-scans if you trust the file"
        )
      case .encoding: ("encoding", nil)
      case .outOfMemory: ("outOfMemory", error.hint)
      case .noThreads: ("noThreads", error.hint)
      case .cancelled: ("cancelled", nil)
      }
    let exit: ExitCode =
      switch error {
      case .notBuilt, .libraryMissing: .unavailable
      case .outOfMemory, .noThreads: .busy
      default: .badData
      }
    self.init(exit, "\(input): \(error)", hint: facts.1, code: facts.0)
  }

  init(_ error: MovieError, input: String) {
    switch error {
    case .libraryMissing(let name, _):
      self.init(
        .unavailable, "\(input): \(error)",
        hint: "run 'apt-get install \(SharedLibrary.debianPackage(of: name))'",
        code: "libraryMissing")
    case .file(let error): self.init(error)
    case .cancelled: self = .cancelled(.interrupted)
    default: self.init(.badData, "\(input): \(error)", code: "movie")
    }
  }

  /// Creates the failure for a graph that cannot be changed.
  ///
  /// - Parameter input: The name of the file with the change; nil if it is not from a file.
  init(_ error: GraphEditError, input: String? = nil) {
    self.init(.badData, (input.map { $0 + ": " } ?? "") + "\(error)", code: "graph")
  }

  /// Creates the failure for a third-party edit that cannot be read.
  init(_ error: EditImportError, input: String) {
    self.init(.badData, "\(input): \(error)", code: "foreignEdit")
  }

  /// Creates the failure for a video whose frames cannot be rendered.
  init(_ error: VideoError, input: String) {
    switch error {
    case .movie(let error): self.init(error, input: input)
    case .render(let error): self.init(error, input: input)
    case .cancelled: self = .cancelled(.interrupted)
    case .libraryMissing(let name, _):
      self.init(
        .unavailable, "\(input): \(error)",
        hint: "run 'apt-get install \(SharedLibrary.debianPackage(of: name))'",
        code: "libraryMissing")
    default: self.init(.badData, "\(input): \(error)", code: "movie")
    }
  }
}

extension RenderError {
  fileprivate var reportCode: String {
    switch self {
    case .codec: "damaged"
    case .metadata: "metadata"
    case .graph: "graph"
    case .sourceMismatch: "otherPicture"
    case .tooLarge: "tooLarge"
    case .otherColorSpace: "otherColorSpace"
    case .pixels: "pixels"
    case .cancelled: "cancelled"
    }
  }
}

/// Evaluates an expression and rethrows its file error as a command failure.
func mapFileErrors<Result: ~Copyable>(
  _ body: @autoclosure () throws(FileError) -> Result
) throws(CommandFailure) -> Result {
  try translating({ CommandFailure($0) }, body)
}

/// Evaluates an expression and rethrows its editing error as a command failure.
///
/// - Parameter input: The name of the edited video as given by the user; nil for other media.
func editing<Result>(
  movie input: String? = nil, _ body: @autoclosure () throws(EditingError) -> Result
) throws(CommandFailure) -> Result {
  try translating(
    { error in
      input.map { CommandFailure(error, movie: $0) } ?? CommandFailure(error)
    }, body)
}

/// Evaluates an expression and rethrows its render error as a command failure.
///
/// - Parameter input: The name of the image as given by the user.
func inImage<Result>(
  _ input: String, _ body: @autoclosure () throws(RenderError) -> Result
) throws(CommandFailure) -> Result {
  try translating({ CommandFailure($0, input: input) }, body)
}
