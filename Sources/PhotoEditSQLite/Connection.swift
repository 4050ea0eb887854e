// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSQLite

/// A connection to a SQLite file, used by one thread at a time.
///
/// Opened with `SQLITE_OPEN_NOMUTEX`, which SQLite's documentation calls multi-thread mode: safe as
/// long as no two threads use one connection at the same time. `DatabaseQueue` and `ReaderPool`
/// ensure that; a connection never leaves the closure to which they pass it.
package final class Connection {
  /// The ways to open a file.
  package enum Mode: Sendable {
    case readOnly
    /// Without locks and auxiliary files: for a file that is not written to meanwhile.
    case immutable
    case readWrite
    /// Creates the file; it must not exist or must be empty.
    case create
  }

  package let path: String
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// The SQLite VFS without rollback journals, which the databases of this project never have.
  private static let files = pe_sqlite_files().map { String(cString: $0) }

  /// The maximum number of cached prepared statements.
  private static let cachedStatements = 200

  /// Opens a file without reading from it.
  ///
  /// The C function is `sqlite3_open_v2`.
  ///
  /// - Parameter busyTimeout: The time to wait for another writer, in seconds.
  package init(
    _ path: String, _ mode: Mode, busyTimeout: Double = 5
  ) throws(DatabaseError) {
    let access =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var handle: OpaquePointer?
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    let name = mode == .immutable ? Self.immutableName(path) : path
    guard let files = Self.files else {
      throw DatabaseError(.error, "SQLite has no file system interface (VFS)")
    }
    let code = sqlite3_open_v2(name, &handle, flags, files)
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(handle)
      throw DatabaseError(ResultCode(rawValue: code), message)
    }
    self.path = path
    self.handle = handle
    sqlite3_busy_timeout(handle, Int32(clamping: Int(busyTimeout * 1000)))
    // A library may be untrusted: its schema must not run code, and its pages are checked.
    for (option, value) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_ENABLE_FKEY, 1), (SQLITE_DBCONFIG_DQS_DML, 0),
      (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ] {
      var now: Int32 = -1
      let code = pe_sqlite_set(handle, option, Int32(value), &now)
      guard code == SQLITE_OK, now == value else {
        throw DatabaseError(ResultCode(rawValue: code), "SQLite rejected option \(option)")
      }
    }
    guard pe_text_register(handle) == SQLITE_OK else {
      throw DatabaseError(.error, "SQLite did not register the text functions")
    }
  }

  /// Returns a path as a URI with every byte escaped except letters, digits and slashes.
  private static func immutableName(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var name = Array("file:".utf8)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        name.append(byte)
      default: name += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: name, as: UTF8.self) + "?immutable=1"
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  // MARK: Statements

  /// Runs statements without parameters or result rows.
  package func execute(_ sql: String) throws(DatabaseError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw DatabaseError(ResultCode(rawValue: code), lastMessage, sql: sql)
    }
  }

  /// Returns the prepared statement, from the cache if possible.
  package func statement(_ sql: String) throws(DatabaseError) -> Statement {
    if let cached = statements[sql] { return cached }
    let statement = try Statement(sql, on: handle)
    if statements.count >= Self.cachedStatements { statements = [:] }
    statements[sql] = statement
    return statement
  }

  /// Runs one statement to completion.
  ///
  /// - Returns: The number of changed rows.
  @discardableResult
  package func run(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> Int {
    try each(sql, values) { _ in }
    return Int(sqlite3_changes64(handle))
  }

  package func each(
    _ sql: String, _ values: [DatabaseValue] = [], _ body: (Row) -> Void
  ) throws(DatabaseError) {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() { body(statement.row) }
  }

  package func all<Value>(
    _ sql: String, _ values: [DatabaseValue] = [], _ transform: (Row) -> Value
  ) throws(DatabaseError) -> [Value] {
    var result: [Value] = []
    try each(sql, values) { result.append(transform($0)) }
    return result
  }

  /// Returns the first column of every row, which contains integers.
  ///
  /// Equivalent to `all(_:_:_:)`, but results of a million rows avoid a closure call and generic
  /// code for each row.
  package func integers(
    _ sql: String, _ values: [DatabaseValue] = []
  ) throws(DatabaseError) -> [Int64] {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var result: [Int64] = []
    while try statement.step() { result.append(statement.row.int(0)) }
    return result
  }

  /// Returns the first row, converted by a closure; nil if there are no rows.
  package func first<Value>(
    _ sql: String, _ values: [DatabaseValue] = [], _ transform: (Row) -> Value
  ) throws(DatabaseError) -> Value? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? transform(statement.row) : nil
  }

  /// Returns the first bytes of the file on disk; zeros if the file is shorter.
  package func header(_ count: Int = 100) throws(DatabaseError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let code = pe_sqlite_header(handle, &bytes, Int32(clamping: count))
    guard code == SQLITE_OK else {
      throw DatabaseError(ResultCode(rawValue: code), lastMessage)
    }
    return bytes
  }

  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  package var lastMessage: String { String(cString: sqlite3_errmsg(handle)) }

  // MARK: Transactions

  /// Runs a body in a transaction, committed when the body returns and rolled back when it throws.
  ///
  /// A writer starts with `BEGIN IMMEDIATE`: a transaction that starts as a reader cannot wait for
  /// other writers when it begins to write.
  ///
  /// - Parameter beforeUndoing: Called when the body or the commit failed, before another process
  ///   may write. A failed commit may still be present when the file is opened again: the log may
  ///   be complete although the disk reported an error.
  package func transaction<Value, Failure: Error>(
    isWriting: Bool, wrap: (DatabaseError) -> Failure,
    beforeUndoing: (_ isCommitting: Bool) -> Void = { _ in },
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    func command(_ sql: String) throws(Failure) {
      do throws(DatabaseError) { try execute(sql) } catch { throw wrap(error) }
    }
    try command(isWriting ? "BEGIN IMMEDIATE" : "BEGIN")
    var isCommitting = false
    do throws(Failure) {
      let value = try body()
      isCommitting = true
      try command("COMMIT")
      return value
    } catch {
      beforeUndoing(isCommitting)
      // Some errors have already ended the transaction; then there is nothing to roll back.
      if isInTransaction { do throws(DatabaseError) { try execute("ROLLBACK") } catch {} }
      throw error
    }
  }
}
