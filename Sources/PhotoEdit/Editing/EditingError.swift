// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditRendering
public import PhotoEditStorage

/// Why an edit could not be begun, committed or taken back; nothing has changed then.
public struct EditingError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is; the numbers are PhotoKit's.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// A mistake of this library.
    case internalError = -1
    /// Somebody asked to stop.
    case userCancelled = 3072
    /// The request has the wrong shape.
    case changeNotSupported = 3300
    /// Somebody else changed the asset meanwhile; fetch it again and repeat.
    case operationInterrupted = 3301
    /// Content that cannot be accepted.
    case invalidResource = 3302
    /// Content that is not there.
    case missingResource = 3303
    /// The disk is full.
    case notEnoughSpace = 3305
    /// The asset does not allow this request.
    case requestNotSupportedForAsset = 3306
    /// The user may not read or write there.
    case accessUserDenied = 3311
  }

  /// What kind of failure it is.
  public let code: Code
  /// The file concerned, where there is one.
  public let path: String?
  /// What went wrong, with the values.
  public let message: String
  /// The way out, where there is one.
  public let hint: String?
  /// The failure of a file operation beneath, where there is one.
  public let file: FileError?
  /// The failure of a renderer beneath, such as a `RenderError`; nil where there is none.
  public package(set) var underlying: (any Error)?
  /// How scripts know the failure, where they know more of it than the code.
  package let word: String?

  package init(
    _ code: Code, path: String? = nil, _ message: String, hint: String? = nil,
    file: FileError? = nil, word: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.path = path
    self.message = message
    self.hint = hint
    self.file = file
    self.word = word
    self.underlying = underlying
  }

  /// "photo.jpg: what went wrong; the way out".
  public var description: String {
    (errorDescription ?? message) + (hint.map { "; " + $0 } ?? "")
  }
}

extension EditingError: LocalizedError {
  /// The domain of the numbers, which is PhotoKit's.
  public static let errorDomain = "PHPhotosErrorDomain"

  /// The failure, with the path of the file concerned.
  public var errorDescription: String? { (path.map { $0 + ": " } ?? "") + message }

  /// The way out, where there is one.
  public var recoverySuggestion: String? { hint }
}
