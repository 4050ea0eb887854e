// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSQLite
import PhotoEditStorage

/// A connection to a SQLite file, used by one thread at a time.
///
/// Opened with `SQLITE_OPEN_NOMUTEX`, which SQLite's documentation calls multi-thread mode: safe as
/// long as no two threads use one connection at the same time. `DatabaseQueue` and `ReaderPool`
/// ensure that; a connection never leaves the closure to which they pass it.
package final class Connection {
  /// The ways to open a file.
  package enum Mode: Sendable {
    case readOnly
    /// Without creating the memory that connections share, for which a full disk has no room.
    ///
    /// Reads are correct while another process writes, but each transaction examines the log.
    case readOnlyAlone
    /// Without locks and auxiliary files: for a file that is not written to meanwhile.
    case immutable
    case readWrite
    /// Creates the file; it must not exist or must be empty.
    case create
  }

  package let path: String
  /// The version of a file that is read without locks although other processes may write it; nil
  /// for all other connections.
  private var unlocked: FileVersion?
  /// Indicates whether the connection is for one transaction: it was opened in a way that is slower
  /// or less safe than the usual one, which may be possible again afterwards.
  package private(set) var isTemporary = false
  private var budget: ReadingBudget?
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// The SQLite VFS without rollback journals, which the databases of this project never have.
  private static let files = pe_sqlite_files().map { String(cString: $0) }
  /// The same without extending shared memory.
  private static let loneFiles = files.flatMap { _ in
    pe_sqlite_lone_files().map { String(cString: $0) }
  }

  /// The maximum number of cached prepared statements.
  private static let cachedStatements = 200

  /// Opens a file without reading from it.
  ///
  /// The C function is `sqlite3_open_v2`.
  ///
  /// - Parameters:
  ///   - busyTimeout: The time to wait for another writer, in seconds.
  ///   - limits: The limits for queries by `each` and what is based on it; nil for none.
  package init(
    _ path: String, _ mode: Mode, busyTimeout: Double = 5, limits: ReadingLimits? = nil
  ) throws(DatabaseError) {
    let access =
      switch mode {
      case .readOnly, .readOnlyAlone: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var handle: OpaquePointer?
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    let name = mode == .immutable ? Self.immutableName(path) : path
    guard let files = mode == .readOnlyAlone ? Self.loneFiles : Self.files else {
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
    budget = limits.map { ReadingBudget($0, of: handle) }
  }

  /// Opens a file for reading and reads its schema, if necessary without shared memory.
  ///
  /// On a full disk, the memory that connections share cannot be created. The connection is
  /// temporary then. If not even an empty file can be created next to the database and there is no
  /// log, the database is read without locks, and `checkUnchanged()` finds out whether another
  /// process has written to it in the meantime.
  package static func reading(
    _ path: String, busyTimeout: Double
  ) throws(DatabaseError) -> Connection {
    func opened(_ mode: Mode) throws(DatabaseError) -> Connection {
      let connection = try Connection(path, mode, busyTimeout: busyTimeout)
      connection.isTemporary = mode != .readOnly
      if mode == .immutable { connection.unlocked = FileVersion(path) }
      // A disk without room for the one file may have none for others.
      if connection.isTemporary { try connection.execute("PRAGMA temp_store = MEMORY") }
      _ = try connection.first("SELECT 1 FROM sqlite_schema") { _ in true }
      return connection
    }
    do throws(DatabaseError) { return try opened(.readOnly) } catch {
      guard error.code.isWithoutSharedMemory else { throw error }
    }
    do throws(DatabaseError) { return try opened(.readOnlyAlone) } catch {
      guard error.code.primary == .cannotOpen, FileVersion(path + "-wal") == nil else {
        throw error
      }
      return try opened(.immutable)
    }
  }

  /// Throws an error if a file that is read without locks was written to since it was opened.
  package func checkUnchanged() throws(DatabaseError) {
    guard let unlocked else { return }
    guard FileVersion(path) == unlocked, FileVersion(path + "-wal") == nil else {
      throw DatabaseError(.busy, "the database changed while it was read")
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
    guard let budget else {
      while try statement.step() { body(statement.row) }
      return
    }
    var number = 0
    do throws(DatabaseError) {
      while try statement.step() {
        number += 1
        try budget.count(statement.row, number: number, sql)
        body(statement.row)
      }
    } catch {
      throw budget.exceeded.map { DatabaseError(.tooBig, $0, sql: sql) } ?? error
    }
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
