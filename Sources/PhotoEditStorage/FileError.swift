// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A system call on a file that failed: which call, on which file, and why.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the failure means for the caller; it decides the exit code.
  public enum Kind: Sendable, Hashable {
    /// There is no such file or folder.
    case missing
    /// Something with that name is there already.
    case exists
    /// A directory, pipe, socket or device where a regular file is needed.
    case notRegular
    /// The file has no bytes.
    case empty
    /// The user may not do that.
    case permission
    /// The disk or the quota is full.
    case noSpace
    /// Larger than the caller allows.
    case tooLarge
    /// The folder that a file is to be written to does not exist.
    case noPlace
    /// Another process holds it.
    case busy
    /// The file changed while it was read.
    case changed
    /// Any other input or output error.
    case io
  }

  /// What the failure means.
  public let kind: Kind
  /// The file or folder.
  public let path: String
  /// A sentence without the file's name: what was tried and what the system said.
  public let reason: String

  /// Makes an error that no system call reported.
  public init(_ kind: Kind, path: String, reason: String) {
    self.kind = kind
    self.path = path
    self.reason = reason
  }

  /// Makes an error from `errno` right after a call failed.
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

  /// The error for a file that cannot be made because its name is longer than names may be.
  package static func nameTooLong(_ path: String) -> FileError {
    let bytes = FileSystem.lastName(of: path).utf8.count
    return FileError(
      .noPlace, path: path, reason: "the name has \(bytes) bytes; file systems allow 255")
  }

  /// "photo.jpg: cannot open: Permission denied".
  public var description: String { "\(path): \(reason)" }
}

/// Runs a body and puts what it throws into the words of the layer above.
package func translating<Value: ~Copyable, Lower: Error, Upper: Error>(
  _ translate: (Lower) -> Upper, _ body: () throws(Lower) -> Value
) throws(Upper) -> Value {
  do throws(Lower) { return try body() } catch { throw translate(error) }
}
