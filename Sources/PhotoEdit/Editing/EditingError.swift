// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// An error that prevented an edit from starting, committing, or being undone; nothing has changed.
public struct EditingError: PhotosError {
  /// The error domain, which matches PhotoKit.
  public static let errorDomain = "PHPhotosErrorDomain"
  /// The kind of failure; the raw values match PhotoKit.
  public typealias Code = PhotosErrorCode

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
  package let reportName: String?

  /// Creates an error, such as that of an `EditingStore` or a `MediaRenderer` of another package.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - path: The path of the file concerned, if any.
  ///   - message: The failure with its values, without the path and without a full stop.
  ///   - hint: A suggestion for recovery, if any.
  ///   - file: The failed file operation, if any; its class is that of the error.
  ///   - reportName: The name of the failure for scripts; nil for that of the code.
  ///   - underlying: The failure of a renderer, if any.
  public init(
    _ code: Code, path: String? = nil, _ message: String, hint: String? = nil,
    file: FileError? = nil, reportName: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.path = path
    self.message = message
    self.hint = hint
    self.file = file
    self.reportName = reportName
    self.underlying = underlying
  }

  /// The class and the name of the cause, otherwise those of the code.
  public var facts: FailureFacts {
    let ofCode: FailureClass =
      switch code {
      case .changeNotSupported: .invalidEdit
      case .operationInterrupted: .changed
      default: code.failureClass
      }
    let cause = file ?? underlying as? any PhotoEditError
    return FailureFacts(
      cause?.failureClass ?? ofCode, file?.facts.name ?? reportName ?? "\(code)", hint: hint)
  }
}
