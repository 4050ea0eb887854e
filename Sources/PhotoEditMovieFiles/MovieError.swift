// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// An error of reading, converting or editing a video file.
public enum MovieError: PhotoEditError, Hashable {
  /// The bytes are not a supported video; `found` names the detected format.
  case notAMovie(found: String)
  /// QuickTime is required here; `found` is the type identifier of the actual file.
  case notQuickTime(found: String)
  /// A stream that the QuickTime file cannot hold unchanged; nothing was written.
  case unsupportedStream(stream: Int, codec: String, reason: String)
  /// An edit that is not possible for this video; nothing was written.
  case impossibleEdit(edit: String, reason: String)
  /// A library that this container requires is not installed or is incompatible.
  case libraryMissing(name: String, reason: String)
  /// The file is inconsistent or truncated.
  case damaged(String)
  /// The file exceeds a limit for reading in bounded memory.
  case tooLarge(what: String, value: Int, limit: Int)
  /// The written file does not match the source; it has been removed.
  case verificationFailed(String)
  /// A system call on a file failed.
  case file(FileError)
  /// The caller canceled the operation; no files remain.
  case cancelled

  /// The class, the name and the hint of the case.
  public var facts: FailureFacts {
    switch self {
    case .file(let error): error.facts
    case .libraryMissing(let name, _): SharedLibrary.missing(name)
    case .verificationFailed: FailureFacts(.internalError, "movie")
    case .cancelled: FailureFacts(.cancelled, "cancelled")
    default: FailureFacts(.unsuitable, "movie")
    }
  }

  /// The failed file operation, if any.
  public var file: FileError? {
    if case .file(let error) = self { error } else { nil }
  }

  /// One sentence: the problem, its location and the remedy.
  public var description: String {
    switch self {
    case .notAMovie(let found):
      "not a supported video (found \(found); supported: \(MovieContainer.readable))"
    case .notQuickTime(let found):
      "expected com.apple.quicktime-movie, found \(found)"
    case .unsupportedStream(let stream, let codec, let reason):
      "stream \(stream) (\(codec)) cannot be stored in a QuickTime movie: \(reason)"
    case .impossibleEdit(let edit, let reason):
      "'\(edit)' cannot be applied to this video: \(reason)"
    case .libraryMissing(let name, let reason):
      "\(name) is required for this video but could not be loaded (\(reason)); install it"
    case .damaged(let message):
      "the video is damaged: \(message)"
    case .tooLarge(let what, let value, let limit):
      "the video has \(value) \(what) (maximum: \(limit))"
    case .verificationFailed(let what):
      "the written QuickTime movie does not match its source and was removed: \(what)"
    case .file(let error):
      error.description
    case .cancelled:
      "canceled; nothing was written"
    }
  }
}
