// SPDX-License-Identifier: Apache-2.0

extension CommandFailure {
  /// The options for what hints of the library name.
  private static let options = [
    ("an empty RenderOptions.strip", "--strip none"),
    ("edit only the still image", "edit only the still image with --still-only"),
  ]

  /// Creates the failure of an edit; its hint names options instead of the parts of the library.
  init(_ error: EditingError) {
    self.init(error, input: nil)
    if let libraryHint = error.hint {
      hint = Self.options.reduce(libraryHint) { $0.replacing($1.0, with: $1.1) }
    } else if error.file?.kind == .permission {
      hint = "change the permissions, or set PHOTOEDIT_STATE to a folder for edits"
    }
  }

  /// Creates the failure of a video's edit from the underlying error.
  ///
  /// - Parameter input: The name of the video as given by the user.
  init(_ error: EditingError, movie input: String) {
    switch error.underlying {
    case let error as VideoError:
      self.init(error, input: input)
      if case .movie(.unsupportedStream(let stream, _, _)) = error,
        let info = try? PassthroughExport.inspect(input),
        info.streams.contains(where: { $0.index == stream && $0.kind != .video })
      {
        hint = "use --drop-streams to leave it out"
      }
    case let error as UnsupportedNode: self.init(error, input: input)
    default:
      self.init(error)
      if error.reportName != nil, error.path != nil { message = "\(input): \(error.message)" }
    }
  }

  /// Returns the failure with the path of a folder instead of another one for the same folder.
  func naming(_ path: String, insteadOf other: String) -> CommandFailure {
    var failure = self
    failure.message = message.replacing(other, with: path)
    failure.hint = hint?.replacing(other, with: path)
    return failure
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
