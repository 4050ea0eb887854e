// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
public import PhotoEdit
import PhotoEditSQLite
public import PhotoEditStorage

/// An error in opening, reading or changing a library; nothing was changed.
public struct LibraryError: PhotosError {
  /// The error domain of the codes, the same as PhotoKit's.
  public static let errorDomain = EditingError.errorDomain
  /// The kind of error; the raw values match PhotoKit.
  public typealias Code = PhotosErrorCode

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

  /// Creates an error, such as that of a change block of another package.
  ///
  /// - Parameters:
  ///   - code: The kind of error.
  ///   - path: The path of the file concerned, if any.
  ///   - message: The error with the values found, without the path and without a full stop.
  ///   - hint: The suggested remedy, if any.
  ///   - identifiers: The local identifiers of the objects concerned.
  ///   - position: The first wrong character of a predicate, counted from 1.
  ///   - file: The failed file operation, if any; its class is that of the error.
  public init(
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

  /// Returns the error for a database that a repair sets aside.
  static func damagedDatabase(_ path: String, _ reason: String) -> LibraryError {
    var error = LibraryError(
      .invalidResource, path: path, "the library database is damaged: \(reason)",
      hint: "rebuild it from the files with 'photoedit library repair'")
    error.isDamage = true
    return error
  }

  init(_ error: FileError) { self.init(error, error.reason) }

  /// Converts the failure of a file operation, with a description in terms of the library.
  init(_ error: FileError, _ message: String, hint: String? = nil) {
    self.init(
      Code(error.failureClass), path: error.path, message, hint: hint, file: error)
  }

  init(_ error: EditingError) {
    self.init(error.code, path: error.path, error.message, hint: error.hint, file: error.file)
  }

  init(_ error: DatabaseError, path: String) {
    switch error.code.cause {
    case .busy, .locked:
      self.init(
        FileError(.busy, path: path, reason: "locked"), "another process is writing to the library",
        hint: "try again")
    case .full: self.init(FileError(.noSpace, path: path, reason: "the disk is full"))
    case .readOnly, .permission:
      self.init(
        FileError(.permission, path: path, reason: "read-only"),
        "no permission to write to the library")
    case .corrupt, .notADatabase: self = .damagedDatabase(path, error.message)
    // A damaged full-text index is an SQL error for SQLite.
    case .error
    where ["invalid fts5 file format", "no such fts5 table"].contains(
      where: error.message.hasPrefix):
      self = .damagedDatabase(path, error.message)
    case .interrupted: self.init(.userCancelled, path: path, "canceled; nothing was changed")
    case .noMemory:
      self.init(
        .operationInterrupted, path: path, "not enough memory; nothing was changed",
        hint: "raise the process limit (ulimit)")
    case .ioError where error.sql == "COMMIT":
      self.init(
        FileError(.io, path: path, reason: error.message),
        "disk error while saving the change: \(error)",
        hint: "reopen the library to see whether the change was saved")
    case .cannotOpen, .ioError:
      self.init(FileError(.io, path: path, reason: error.message), "\(error)")
    default: self.init(.internalError, path: path, "\(error)")
    }
  }

  /// Converts an error from a block that only throws `LibraryError`.
  init(thrown error: any Error) {
    self = error as? LibraryError ?? LibraryError(.internalError, "\(error)")
  }
}
