// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
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
