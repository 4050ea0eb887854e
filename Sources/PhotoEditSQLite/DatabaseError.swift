// SPDX-License-Identifier: Apache-2.0

/// A failed SQLite call: its result code, message and statement.
///
/// Bound values are not included, because titles and locations are private.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The extended result code.
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
