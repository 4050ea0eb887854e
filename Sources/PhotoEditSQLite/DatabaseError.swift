// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSQLite

/// A failed SQLite call: its result code, message and statement.
///
/// Bound values are not included, because titles and locations are private.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  package let code: ResultCode
  /// The error message of SQLite.
  package let message: String
  /// The statement, if any.
  package let sql: String?

  package init(_ code: ResultCode, _ message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// The text "database is locked (5)", followed by the statement.
  package var description: String {
    "\(message) (\(code.rawValue))" + (sql.map { ", in: " + Self.shortened($0) } ?? "")
  }

  private static func shortened(_ sql: String) -> String {
    let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > 200 ? line.prefix(200) + "…" : line
  }
}

/// A result code of SQLite; unknown codes of future versions are preserved.
package struct ResultCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The primary code without details: `SQLITE_IOERR_READ` is an `ioError`.
  package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

  /// The codes of a connection that cannot create or extend the memory shared with others:
  /// `SQLITE_IOERR_SHMOPEN`, `SQLITE_IOERR_SHMSIZE` and `SQLITE_IOERR_SHMMAP`.
  private static let sharedMemory: Set<Int32> = [
    SQLITE_IOERR | 18 << 8, SQLITE_IOERR | 19 << 8, SQLITE_IOERR | 21 << 8,
  ]
  /// Indicates whether the memory that connections share is not available, as on a full disk.
  package var isWithoutSharedMemory: Bool {
    Self.sharedMemory.contains(rawValue) || primary == .full || primary == .cannotOpen
  }
  /// The primary code that corresponds to the cause.
  ///
  /// Shared memory that cannot be extended means a full disk, and a reader that cannot use the
  /// memory of another process was overtaken by it; `SQLITE_IOERR_SHMSIZE`,
  /// `SQLITE_READONLY_RECOVERY` and `SQLITE_READONLY_CANTINIT`.
  package var cause: ResultCode {
    switch rawValue {
    case SQLITE_IOERR | 19 << 8: .full
    case SQLITE_READONLY | 1 << 8, SQLITE_READONLY | 5 << 8: .busy
    default: primary
    }
  }

  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  package static let permission = ResultCode(rawValue: SQLITE_PERM)
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  package static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  package static let noMemory = ResultCode(rawValue: SQLITE_NOMEM)
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  package static let interrupted = ResultCode(rawValue: SQLITE_INTERRUPT)
  package static let ioError = ResultCode(rawValue: SQLITE_IOERR)
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  package static let full = ResultCode(rawValue: SQLITE_FULL)
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)

  package static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)

  package static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
  package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}
