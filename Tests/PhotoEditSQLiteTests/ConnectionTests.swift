// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditSQLite

@Suite("SQLite connection")
struct ConnectionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func connection() throws -> Connection {
    try Connection(folder.path + "/a.db", .create)
  }

  @Test func `values round-trip unchanged`() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t (v)")
    let values: [DatabaseValue] = [
      .null, .integer(.min), .integer(.max), .real(-0.1), .text(""), .text("a\0b"), .text("'; --"),
      .blob([]), .blob([0, 255]),
    ]
    for value in values { try connection.run("INSERT INTO t VALUES (?)", [value]) }
    #expect(try connection.all("SELECT v FROM t ORDER BY rowid") { $0.value(0) } == values)
  }

  @Test func `a failed transaction is rolled back`() throws {
    struct Stop: Error {}
    let connection = try connection()
    try connection.execute("CREATE TABLE t (v)")
    #expect(throws: Stop.self) {
      try connection.transaction(isWriting: true, wrap: { _ in Stop() }) { () throws(Stop) in
        do { try connection.run("INSERT INTO t VALUES (1)") } catch {}
        throw Stop()
      }
    }
    #expect(try connection.first("SELECT count(*) FROM t") { $0.int(0) } == 0)
    #expect(!connection.isInTransaction)
  }

  @Test func `the number of values must match the statement`() throws {
    let connection = try connection()
    #expect(throws: DatabaseError.self) { try connection.run("SELECT ?", []) }
    #expect(throws: DatabaseError.self) { try connection.run("SELECT 1", [1]) }
  }

  @Test func `two statements in one string are rejected`() throws {
    let connection = try connection()
    #expect(throws: DatabaseError.self) { try connection.run("SELECT 1; SELECT 2") }
    try connection.run("SELECT 1; ")
  }

  @Test func `a rollback journal next to a database is neither played back nor written`() throws {
    let path = folder.path + "/a.db"
    for mode in ["WAL", "DELETE"] {
      let connection = try connection()
      try connection.execute("CREATE TABLE IF NOT EXISTS t (v); PRAGMA journal_mode = \(mode)")
    }
    // The journal of a process that died during a write, with a file name to delete.
    let victim = try folder.write([1], to: "victim")
    try folder.write(Self.journal(naming: victim), to: "a.db-journal")
    let journal = try Array(Data(contentsOf: folder.url("a.db-journal")))
    for mode in [Connection.Mode.readOnly, .immutable, .readWrite] {
      let connection = try Connection(path, mode)
      #expect(try connection.first("SELECT count(*) FROM t") { $0.int(0) } == 0)
      #expect(connection.isInTransaction == false)
    }
    let connection = try Connection(path, .readWrite)
    try connection.execute("BEGIN; INSERT INTO t VALUES (1); ROLLBACK; INSERT INTO t VALUES (2)")
    #expect(try connection.all("SELECT v FROM t") { $0.int(0) } == [2])
    #expect(try Array(Data(contentsOf: folder.url("a.db-journal"))) == journal)
    #expect(try Array(Data(contentsOf: folder.url("victim"))) == [1])
  }

  /// A hot journal that names a file that SQLite deletes on playback.
  private static func journal(naming file: String) -> [UInt8] {
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    func word(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let header = magic + [0, 0, 2, 512, 4096].flatMap(word)
    let name = Array(file.utf8)
    let sum = name.reduce(0) { $0 + Int($1) }
    return header + [UInt8](repeating: 0, count: 512 - header.count)
      + word((1 << 30) / 4096 + 1) + name + word(name.count) + word(sum) + magic
  }

  @Test func `triggers of an untrusted schema do not run`() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t (v); CREATE TABLE u (v)")
    try connection.execute(
      "CREATE TRIGGER evil AFTER INSERT ON t BEGIN INSERT INTO u VALUES (1); END")
    try connection.run("INSERT INTO t VALUES (1)")
    #expect(try connection.first("SELECT count(*) FROM u") { $0.int(0) } == 0)
  }

  // MARK: Limits

  @Test func `a query ends at each limit`() throws {
    let path = folder.path + "/a.db"
    try connection().execute(
      """
      CREATE TABLE t (v);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO t SELECT 'text' FROM n
      """)
    func read(
      _ sql: String, _ change: (inout ReadingLimits) -> Void = { _ in }
    ) throws -> Int {
      var limits = ReadingLimits()
      change(&limits)
      let connection = try Connection(path, .readOnly, limits: limits)
      return try connection.all(sql) { $0.text(0) }.count
    }
    func error(_ sql: String, _ change: (inout ReadingLimits) -> Void) -> DatabaseError? {
      #expect(throws: DatabaseError.self) { try read(sql, change) }
    }
    #expect(try read("SELECT v FROM t") == 1000)
    #expect(try read("SELECT v FROM t") { $0.rows = 1000 } == 1000)
    #expect(try read("SELECT v FROM t") { $0.bytes = 4000 } == 1000)
    #expect(error("SELECT v FROM t") { $0.rows = 999 }?.code == .tooBig)
    #expect(error("SELECT v FROM t") { $0.bytes = 3999 }?.code == .tooBig)
    #expect(error("SELECT zeroblob(5000)") { $0.valueBytes = 4999 }?.code == .tooBig)
    // A join of a billion rows, of which none is returned.
    let join = "SELECT 1 FROM t AS a, t AS b, t AS c WHERE a.v + b.v + c.v > 1 LIMIT 1"
    let steps = error(join) { $0.kilosteps = 10 }
    #expect(steps?.code == .tooBig && steps?.message.contains("10 thousand steps") == true)
    #expect(error(join) { $0.seconds = -1 }?.message.contains("seconds") == true)
  }

  // MARK: Reading without shared memory

  private func sharedMemory() -> Int { FileVersion(folder.path + "/a.db-shm")?.size ?? 0 }

  /// Creates a database of two accounts, whose sum never changes, and closes it.
  private func accounts() throws -> String {
    let connection = try connection()
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE account (id INTEGER PRIMARY KEY, amount INTEGER);
      INSERT INTO account VALUES (1, 500), (2, 500)
      """)
    return folder.path + "/a.db"
  }

  private func amounts(_ connection: Connection) throws -> [Int64] {
    try connection.integers("SELECT amount FROM account ORDER BY id")
  }

  @Test func `a reader without shared memory neither creates it nor needs it`() throws {
    let path = try accounts()
    #expect(sharedMemory() == 0, "the last connection removes it")
    for _ in 1...2 {
      let reader = try Connection(path, .readOnlyAlone)
      #expect(try amounts(reader) == [500, 500])
    }
    #expect(sharedMemory() < 32 << 10)
    // Of a process that was killed, the log remains and is read.
    let writer = try Connection(path, .readWrite)
    try writer.execute("PRAGMA wal_autocheckpoint = 0; UPDATE account SET amount = amount + id")
    for suffix in ["", "-wal"] {
      try FileSystem.copy(path + suffix, to: folder.path + "/b.db" + suffix)
    }
    let killed = try Connection(folder.path + "/b.db", .readOnlyAlone)
    #expect(try amounts(killed) == [501, 502])
    #expect(FileVersion(folder.path + "/b.db-shm")?.size ?? 0 < 32 << 10)
  }

  @Test func `a reader without shared memory sees one commit while another connection writes`()
    throws
  {
    let path = try accounts()
    for checkpoint in ["", "PASSIVE", "TRUNCATE"] {
      let reader = try Connection(path, .readOnlyAlone)
      try reader.execute("BEGIN")
      let before = try amounts(reader)
      let writer = try Connection(path, .readWrite, busyTimeout: 0)
      try writer.execute("PRAGMA wal_autocheckpoint = 0")
      for step in 1...20 {
        try writer.execute("UPDATE account SET amount = amount + (3 - 2 * id) * \(step)")
        // A checkpoint that waits for the reader fails or does nothing.
        if !checkpoint.isEmpty { try? writer.execute("PRAGMA wal_checkpoint(\(checkpoint))") }
        #expect(try amounts(reader) == before)
      }
      try reader.execute("COMMIT")
      let after = try amounts(writer)
      #expect(after != before && after.reduce(0, +) == 1000)
      // It may have to be opened again if a writer has overtaken it, but it never sees less.
      do { #expect(try amounts(reader) == after) } catch let error as DatabaseError {
        #expect(error.code.cause == .busy)
      }
      #expect(try amounts(try Connection(path, .readOnlyAlone)) == after)
      #expect(try amounts(try Connection.reading(path, busyTimeout: 0)) == after)
    }
  }

  @Test func `a connection for reading shares memory if there is room`() throws {
    let path = try accounts()
    let reader = try Connection.reading(path, busyTimeout: 0)
    #expect(!reader.isTemporary && sharedMemory() >= 32 << 10)
    #expect(try amounts(reader) == [500, 500])
    #expect(throws: DatabaseError.self) {
      try Connection.reading(folder.path + "/none.db", busyTimeout: 0)
    }
  }
}

@Suite("Schema migrations")
struct MigrationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }
  private let steps = [
    Migration("one", "CREATE TABLE a (v)"), Migration("two", "CREATE TABLE b (v)"),
  ]

  private func migrations(_ count: Int, id: Int32 = 7) -> Migrations {
    Migrations(applicationID: id, Array(steps.prefix(count)))
  }

  @Test func `each migration is applied once and recorded`() throws {
    let connection = try Connection(folder.path + "/a.db", .create)
    #expect(try migrations(2).state(of: connection) == .empty)
    try migrations(1).apply(to: connection)
    #expect(try migrations(1).state(of: connection) == .current)
    #expect(try migrations(2).state(of: connection) == .older(applied: 1))
    try migrations(2).apply(to: connection)
    try migrations(2).apply(to: connection)
    #expect(try migrations(2).state(of: connection) == .current)
  }

  @Test func `newer and third-party files are recognized`() throws {
    let connection = try Connection(folder.path + "/a.db", .create)
    try migrations(2).apply(to: connection)
    #expect(try migrations(1).state(of: connection) == .newer(version: 2))
    #expect(throws: DatabaseError.self) { try migrations(1).apply(to: connection) }
    guard case .otherApplication = try migrations(2, id: 8).state(of: connection) else {
      Issue.record("a file of another application was accepted")
      return
    }
  }

  @Test func `a failed migration keeps the earlier ones`() throws {
    let connection = try Connection(folder.path + "/a.db", .create)
    let broken = Migrations(applicationID: 7, [steps[0], Migration("bad", "CREATE TABLE a (v)")])
    #expect(throws: DatabaseError.self) { try broken.apply(to: connection) }
    #expect(try broken.state(of: connection) == .older(applied: 1))
  }

  @Test(arguments: [
    "DROP TABLE a", "CREATE VIEW v AS SELECT 1", "CREATE INDEX i ON a (v)",
    "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END", "PRAGMA user_version = -3",
    "PRAGMA user_version = 7", "DELETE FROM migration WHERE id = 1",
    "DROP TABLE a; CREATE TABLE a (w)",
    "DROP TABLE migration; CREATE VIEW migration AS SELECT 'one' AS name, 1 AS id",
  ])
  func `a schema that differs from its migrations is damaged`(change: String) throws {
    let connection = try Connection(folder.path + "/a.db", .create)
    try migrations(2).apply(to: connection)
    try connection.execute(change)
    guard case .damaged = try migrations(2).state(of: connection) else {
      Issue.record("a damaged schema was accepted")
      return
    }
    #expect(throws: DatabaseError.self) { try migrations(2).apply(to: connection) }
  }

  @Test func `ANALYZE statistics are accepted in the schema`() throws {
    let connection = try Connection(folder.path + "/a.db", .create)
    try migrations(2).apply(to: connection)
    try connection.execute(
      "INSERT INTO a VALUES (1); CREATE INDEX i ON a (v); ANALYZE; DROP INDEX i")
    #expect(try migrations(2).state(of: connection) == .current)
  }
}
