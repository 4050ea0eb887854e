// SPDX-License-Identifier: Apache-2.0

/// The class of a failure: the meaning for a caller that decides whether and how to try again.
///
/// The exit code of a command, the response of the web server and the code of an `NSError` follow
/// from the class, all in the table ``reports``.
public enum FailureClass: Sendable, Hashable, CaseIterable {
  /// The request is invalid, alone or for the state of the library.
  case invalidRequest
  /// The edit cannot be rendered.
  case invalidEdit
  /// The content is damaged or unsupported, or does not allow the request.
  case unsuitable
  /// The content exceeds a size limit.
  case tooLarge
  /// The history of changes no longer reaches back far enough.
  case expired
  /// The file or object does not exist.
  case missing
  /// A component, volume or connection is missing; another machine may have it.
  case unavailable
  /// An internal error.
  case internalError
  /// The output cannot be created, for example because it exists.
  case cannotCreate
  /// Reading or writing failed.
  case inputOutput
  /// The disk is full.
  case noSpace
  /// Another process or a lack of memory or threads prevents the operation; a retry may help.
  case busy
  /// The edited content has changed; a retry with its current state may help.
  case changed
  /// The user lacks the permission, or a policy forbids the operation.
  case noPermission
  /// The caller canceled the operation.
  case cancelled

  /// The exit code of a command, as in `sysexits.h`, or 128 plus the number of a signal.
  ///
  /// Schedulers repeat a command after 75, and on another machine after 69 and 74.
  public var exitCode: Int32 { reports.exit }

  /// The code of the `NSError`, which is that of PhotoKit.
  public var photosCode: Int { reports.photos }

  /// The end of the type of a response of the web server, which determines its status.
  package var problemType: String { reports.problem }

  private var reports: (exit: Int32, problem: String, photos: Int) {
    switch self {
    case .invalidRequest: (65, "bad-request", 3300)
    case .invalidEdit: (65, "invalid-graph", 3300)
    case .unsuitable: (65, "not-editable", 3302)
    case .tooLarge: (65, "too-large", 3302)
    case .expired: (65, "token-expired", 3105)
    case .missing: (66, "not-found", 3303)
    case .unavailable: (69, "not-editable", 3302)
    case .internalError: (70, "internal", -1)
    case .cannotCreate: (73, "not-editable", 3302)
    case .inputOutput: (74, "internal", -1)
    case .noSpace: (74, "disk-full", 3305)
    case .busy: (75, "busy", 3301)
    case .changed: (75, "stale-edit", 3301)
    case .noPermission: (77, "read-only", 3311)
    case .cancelled: (130, "superseded", 3072)
    }
  }
}

/// The class, the name and the hint of a failure.
public struct FailureFacts: Sendable, Hashable {
  /// The class.
  public let failureClass: FailureClass
  /// The stable name for scripts.
  public let name: String
  /// A suggestion for recovery, if any.
  public let hint: String?

  /// Creates the facts of a failure.
  public init(_ failureClass: FailureClass, _ name: String, hint: String? = nil) {
    self.failureClass = failureClass
    self.name = name
    self.hint = hint
  }
}

/// An error with its class, its name, and if known the file, the position and a hint.
///
/// Errors that a single module throws and catches do not conform.
public protocol PhotoEditError: Error, Sendable, CustomStringConvertible {
  /// The class, the name and the hint.
  var facts: FailureFacts { get }
  /// The failure with its values, without the path and without a full stop.
  var message: String { get }
  /// The path of the file concerned, if any.
  var path: String? { get }
  /// A suggestion for recovery, if any.
  var hint: String? { get }
  /// The position in a text, counted from 1, if known: the character of a predicate or the line of
  /// a file.
  var position: Int? { get }
  /// The failed file operation, if any.
  var file: FileError? { get }
}

extension PhotoEditError {
  /// The class of the failure.
  public var failureClass: FailureClass { facts.failureClass }
  /// The description, or the reason of the failed file operation.
  public var message: String { file?.reason ?? description }
  /// The path of the failed file operation, if any.
  public var path: String? {
    // A `FileError` always has one, which is not this member.
    file.map { (error: FileError) -> String in error.path }
  }
  /// The hint of the facts.
  public var hint: String? { facts.hint }
  /// No position.
  public var position: Int? { nil }
  /// No file operation.
  public var file: FileError? { nil }

  /// Returns the text "photo.jpg: cannot open: Permission denied".
  ///
  /// - Parameter input: The name of the input, for errors that do not name their file.
  package func text(of input: String? = nil) -> String {
    (path ?? input).map { "\($0): \(message)" } ?? message
  }
}
