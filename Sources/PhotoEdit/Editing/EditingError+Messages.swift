// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

extension EditingError {
  static func invalidAdjustmentData(_ reason: String) -> EditingError {
    EditingError(.changeNotSupported, "invalid adjustment data: \(reason)")
  }

  static let missingAdjustmentData = EditingError(
    .changeNotSupported, "the output has no adjustment data",
    hint: "set adjustmentData before committing")

  package static let cancelled = EditingError(.userCancelled, "canceled; nothing was changed")

  static func missingRendering(_ path: String) -> EditingError {
    EditingError(
      .missingResource, path: path, "no rendering was written to renderedContentURL",
      hint: "write the rendering before committing")
  }

  static func wrongRendering(_ path: String, found: String) -> EditingError {
    EditingError(
      .invalidResource, path: path,
      "unexpected format of the rendering: expected public.jpeg, found \(found)",
      hint: "encode the image as JPEG")
  }

  static func sidewaysRendering(_ path: String, orientation: Int) -> EditingError {
    EditingError(
      .invalidResource, path: path,
      "the rendering has orientation \(orientation); it must be up (1 or no tag)",
      hint: "rotate the pixels and set the EXIF and XMP orientation to 1")
  }

  static func damagedRendering(_ path: String, _ error: CodecError) -> EditingError {
    EditingError(.invalidResource, path: path, "the rendering cannot be decoded: \(error)")
  }

  package static func otherAsset(expected: String, found: String) -> EditingError {
    EditingError(
      .changeNotSupported, path: expected, "the output belongs to another photo (\(found))")
  }

  package static let usedOutput = EditingError(
    .changeNotSupported, "the output was already committed",
    hint: "start a new session for the next edit")

  package static func editedByAnotherProcess(_ path: String) -> EditingError {
    EditingError(
      .operationInterrupted, path: path, "edited by another process since this session began",
      hint: "open the photo again and repeat the edit; the output is kept")
  }

  static func noInput(_ path: String) -> EditingError {
    EditingError(
      .requestNotSupportedForAsset, path: path,
      "the photo is created in the same commit, so there is no editing input to render from",
      hint: "write a JPEG to renderedContentURL")
  }

  static func changedOriginal(
    _ path: String, recorded: SHA256Digest, found: SHA256Digest, isMovie: Bool = false
  ) -> EditingError {
    let what = isMovie ? "video" : "photo"
    return EditingError(
      .invalidResource, path: path,
      "original has changed since it was edited (expected \(recorded), found \(found))",
      hint: "use 'photoedit adjust --accept-original' to apply the edit to the current \(what), "
        + "'photoedit apply --replace' to start over, or 'photoedit revert' to discard the edit",
      reportName: isMovie ? "changed" : nil)
  }

  static func changedMeanwhile(_ path: String, was: SHA256Digest, found: SHA256Digest)
    -> EditingError
  {
    EditingError(
      .operationInterrupted, path: path,
      "the photo has changed since this session began (expected \(was), found \(found))",
      hint: "open the photo again and repeat the edit")
  }

  static func busy(_ path: String, seconds: Int) -> EditingError {
    EditingError(
      .operationInterrupted, path: path,
      "the photo has been locked by another process for \(seconds) seconds", hint: "try again",
      file: FileError(.busy, path: path, reason: "locked"))
  }

  package static func changedContent(_ path: String, recorded: SHA256Digest) -> EditingError {
    EditingError(
      .invalidResource, path: path,
      "file has changed since it was edited (expected \(recorded))",
      hint: "restore the file, or revert to the original")
  }

  package static func missingContent(_ path: String, recorded: SHA256Digest) -> EditingError {
    EditingError(
      .missingResource, path: path, "file recorded by the edit (\(recorded)) is missing",
      hint: "restore the file, or revert to the original")
  }

  /// Returns the error for an existing file that may be the user's own.
  ///
  /// - Parameter isNamed: Whether the path is derived from the photo's name or was given by the
  ///   user, rather than coming from the sidecar alone.
  static func occupied(_ path: String, isNamed: Bool = true) -> EditingError {
    pathConflict(
      path,
      isNamed
        ? "already exists and was not written by photoedit, or was modified since"
        : "the sidecar names this file as its rendering, but the file does not match",
      hint: isNamed
        ? "use --force, or -o for another path"
        : "specify this path with -o if it is the rendering, or use -o for another path",
      reason: "exists")
  }

  /// Returns the error for a path that is not written to because of an existing file or its
  /// purpose.
  private static func pathConflict(
    _ path: String, _ message: String, hint: String, reason: String
  ) -> EditingError {
    EditingError(
      .changeNotSupported, path: path, message, hint: hint,
      file: FileError(.exists, path: path, reason: reason))
  }

  static func inAnotherFolder(_ path: String) -> EditingError {
    pathConflict(
      path, "the rendering is in another folder and is only changed if specified",
      hint: "specify the same file again with -o, or another one", reason: "is in another folder")
  }

  static func hasOwnEdit(_ path: String) -> EditingError {
    pathConflict(
      path, "file has an edit of its own",
      hint: "choose another path with -o", reason: "has its own edit")
  }

  static func specialFile(_ path: String) -> EditingError {
    pathConflict(
      path, "not a regular file",
      hint: "choose another path with -o", reason: "is not a regular file")
  }

  static func isOriginal(_ path: String) -> EditingError {
    pathConflict(
      path, "the rendering would replace the original",
      hint: "choose another path with -o; originals are never modified", reason: "is the original")
  }

  static func reservedPath(_ path: String) -> EditingError {
    pathConflict(
      path, "path is reserved for the sidecar",
      hint: "choose another path with -o", reason: "is reserved")
  }

  static func unwritable(_ path: String) -> EditingError {
    EditingError(
      .changeNotSupported, path: path,
      "the adjustment data has a string that a property list cannot contain",
      hint: "remove control characters from names")
  }

  static func damagedOriginal(_ path: String, recorded: SHA256Digest, found: SHA256Digest)
    -> EditingError
  {
    EditingError(
      .invalidResource, path: path,
      "original has changed since it was imported (expected \(recorded), found \(found))",
      hint: "restore it from a backup")
  }

  static func occupiedSidecarPath(_ path: String, writer: String) -> EditingError {
    pathConflict(
      path, "\(writer) already exists at the path of the sidecar and is never overwritten",
      hint: "move it away, or use --no-sidecar", reason: "exists")
  }

  static func newerSidecar(_ path: String, version: String) -> EditingError {
    EditingError(
      .invalidResource, path: path,
      "written by a newer version of photoedit (layout \(version))",
      hint: "upgrade photoedit; the file was not changed")
  }

  static func damagedSidecar(_ path: String, _ reason: String) -> EditingError {
    EditingError(
      .invalidResource, path: path, "the sidecar is damaged: \(reason)",
      hint: "restore it from a backup, or move it away to start from the original")
  }

  static func lossyOutput(_ path: String, _ report: RenderReport) -> EditingError {
    var losses = report.losses.map { "\($0.kind) (\($0.detail))" }
    var reportName: String?
    if case .movie(let movie) = report { (losses, reportName) = (movie.losses, "losses") }
    return EditingError(
      .invalidResource, path: path, "the output would lose " + losses.joined(separator: ", "),
      hint: "omit --strict to report the losses and render it anyway", reportName: reportName)
  }

  package static func nothingToUndo(_ path: String) -> EditingError {
    EditingError(.changeNotSupported, path: path, "nothing to undo")
  }

  package static func nothingToRedo(_ path: String) -> EditingError {
    EditingError(.changeNotSupported, path: path, "nothing to redo")
  }

  package static func notEdited(_ path: String) -> EditingError {
    EditingError(
      .requestNotSupportedForAsset, path: path, "photo is not edited",
      hint: "apply a filter first")
  }

  package static func notResumable(_ path: String, _ reason: String) -> EditingError {
    EditingError(
      .requestNotSupportedForAsset, path: path, "the edit cannot be changed because \(reason)",
      hint: "use 'photoedit apply' to edit the current rendering")
  }

  package init(_ error: FileError) {
    self.init(Code(error.failureClass), path: error.path, error.reason, file: error)
  }

  /// Converts the error of a renderer or of another lower level.
  ///
  /// - Parameter path: The path of the file, for errors that do not name it.
  package init(_ error: some PhotoEditError, path: String) {
    guard error.failureClass != .cancelled else {
      self = .cancelled
      underlying = error
      return
    }
    var (hint, cause): (String?, any Error) = (error.file == nil ? error.hint : nil, error)
    switch error as? RenderError {
    case .sourceMismatch:
      hint =
        "use --replace to edit the current photo, or use 'photoedit revert' to discard the edit"
    case .pixels(let error): cause = error
    default: break
    }
    self.init(
      Code(error.failureClass), path: error.path ?? path, error.message, hint: hint,
      file: error.file, underlying: cause)
  }
}

/// Evaluates an expression and rethrows its file error as an editing error.
package func mapFileErrors<Result: ~Copyable>(
  _ body: @autoclosure () throws(FileError) -> Result
) throws(EditingError) -> Result {
  try translating(EditingError.init, body)
}
