// SPDX-License-Identifier: Apache-2.0

/// A call of SQLite that failed: its code, its words, and the statement.
///
/// Values that were bound are not part of it: titles and places are nobody's business.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The extended code.
  package let code: ResultCode
  /// What SQLite says.
  package let message: String
  /// The statement, where there is one.
  package let sql: String?

  package init(_ code: ResultCode, _ message: String, sql: String? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  /// "database is locked (5)", and the statement behind it.
  package var description: String {
    "\(message) (\(code.rawValue))" + (sql.map { ", in: " + Self.shortened($0) } ?? "")
  }

  private static func shortened(_ sql: String) -> String {
    let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > 200 ? line.prefix(200) + "…" : line
  }
}
