// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// An error that prevented an edit from starting, committing, or being undone; nothing has changed.
public struct EditingError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; the raw values match PhotoKit.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// An internal error of this library.
    case internalError = -1
    /// The operation was canceled.
    case userCancelled = 3072
    /// The request is not valid.
    case changeNotSupported = 3300
    /// The asset was changed in the meantime; fetch it again and repeat.
    case operationInterrupted = 3301
    /// The content cannot be accepted.
    case invalidResource = 3302
    /// The content does not exist.
    case missingResource = 3303
    /// The disk is full.
    case notEnoughSpace = 3305
    /// The asset does not allow this request.
    case requestNotSupportedForAsset = 3306
    /// The user lacks permission to read or write the file.
    case accessUserDenied = 3311
  }

  /// The kind of failure.
  public let code: Code
  /// The path of the file concerned, if any.
  public let path: String?
  /// A description of the failure, with the values.
  public let message: String
  /// A suggestion for recovery, if any.
  public let hint: String?
  /// The underlying failure of a file operation, if any.
  public let file: FileError?
  /// The underlying failure of a renderer, if any, such as a `RenderError`.
  public package(set) var underlying: (any Error)?
  /// The name of the failure for scripts, if it is more specific than the code.
  package let reportCode: String?

  package init(
    _ code: Code, path: String? = nil, _ message: String, hint: String? = nil,
    file: FileError? = nil, reportCode: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.path = path
    self.message = message
    self.hint = hint
    self.file = file
    self.reportCode = reportCode
    self.underlying = underlying
  }

  /// The full message, in the form "photo.jpg: description; suggestion".
  public var description: String {
    (errorDescription ?? message) + (hint.map { "; " + $0 } ?? "")
  }
}

extension EditingError: LocalizedError {
  /// The error domain, which matches PhotoKit.
  public static let errorDomain = "PHPhotosErrorDomain"

  /// The failure, preceded by the path of the file concerned.
  public var errorDescription: String? { (path.map { $0 + ": " } ?? "") + message }

  /// A suggestion for recovery, if any.
  public var recoverySuggestion: String? { hint }
}
