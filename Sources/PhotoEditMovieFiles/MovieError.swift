// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// Why a movie could not be passed through.
public enum MovieError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes are not a movie of a known kind; `found` names what they look like.
  case notAMovie(found: String)
  /// QuickTime is required here; `found` is the type identifier of what came.
  case notQuickTime(found: String)
  /// A stream that the QuickTime file could not hold as it is; nothing was written.
  case cannotHold(stream: Int, codec: String, reason: String)
  /// An edit that this movie does not allow; nothing was written.
  case impossibleEdit(edit: String, reason: String)
  /// A library that is needed for this container is not installed or does not fit.
  case libraryMissing(name: String, reason: String)
  /// The movie contradicts itself or ends early.
  case damaged(String)
  /// Larger than what is read within bounded memory.
  case tooLarge(what: String, value: Int, limit: Int)
  /// The file that was written is not what was read; it has been removed.
  case verificationFailed(String)
  /// A system call on a file failed.
  case file(FileError)
  /// The caller asked to stop; nothing was left behind.
  case cancelled

  /// One sentence: what is wrong, where, and what can be done.
  public var description: String {
    switch self {
    case .notAMovie(let found):
      "expected a QuickTime, MPEG-4, Matroska or AVI movie, found \(found)"
    case .notQuickTime(let found):
      "expected com.apple.quicktime-movie, found \(found)"
    case .cannotHold(let stream, let codec, let reason):
      "stream \(stream) (\(codec)) cannot be kept in a QuickTime movie: \(reason)"
    case .impossibleEdit(let edit, let reason):
      "'\(edit)' cannot be done on this movie: \(reason)"
    case .libraryMissing(let name, let reason):
      "\(name) is needed for this movie and cannot be loaded (\(reason)); install it and try again"
    case .damaged(let message):
      "the movie is damaged: \(message)"
    case .tooLarge(let what, let value, let limit):
      "the movie has \(value) \(what); at most \(limit) are read"
    case .verificationFailed(let what):
      "the QuickTime movie that was written differs from its source and was removed: \(what)"
    case .file(let error):
      error.description
    case .cancelled:
      "stopped on request; nothing was written"
    }
  }
}
