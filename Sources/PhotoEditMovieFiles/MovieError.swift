// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// An error of reading, converting or editing a video file.
public enum MovieError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes are not a supported video; `found` names the detected format.
  case notAMovie(found: String)
  /// QuickTime is required here; `found` is the type identifier of the actual file.
  case notQuickTime(found: String)
  /// A stream that the QuickTime file cannot hold unchanged; nothing was written.
  case cannotHold(stream: Int, codec: String, reason: String)
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
  /// The caller cancelled the operation; nothing was left behind.
  case cancelled

  /// One sentence: the problem, its location and the remedy.
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
