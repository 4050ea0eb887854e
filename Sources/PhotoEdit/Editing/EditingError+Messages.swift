// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
package import PhotoEditRendering
package import PhotoEditStorage

/// All error messages, one sentence each.
extension EditingError {
  static func invalidAdjustmentData(_ reason: String) -> EditingError {
    EditingError(.changeNotSupported, "adjustment data refused: \(reason)")
  }

  static let missingAdjustmentData = EditingError(
    .changeNotSupported, "the output has no adjustment data",
    hint: "set adjustmentData before the commit, so that the edit can be reopened")

  package static let cancelled = EditingError(.userCancelled, "cancelled; nothing was changed")

  static func missingRendering(_ path: String) -> EditingError {
    EditingError(
      .missingResource, path: path, "nothing was written to renderedContentURL",
      hint: "write the rendering there before the commit")
  }

  static func wrongRendering(_ path: String, found: String) -> EditingError {
    EditingError(
      .invalidResource, path: path,
      "the rendering is of the wrong kind: expected public.jpeg, found \(found)",
      hint: "encode the picture as a JPEG")
  }

  static func sidewaysRendering(_ path: String, orientation: Int) -> EditingError {
    EditingError(
      .invalidResource, path: path,
      "the rendering has orientation \(orientation), it must be upright (1 or no tag)",
      hint: "turn the pixels and set the EXIF and XMP orientation to 1")
  }

  static func damagedRendering(_ path: String, _ error: CodecError) -> EditingError {
    EditingError(.invalidResource, path: path, "the rendering cannot be decoded: \(error)")
  }

  package static func otherAsset(expected: String, found: String) -> EditingError {
    EditingError(
      .changeNotSupported, path: expected, "the output belongs to another photo, \(found)")
  }

  package static let usedOutput = EditingError(
    .changeNotSupported, "the output has been committed already",
    hint: "begin a new session for the next edit")

  package static func editedElsewhere(_ path: String) -> EditingError {
    EditingError(
      .operationInterrupted, path: path, "edited elsewhere since this session began",
      hint: "the output is still usable: open the photo again and repeat")
  }

  static func noInput(_ path: String) -> EditingError {
    EditingError(
      .requestNotSupportedForAsset, path: path,
      "the photo is made in the same commit, so that there is no input to render like",
      hint: "write a JPEG to renderedContentURL")
  }

  static func changedOriginal(
    _ path: String, recorded: Digest, found: Digest, isMovie: Bool = false
  ) -> EditingError {
    let what = isMovie ? "movie" : "photo"
    return EditingError(
      .invalidResource, path: path,
      "the \(what) is not the one that was edited"
        + (isMovie
          ? " (recorded \(recorded), found \(found))" : ": recorded \(recorded), found \(found)"),
      hint: "'photoedit adjust --accept-original' applies the edit to the \(what) as it is now, "
        + "'photoedit apply --replace' starts a new one, 'photoedit revert' drops it",
      word: isMovie ? "changed" : nil)
  }

  static func changedMeanwhile(_ path: String, was: Digest, found: Digest) -> EditingError {
    EditingError(
      .operationInterrupted, path: path,
      "the photo changed since this session began: it was \(was), it is \(found)",
      hint: "open the photo again and repeat")
  }

  static func busy(_ path: String, seconds: Int) -> EditingError {
    EditingError(
      .operationInterrupted, path: path,
      "another program has locked the photo for \(seconds) seconds", hint: "try again",
      file: FileError(.busy, path: path, reason: "locked"))
  }

  package static func changedContent(_ path: String, recorded: Digest) -> EditingError {
    EditingError(
      .invalidResource, path: path,
      "the file is not the one that the edit recorded (\(recorded))",
      hint: "put it back, or revert to the original")
  }

  package static func missingContent(_ path: String, recorded: Digest) -> EditingError {
    EditingError(
      .missingResource, path: path, "the file that the edit recorded (\(recorded)) is gone",
      hint: "put it back, or revert to the original")
  }

  /// Returns the error for an existing file that may be the user's own.
  ///
  /// - Parameter isNamed: Whether the path follows from the photo's name or was given by the user,
  ///   rather than coming from the sidecar alone.
  static func occupied(_ path: String, isNamed: Bool = true) -> EditingError {
    inTheWay(
      path,
      isNamed
        ? "a file is there that this program did not write, or that was changed since"
        : "the sidecar names this file as the rendering, and the file does not prove it",
      hint: isNamed
        ? "use --force to replace it, or -o to write elsewhere"
        : "name it with -o if it is, or write elsewhere with -o", reason: "exists")
  }

  /// Returns the error for a path that is not written to because of an existing file or its
  /// purpose.
  private static func inTheWay(
    _ path: String, _ message: String, hint: String, reason: String
  ) -> EditingError {
    EditingError(
      .changeNotSupported, path: path, message, hint: hint,
      file: FileError(.exists, path: path, reason: reason))
  }

  static func elsewhere(_ path: String) -> EditingError {
    inTheWay(
      path, "the rendering is in another folder, where nothing is changed unless you name it",
      hint: "name the same file again with -o, or another one", reason: "is in another folder")
  }

  static func hasOwnEdit(_ path: String) -> EditingError {
    inTheWay(
      path, "this photo has an edit of its own",
      hint: "choose another name with -o", reason: "is edited itself")
  }

  static func specialFile(_ path: String) -> EditingError {
    inTheWay(
      path, "a folder or special file is in the way",
      hint: "choose another name with -o", reason: "is no regular file")
  }

  static func isOriginal(_ path: String) -> EditingError {
    inTheWay(
      path, "the rendering would replace the original",
      hint: "originals are never written; choose another name with -o", reason: "is the original")
  }

  static func reservedPlace(_ path: String) -> EditingError {
    inTheWay(
      path, "this place is for the record of an edit or for another program's edit of this photo",
      hint: "choose another name with -o", reason: "is reserved")
  }

  static func unwritable(_ path: String) -> EditingError {
    EditingError(
      .changeNotSupported, path: path,
      "the record of the edit has a text that a property list cannot hold",
      hint: "names must not contain control characters")
  }

  static func damagedOriginal(_ path: String, recorded: Digest, found: Digest) -> EditingError {
    EditingError(
      .invalidResource, path: path,
      "the original is not the one that came in: recorded \(recorded), found \(found)",
      hint: "put it back from a copy")
  }

  static func foreignSidecar(_ path: String, writer: String) -> EditingError {
    inTheWay(
      path, "the sidecar's place is taken by a file of \(writer), which is never overwritten",
      hint: "move it away, or use --no-sidecar", reason: "exists")
  }

  static func newerSidecar(_ path: String, version: String) -> EditingError {
    EditingError(
      .invalidResource, path: path,
      "written by a newer version of this program (layout \(version))",
      hint: "use that version; this one leaves the file untouched")
  }

  static func damagedSidecar(_ path: String, _ reason: String) -> EditingError {
    EditingError(
      .invalidResource, path: path, "the sidecar is damaged: \(reason)",
      hint: "put back a copy, or move it away to start from the original")
  }

  static func wouldLose(_ path: String, _ report: RenderReport) -> EditingError {
    var losses = report.losses.map { "\($0.kind) (\($0.detail))" }
    var word: String?
    if case .movie(let movie) = report { (losses, word) = (movie.losses, "losses") }
    return EditingError(
      .invalidResource, path: path, "the rendering would lose " + losses.joined(separator: ", "),
      hint: "without --strict it is made and the losses are reported", word: word)
  }

  package static func nothingToUndo(_ path: String) -> EditingError {
    EditingError(.changeNotSupported, path: path, "there is no earlier state to go back to")
  }

  package static func nothingToRedo(_ path: String) -> EditingError {
    EditingError(.changeNotSupported, path: path, "there is no undone state to go forward to")
  }

  package static func notEdited(_ path: String) -> EditingError {
    EditingError(
      .requestNotSupportedForAsset, path: path, "the photo is not edited",
      hint: "apply a filter first")
  }

  package static func notResumable(_ path: String, _ reason: String) -> EditingError {
    EditingError(
      .requestNotSupportedForAsset, path: path, "the edit cannot be changed because \(reason)",
      hint: "'apply' goes on from the rendering as it is")
  }

  package init(_ error: FileError) {
    let code: Code =
      switch error.kind {
      case .missing: .missingResource
      case .empty, .notRegular, .tooLarge: .invalidResource
      case .permission: .accessUserDenied
      case .noSpace: .notEnoughSpace
      case .busy, .changed: .operationInterrupted
      case .exists, .noPlace: .changeNotSupported
      case .io: .internalError
      }
    self.init(code, path: error.path, error.reason, file: error)
  }

  package init(_ error: RenderError, path: String) {
    switch error {
    case .cancelled: self = .cancelled
    case .otherPicture:
      self.init(
        .operationInterrupted, path: path, "\(error)",
        hint: "use --replace to edit the photo as it is now, or 'photoedit revert' to drop the edit"
      )
    case .otherColorSpace:
      self.init(
        .changeNotSupported, path: path, "\(error)",
        hint: "make the pixels in the color space of those that the input gives")
    case .pixels(let underlying):
      self.init(.invalidResource, path: path, "\(error)", underlying: underlying)
      return
    case .graph, .tooLarge: self.init(.changeNotSupported, path: path, "\(error)")
    case .codec(.damaged):
      self.init(
        .invalidResource, path: path, "\(error)", hint: "render what is real with --lenient")
    case .codec(.noThreads), .codec(.outOfMemory):
      self.init(.operationInterrupted, path: path, "\(error)")
    case .codec, .metadata: self.init(.invalidResource, path: path, "\(error)")
    }
    underlying = error
  }
}

/// Runs a body and rethrows its file error as an editing error.
package func filing<Result: ~Copyable>(
  _ body: () throws(FileError) -> Result
) throws(EditingError) -> Result {
  do {
    return try body()
  } catch {
    throw EditingError(error)
  }
}
