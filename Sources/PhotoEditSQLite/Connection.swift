// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSQLite

/// One connection to a SQLite file; used by one thread at a time and never by two.
///
/// Opened with `SQLITE_OPEN_NOMUTEX`. SQLite's manual calls that multi-thread mode: safe as long as
/// no two threads use one connection at the same time. `SerialConnection` and `ReaderPool` see to
/// that; a connection never leaves the closure that they hand it to.
package final class Connection {
  /// How a file is opened.
  package enum Mode: Sendable {
    case readOnly
    /// Without locks and without files beside it: for a file that nobody writes to meanwhile.
    case immutable
    case readWrite
    /// The file is made; there must be none yet, or an empty one.
    case create
  }

  package let path: String
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// SQLite's way to files without rollback journals, which our databases never have.
  private static let files = pe_sqlite_files().map { String(cString: $0) }

  /// Most statements that are kept prepared.
  private static let cachedStatements = 200

  /// Opens a file; nothing is read from it yet.
  ///
  /// The C function is `sqlite3_open_v2`.
  ///
  /// - Parameter patience: Seconds to wait for another writer.
  package init(
    _ path: String, _ mode: Mode, patience: Double = 5
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
      throw DatabaseError(.error, "SQLite has no way to files")
    }
    let code = sqlite3_open_v2(name, &handle, flags, files)
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(handle)
      throw DatabaseError(ResultCode(rawValue: code), message)
    }
    self.path = path
    self.handle = handle
    sqlite3_busy_timeout(handle, Int32(clamping: Int(patience * 1000)))
    // A library may come from anybody: its schema runs no code, and its pages are checked.
    for (option, value) in [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_ENABLE_FKEY, 1), (SQLITE_DBCONFIG_DQS_DML, 0),
      (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ] {
      var now: Int32 = -1
      let code = pe_sqlite_set(handle, option, Int32(value), &now)
      guard code == SQLITE_OK, now == value else {
        throw DatabaseError(ResultCode(rawValue: code), "SQLite refuses option \(option)")
      }
    }
  }

  /// A path as a URI with every byte but letters, digits and slashes escaped.
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

  /// Runs statements that give no rows and take no values.
  package func execute(_ sql: String) throws(DatabaseError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw DatabaseError(ResultCode(rawValue: code), lastMessage, sql: sql)
    }
  }

  /// The prepared form of a statement, from the cache where it is there.
  package func statement(_ sql: String) throws(DatabaseError) -> Statement {
    if let known = statements[sql] { return known }
    let statement = try Statement(sql, on: handle)
    if statements.count >= Self.cachedStatements { statements = [:] }
    statements[sql] = statement
    return statement
  }

  /// Runs one statement to its end.
  ///
  /// - Returns: How many rows it changed.
  @discardableResult
  package func run(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Int {
    try each(sql, values) { _ in }
    return Int(sqlite3_changes64(handle))
  }

  /// Hands every row to a closure.
  package func each(
    _ sql: String, _ values: [SQLValue] = [], _ body: (Row) -> Void
  ) throws(DatabaseError) {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() { body(statement.row) }
  }

  /// Every row, made into something.
  package func all<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ make: (Row) -> Value
  ) throws(DatabaseError) -> [Value] {
    var result: [Value] = []
    try each(sql, values) { result.append(make($0)) }
    return result
  }

  /// The first column of every row, which holds integers.
  ///
  /// The same as `all(_:_:_:)`; results of a million rows come through here without a closure and
  /// without generic code for each.
  package func integers(
    _ sql: String, _ values: [SQLValue] = []
  ) throws(DatabaseError) -> [Int64] {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var result: [Int64] = []
    while try statement.step() { result.append(statement.row.int(0)) }
    return result
  }

  /// The first row, made into something; nil when there is none.
  package func first<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ make: (Row) -> Value
  ) throws(DatabaseError) -> Value? {
    let statement = try statement(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? make(statement.row) : nil
  }

  /// The first bytes of the file, as they are on the disk; zeros where it has fewer.
  package func header(_ count: Int = 100) throws(DatabaseError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let code = pe_sqlite_header(handle, &bytes, Int32(clamping: count))
    guard code == SQLITE_OK else {
      throw DatabaseError(ResultCode(rawValue: code), lastMessage)
    }
    return bytes
  }

  /// The row number of the last row that was inserted.
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// What SQLite said last.
  package var lastMessage: String { String(cString: sqlite3_errmsg(handle)) }

  // MARK: Transactions

  /// Runs a body in a transaction that is committed when the body returns and undone when it throws.
  ///
  /// A writer says so at once (`BEGIN IMMEDIATE`): one that begins as a reader cannot wait for
  /// others when it turns to writing.
  ///
  /// - Parameter beforeUndoing: Called when the body or the commit failed, before anybody else may
  ///   write. A commit that failed may all the same be there when the file is opened again: the
  ///   log may be whole on a disk that failed to say so.
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
      // Some errors have ended the transaction already; then there is nothing to undo.
      if isInTransaction { do throws(DatabaseError) { try execute("ROLLBACK") } catch {} }
      throw error
    }
  }

  /// Ends whatever statement runs; safe from any thread.
  ///
  /// The C function is `sqlite3_interrupt`.
  package func interrupt() { sqlite3_interrupt(handle) }
}
