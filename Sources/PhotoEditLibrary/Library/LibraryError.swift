// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEdit
import PhotoEditSQLite
public import PhotoEditStorage

/// An error in opening, reading or changing a library; nothing was changed.
public struct LibraryError: Error, Sendable, CustomStringConvertible {
  /// The kind of error; the raw values match PhotoKit.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// An internal error or a damaged database.
    case internalError = -1
    /// The operation was canceled or not confirmed.
    case userCancelled = 3072
    /// The history no longer reaches back to the token, or the token is of another library.
    case persistentChangeTokenExpired = 3105
    /// The folder of the library was removed or cannot be reached.
    case libraryVolumeOffline = 3114
    /// Another process is taking over the library.
    case relinquishingLibraryBundleToWriter = 3142
    /// The library was replaced by another one.
    case switchingSystemPhotoLibrary = 3143
    /// The content is not on this device.
    case networkAccessRequired = 3164
    /// A remote location failed.
    case networkError = 3169
    /// No object has this identifier.
    case identifierNotFound = 3201
    /// More than one object has this identifier.
    case multipleIdentifiersFound = 3202
    /// The details of this change are not kept in the history.
    case persistentChangeDetailsUnavailable = 3210
    /// The request is invalid.
    case changeNotSupported = 3300
    /// Another process interfered; try again.
    case operationInterrupted = 3301
    /// The content is invalid.
    case invalidResource = 3302
    /// The content is missing.
    case missingResource = 3303
    /// The disk is full.
    case notEnoughSpace = 3305
    /// The asset does not allow this request.
    case requestNotSupportedForAsset = 3306
    /// The policy of the library or the file system forbids the operation.
    case accessRestricted = 3310
    /// The user has not allowed the operation.
    case accessUserDenied = 3311
    /// The folder is synchronized by a program that would damage a database.
    case libraryInFileProviderSyncRoot = 5423
  }

  /// The kind of error.
  public let code: Code
  /// The path of the file concerned, if any.
  public let path: String?
  /// The description of the error, with the values found.
  public let message: String
  /// The suggested remedy, if any.
  public let hint: String?
  /// The local identifiers of the objects concerned.
  public let identifiers: [String]
  /// The first wrong character of a predicate, counted from 1; nil for other errors.
  public let position: Int?
  /// The underlying file error, if any.
  public let file: FileError?
  /// Indicates whether the database is damaged, so that a repair must rebuild it.
  private(set) var isDamage = false

  init(
    _ code: Code, path: String? = nil, _ message: String, hint: String? = nil,
    identifiers: [String] = [], position: Int? = nil, file: FileError? = nil
  ) {
    self.code = code
    self.path = path
    self.message = message
    self.hint = hint
    self.identifiers = identifiers
    self.position = position
    self.file = file
  }

  /// Returns the error with the path of a file or folder instead of another one for the same.
  func naming(_ path: String, insteadOf other: String) -> LibraryError {
    func named(_ text: String) -> String { text.replacing(other, with: path) }
    var error = LibraryError(
      code, path: self.path.map(named), named(message), hint: hint.map(named),
      identifiers: identifiers, position: position,
      file: file.map { FileError($0.kind, path: named($0.path), reason: named($0.reason)) })
    error.isDamage = isDamage
    return error
  }

  /// "path: description of the error; suggested remedy".
  public var description: String {
    (errorDescription ?? message) + (hint.map { "; " + $0 } ?? "")
  }

  /// Returns the error for a database that a repair sets aside.
  static func damagedDatabase(_ path: String, _ reason: String) -> LibraryError {
    var error = LibraryError(
      .invalidResource, path: path, "the library database is damaged: \(reason)",
      hint: "rebuild it from the files with 'photoedit library repair'")
    error.isDamage = true
    return error
  }

  init(_ error: FileError) {
    let code: Code =
      switch error.kind {
      case .missing, .invalidDestination: .missingResource
      case .exists, .notRegular, .outside, .empty, .tooLarge: .invalidResource
      case .permission: .accessUserDenied
      case .noSpace: .notEnoughSpace
      case .busy, .changed: .operationInterrupted
      case .io: .internalError
      }
    self.init(code, path: error.path, error.reason, file: error)
  }

  init(_ error: EditingError) {
    self.init(
      Code(rawValue: error.code.rawValue) ?? .internalError, path: error.path, error.message,
      hint: error.hint, file: error.file)
  }

  init(_ error: DatabaseError, path: String) {
    switch error.code.cause {
    case .busy, .locked:
      self.init(
        .operationInterrupted, path: path, "another process is writing to the library",
        hint: "try again", file: FileError(.busy, path: path, reason: "locked"))
    case .full:
      self.init(
        .notEnoughSpace, path: path, "the disk is full",
        file: FileError(.noSpace, path: path, reason: "the disk is full"))
    case .readOnly, .permission:
      self.init(
        .accessUserDenied, path: path, "no permission to write to the library",
        file: FileError(.permission, path: path, reason: "read-only"))
    case .corrupt, .notADatabase: self = .damagedDatabase(path, error.message)
    case .interrupted: self.init(.userCancelled, path: path, "canceled; nothing was changed")
    case .noMemory:
      self.init(
        .operationInterrupted, path: path, "not enough memory; nothing was changed",
        hint: "raise the process limit (ulimit)")
    case .ioError where error.sql == "COMMIT":
      self.init(
        .internalError, path: path, "disk error while saving the change: \(error)",
        hint: "reopen the library to see whether the change was saved",
        file: FileError(.io, path: path, reason: error.message))
    case .cannotOpen, .ioError:
      self.init(
        .internalError, path: path, "\(error)",
        file: FileError(.io, path: path, reason: error.message))
    default: self.init(.internalError, path: path, "\(error)")
    }
  }
}

extension LibraryError: LocalizedError {
  /// The error domain of the codes, the same as PhotoKit's.
  public static let errorDomain = EditingError.errorDomain

  /// The description of the error, with the path of the file concerned.
  public var errorDescription: String? { (path.map { $0 + ": " } ?? "") + message }

  /// The suggested remedy, if any.
  public var recoverySuggestion: String? { hint }

  /// Converts an error from a block that only throws `LibraryError`.
  init(thrown error: any Error) {
    self = error as? LibraryError ?? LibraryError(.internalError, "\(error)")
  }
}
