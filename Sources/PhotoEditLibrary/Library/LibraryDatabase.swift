// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage

/// A connection to a library's database that reports errors as `LibraryError`.
struct LibraryDatabase {
  let connection: Connection

  /// Evaluates an SQLite call.
  func calling<Value>(
    _ body: @autoclosure () throws(DatabaseError) -> Value
  ) throws(LibraryError) -> Value {
    try translating({ LibraryError($0, path: connection.path) }, body)
  }

  /// Runs one statement to completion; returns the number of rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: [DatabaseValue] = []) throws(LibraryError) -> Int {
    try calling(connection.run(sql, values))
  }

  /// Returns every row, converted by a closure.
  func all<Value>(
    _ sql: String, _ values: [DatabaseValue] = [], _ make: (Row) -> Value
  ) throws(LibraryError) -> [Value] {
    try calling(connection.all(sql, values, make))
  }

  /// Calls a closure with every row.
  func each(_ sql: String, _ body: (Row) -> Void) throws(LibraryError) {
    try calling(connection.each(sql, [], body))
  }

  /// Returns the first column of every row, which contains integers.
  func integers(_ sql: String, _ values: [DatabaseValue] = []) throws(LibraryError) -> [Int64] {
    try calling(connection.integers(sql, values))
  }

  /// Returns the first row, converted by a closure; nil without rows.
  func first<Value>(
    _ sql: String, _ values: [DatabaseValue] = [], _ make: (Row) -> Value
  ) throws(LibraryError) -> Value? {
    try calling(connection.first(sql, values, make))
  }

  /// Returns the row of an object that is neither trashed nor deleted.
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

  /// Returns the latest commit that this connection sees.
  func version() throws(LibraryError) -> Int64 {
    try first("SELECT coalesce(max(id), 0) FROM change") { $0.int(0) } ?? 0
  }
}

extension LibraryDatabase {
  /// Opens a file, which may be any library database.
  init(_ path: String, _ mode: Connection.Mode) throws(LibraryError) {
    connection = try translating(
      { LibraryError($0 as DatabaseError, path: path) }, Connection(path, mode))
  }
}
