// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A failed system call on a file: the call, the file and the reason.
public struct FileError: PhotoEditError, Hashable {
  /// The meaning of the failure for the caller, which determines its class.
  public enum Kind: Sendable, Hashable {
    /// There is no such file or folder.
    case missing
    /// The name already exists.
    case exists
    /// A directory, pipe, socket or device was found instead of a regular file.
    case notRegular
    /// A name from data leads out of the folder that it must stay in, by itself or by a link.
    case outside
    /// The file is empty.
    case empty
    /// The user does not have permission.
    case permission
    /// The disk or the quota is full.
    case noSpace
    /// The file exceeds the caller's size limit.
    case tooLarge
    /// The destination folder does not exist.
    case invalidDestination
    /// Another process holds the file.
    case busy
    /// The file changed while it was read.
    case changed
    /// Any other input or output error.
    case io
  }

  /// The meaning of the failure.
  public let kind: Kind
  /// The file or folder.
  public let path: String
  /// A sentence without the file's name: the action and the system's message.
  public let reason: String

  /// Creates an error that was not reported by a system call.
  public init(_ kind: Kind, path: String, reason: String) {
    self.kind = kind
    self.path = path
    self.reason = reason
  }

  /// Creates an error from `errno` immediately after a failed call.
  package init(errno code: Int32, _ action: String, path: String) {
    let kind: Kind =
      switch code {
      case ENOENT, ENOTDIR, ENAMETOOLONG: .missing
      case EEXIST: .exists
      case EISDIR, ENXIO, ELOOP: .notRegular
      case EACCES, EPERM, EROFS: .permission
      case ENOSPC, EDQUOT, EFBIG: .noSpace
      case EWOULDBLOCK, EBUSY, ETXTBSY: .busy
      default: .io
      }
    self.init(kind, path: path, reason: "\(action): \(String(cString: strerror(code)))")
  }

  /// Returns the error for a file that cannot be created because its name is too long.
  package static func nameTooLong(_ path: String) -> FileError {
    let bytes = FileSystem.lastName(of: path).utf8.count
    return FileError(
      .invalidDestination, path: path, reason: "file name has \(bytes) bytes (maximum: 255)")
  }

  /// The text "photo.jpg: cannot open: Permission denied".
  public var description: String { "\(path): \(reason)" }

  /// The error itself.
  public var file: FileError? { self }

  /// The class, the name and the hint of the kind.
  public var facts: FailureFacts {
    switch kind {
    case .missing:
      FailureFacts(
        .missing, "missing",
        hint: FileSystem.isReplaced(path)
          ? "rename it; for the files in a folder, change to the folder and name them from there"
          : "check the path")
    case .invalidDestination:
      FailureFacts(
        .cannotCreate, "noPlace", hint: "create the folder first, or choose another path with -o")
    case .exists:
      FailureFacts(
        .cannotCreate, "exists", hint: "use --force to overwrite it, or -o for another path")
    case .notRegular: FailureFacts(.unsuitable, "notRegular", hint: "pass a regular file")
    case .outside:
      FailureFacts(
        .unsuitable, "outside",
        hint: "use a copy of the file in the folder, or pass the file itself")
    case .empty: FailureFacts(.unsuitable, "empty")
    case .permission:
      FailureFacts(
        .noPermission, "permission", hint: "change the permissions of the file or its folder")
    case .noSpace: FailureFacts(.noSpace, "noSpace", hint: "free disk space and try again")
    case .tooLarge: FailureFacts(.tooLarge, "tooLarge")
    case .busy, .changed: FailureFacts(.busy, "busy", hint: "try again")
    case .io: FailureFacts(.inputOutput, "io")
    }
  }
}

/// Runs a body and converts its errors to those of the calling layer.
package func translating<Value: ~Copyable, Lower: Error, Upper: Error>(
  _ translate: (Lower) -> Upper, _ body: () throws(Lower) -> Value
) throws(Upper) -> Value {
  do throws(Lower) { return try body() } catch { throw translate(error) }
}

/// Evaluates an expression and converts its error to that of the calling layer.
package func translating<Value: ~Copyable, Lower: Error, Upper: Error>(
  _ translate: (Lower) -> Upper, _ body: @autoclosure () throws(Lower) -> Value
) throws(Upper) -> Value {
  try translating(translate) { () throws(Lower) in try body() }
}
