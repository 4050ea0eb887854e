// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEdit
import PhotoEditSQLite
public import PhotoEditStorage

/// Why a library could not be opened, read or changed; nothing has changed then.
public struct LibraryError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is; the numbers are PhotoKit's.
  public enum Code: Int, Sendable, Hashable, CaseIterable {
    /// A mistake of this library, or a damaged database.
    case internalError = -1
    /// Somebody asked to stop, or did not confirm.
    case userCancelled = 3072
    /// The history no longer reaches back to the token, or the token is of another library.
    case persistentChangeTokenExpired = 3105
    /// The folder of the library is gone or cannot be reached.
    case libraryVolumeOffline = 3114
    /// Another program is taking the library over.
    case relinquishingLibraryBundleToWriter = 3142
    /// The library was replaced by another one.
    case switchingSystemPhotoLibrary = 3143
    /// The content is not on this machine.
    case networkAccessRequired = 3164
    /// A remote place failed.
    case networkError = 3169
    /// No object has this identifier.
    case identifierNotFound = 3201
    /// More than one object has it.
    case multipleIdentifiersFound = 3202
    /// The history of this change is not kept in detail.
    case persistentChangeDetailsUnavailable = 3210
    /// The request has the wrong shape.
    case changeNotSupported = 3300
    /// Somebody else was in the way; repeat.
    case operationInterrupted = 3301
    /// Content that cannot be accepted.
    case invalidResource = 3302
    /// Content that is not there.
    case missingResource = 3303
    /// The disk is full.
    case notEnoughSpace = 3305
    /// The asset does not allow this request.
    case requestNotSupportedForAsset = 3306
    /// The policy of the library or the file system forbids it.
    case accessRestricted = 3310
    /// The user has not allowed it.
    case accessUserDenied = 3311
    /// The folder is kept in step by a program that would damage a database.
    case libraryInFileProviderSyncRoot = 5423
  }

  /// What kind of failure it is.
  public let code: Code
  /// The file concerned, where there is one.
  public let path: String?
  /// What went wrong, with the values.
  public let message: String
  /// The way out, where there is one.
  public let hint: String?
  /// The local identifiers of the objects concerned.
  public let identifiers: [String]
  /// The failure of a file operation beneath, where there is one.
  public let file: FileError?
  /// Whether the database itself is damaged, which a repair makes again.
  private(set) var isDamage = false

  init(
    _ code: Code, path: String? = nil, _ message: String, hint: String? = nil,
    identifiers: [String] = [], file: FileError? = nil
  ) {
    self.code = code
    self.path = path
    self.message = message
    self.hint = hint
    self.identifiers = identifiers
    self.file = file
  }

  /// "library: what went wrong; the way out".
  public var description: String {
    (errorDescription ?? message) + (hint.map { "; " + $0 } ?? "")
  }
}

extension LibraryError: LocalizedError {
  /// The domain of the numbers, which is PhotoKit's.
  public static let errorDomain = EditingError.errorDomain

  /// The failure, with the path of the file concerned.
  public var errorDescription: String? { (path.map { $0 + ": " } ?? "") + message }

  /// The way out, where there is one.
  public var recoverySuggestion: String? { hint }

  /// The only error of a block that throws no other.
  init(thrown error: any Error) {
    self = error as? LibraryError ?? LibraryError(.internalError, "\(error)")
  }
}

extension LibraryError {
  /// A database that a repair sets aside.
  static func damagedDatabase(_ path: String, _ reason: String) -> LibraryError {
    var error = LibraryError(
      .invalidResource, path: path, "the database of the library is damaged: \(reason)",
      hint: "run `photoedit library repair` to rebuild it from the files")
    error.isDamage = true
    return error
  }

  init(_ error: FileError) {
    let code: Code =
      switch error.kind {
      case .missing, .noPlace: .missingResource
      case .exists, .notRegular, .empty, .tooLarge: .invalidResource
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
    switch error.code.primary {
    case .busy, .locked:
      self.init(
        .operationInterrupted, path: path, "another program is writing to the library",
        hint: "try again", file: FileError(.busy, path: path, reason: "locked"))
    case .full:
      self.init(
        .notEnoughSpace, path: path, "the disk is full",
        file: FileError(.noSpace, path: path, reason: "the disk is full"))
    case .readOnly, .permission:
      self.init(
        .accessUserDenied, path: path, "the library cannot be written to here",
        file: FileError(.permission, path: path, reason: "read-only"))
    case .corrupt, .notADatabase: self = .damagedDatabase(path, error.message)
    case .interrupted: self.init(.userCancelled, path: path, "cancelled; nothing was changed")
    case .ioError where error.sql == "COMMIT":
      self.init(
        .internalError, path: path, "the disk failed while the change was made durable: \(error)",
        hint: "whether the change was made shows when the library is opened again",
        file: FileError(.io, path: path, reason: error.message))
    case .cannotOpen, .ioError:
      self.init(
        .internalError, path: path, "\(error)",
        file: FileError(.io, path: path, reason: error.message))
    default: self.init(.internalError, path: path, "\(error)")
    }
  }
}
