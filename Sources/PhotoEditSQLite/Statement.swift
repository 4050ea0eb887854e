// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSQLite

/// A prepared statement, bound to its connection and the connection's thread.
package final class Statement {
  private let handle: OpaquePointer
  private let database: OpaquePointer
  package let sql: String

  /// The C function is `sqlite3_prepare_v3`; exactly one statement is allowed.
  init(_ sql: String, on database: OpaquePointer) throws(DatabaseError) {
    var handle: OpaquePointer?
    var text = sql
    let (code, rest) = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          database, bytes.baseAddress, Int32(clamping: bytes.count),
          UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &tail)
        let rest = bytes.baseAddress.flatMap { base in tail.map { bytes.count - (($0 - base)) } }
        return (code, rest ?? 0)
      }
    }
    guard code == SQLITE_OK else { throw Self.failure(code, database, sql) }
    guard let handle else { throw DatabaseError(.misuse, "SQL statement is empty", sql: sql) }
    guard sql.utf8.suffix(max(0, rest)).allSatisfy({ " \n;".utf8.contains($0) }) else {
      sqlite3_finalize(handle)
      throw DatabaseError(.misuse, "more than one SQL statement", sql: sql)
    }
    self.handle = handle
    self.database = database
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }

  private static func failure(
    _ code: Int32, _ database: OpaquePointer, _ sql: String
  ) -> DatabaseError {
    DatabaseError(
      ResultCode(rawValue: code), String(cString: sqlite3_errmsg(database)), sql: sql)
  }

  /// Binds all parameters; the number of values must equal the number of parameters.
  package func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
    sqlite3_reset(handle)
    let expected = Int(sqlite3_bind_parameter_count(handle))
    guard values.count == expected else {
      throw DatabaseError(
        .misuse, "\(values.count) values for \(expected) parameters", sql: sql)
    }
    for (i, value) in values.enumerated() {
      let code = bind(value, at: Int32(i + 1))
      guard code == SQLITE_OK else { throw Self.failure(code, database, sql) }
    }
  }

  private func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(handle, index)
    case .integer(let number): sqlite3_bind_int64(handle, index, number)
    case .real(let number): sqlite3_bind_double(handle, index, number)
    case .text(var text):
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          pe_sqlite_bind_text(handle, index, bytes.baseAddress, Int32(clamping: bytes.count))
        }
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes {
        pe_sqlite_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
  }

  /// Advances to the next row; returns false after the last one.
  package func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = Self.failure(code, database, sql)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Resets the statement; a cached statement must not keep a read transaction open.
  package func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  package var row: Row { Row(handle) }
}

/// The current row of a statement; valid until the next step.
package struct Row {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  package func int(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  package func bool(_ column: Int) -> Bool { int(column) != 0 }

  package func real(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

  package func optionalInt(_ column: Int) -> Int64? { isNull(column) ? nil : int(column) }

  package func optionalReal(_ column: Int) -> Double? { isNull(column) ? nil : real(column) }

  package func text(_ column: Int) -> String {
    guard let bytes = sqlite3_column_text(handle, Int32(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

  package func blob(_ column: Int) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(handle, Int32(column)) else { return [] }
    return Array(
      UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, Int32(column)))))
  }

  /// Returns the value of a column of any type.
  package func value(_ column: Int) -> DatabaseValue {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: .integer(int(column))
    case SQLITE_FLOAT: .real(real(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }

  /// The number of bytes of text and data in all columns.
  var byteCount: Int {
    (0..<count).reduce(0) { sum, column in
      switch sqlite3_column_type(handle, Int32(column)) {
      case SQLITE_TEXT, SQLITE_BLOB: sum + Int(sqlite3_column_bytes(handle, Int32(column)))
      default: sum
      }
    }
  }

  package var count: Int { Int(sqlite3_column_count(handle)) }
}

/// A SQLite value: a statement parameter or the content of a column.
package enum DatabaseValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
  package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  package init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
  package init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  package init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }
  package init(_ value: Bool) { self = .integer(value ? 1 : 0) }
}

extension DatabaseValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  ExpressibleByNilLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(nilLiteral: ()) { self = .null }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}
