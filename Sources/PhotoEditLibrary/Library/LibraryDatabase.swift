// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A connection of a library whose failures are the library's own.
struct LibraryDatabase {
  let connection: Connection

  /// Runs a call of SQLite.
  func calling<Value>(
    _ body: () throws(DatabaseError) -> Value
  ) throws(LibraryError) -> Value {
    do throws(DatabaseError) { return try body() } catch {
      throw LibraryError(error, path: connection.path)
    }
  }

  /// Runs one statement to its end; gives the number of rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: [SQLValue] = []) throws(LibraryError) -> Int {
    try calling { () throws(DatabaseError) in try connection.run(sql, values) }
  }

  /// Every row, made into something.
  func all<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ make: (Row) -> Value
  ) throws(LibraryError) -> [Value] {
    try calling { () throws(DatabaseError) in try connection.all(sql, values, make) }
  }

  /// The first column of every row, which holds integers.
  func integers(_ sql: String, _ values: [SQLValue] = []) throws(LibraryError) -> [Int64] {
    try calling { () throws(DatabaseError) in try connection.integers(sql, values) }
  }

  /// The first row, made into something; nil when there is none.
  func first<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ make: (Row) -> Value
  ) throws(LibraryError) -> Value? {
    try calling { () throws(DatabaseError) in try connection.first(sql, values, make) }
  }

  /// The row number of an object that is neither in the trash nor gone.
  func row(of identifier: LocalIdentifier) throws(LibraryError) -> Int64? {
    switch identifier.objectClass {
    case .asset:
      try first("SELECT id FROM asset WHERE uuid = ? AND state = 0", [.blob(identifier.bytes)]) {
        $0.int(0)
      }
    case .assetCollection, .collectionList:
      try first(
        "SELECT id FROM collection WHERE uuid = ? AND class = ? AND state = 0",
        [.blob(identifier.bytes), .integer(Int64(identifier.objectClass.rawValue))]
      ) { $0.int(0) }
    }
  }

  /// The latest commit that this connection sees.
  func version() throws(LibraryError) -> Int64 {
    try first("SELECT coalesce(max(id), 0) FROM change") { $0.int(0) } ?? 0
  }
}

extension LibraryDatabase {
  /// Opens a file, which need not be that of a library that is in use.
  init(_ path: String, _ mode: Connection.Mode) throws(LibraryError) {
    do throws(DatabaseError) { connection = try Connection(path, mode) } catch {
      throw LibraryError(error, path: path)
    }
  }
}
