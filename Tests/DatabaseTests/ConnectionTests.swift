// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Database

@Suite("A connection to SQLite", .timeLimit(.minutes(30)))
struct ConnectionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func connection() throws -> Connection {
    try Connection(folder.path + "/a.db", .create)
  }

  @Test func `values come back as they went in`() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t (v)")
    let values: [SQLValue] = [
      .null, .integer(.min), .integer(.max), .real(-0.1), .text(""), .text("a\0b"), .text("'; --"),
      .blob([]), .blob([0, 255]),
    ]
    for value in values { try connection.run("INSERT INTO t VALUES (?)", [value]) }
    #expect(try connection.all("SELECT v FROM t ORDER BY rowid") { $0.value(0) } == values)
  }

  @Test func `a transaction that fails leaves nothing`() throws {
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

  @Test func `the number of values must fit`() throws {
    let connection = try connection()
    #expect(throws: DatabaseError.self) { try connection.run("SELECT ?", []) }
    #expect(throws: DatabaseError.self) { try connection.run("SELECT 1", [1]) }
  }

  @Test func `two statements in one are refused`() throws {
    let connection = try connection()
    #expect(throws: DatabaseError.self) { try connection.run("SELECT 1; SELECT 2") }
    try connection.run("SELECT 1; ")
  }

  @Test func `a schema from elsewhere runs no code`() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE t (v); CREATE TABLE u (v)")
    try connection.execute(
      "CREATE TRIGGER evil AFTER INSERT ON t BEGIN INSERT INTO u VALUES (1); END")
    try connection.run("INSERT INTO t VALUES (1)")
    #expect(try connection.first("SELECT count(*) FROM u") { $0.int(0) } == 0)
  }
}

@Suite("Migrations", .timeLimit(.minutes(30)))
struct MigrationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }
  private let steps = [
    Migration("one", "CREATE TABLE a (v)"), Migration("two", "CREATE TABLE b (v)"),
  ]

  private func migrations(_ count: Int, id: Int32 = 7) -> Migrations {
    Migrations(applicationID: id, Array(steps.prefix(count)))
  }

  @Test func `steps are applied once and remembered`() throws {
    let connection = try Connection(folder.path + "/a.db", .create)
    #expect(try migrations(2).state(of: connection) == .empty)
    try migrations(1).apply(to: connection)
    #expect(try migrations(1).state(of: connection) == .current)
    #expect(try migrations(2).state(of: connection) == .older(applied: 1))
    try migrations(2).apply(to: connection)
    try migrations(2).apply(to: connection)
    #expect(try migrations(2).state(of: connection) == .current)
  }

  @Test func `a newer or foreign file is told from ours`() throws {
    let connection = try Connection(folder.path + "/a.db", .create)
    try migrations(2).apply(to: connection)
    #expect(try migrations(1).state(of: connection) == .newer(version: 2))
    #expect(throws: DatabaseError.self) { try migrations(1).apply(to: connection) }
    guard case .foreign = try migrations(2, id: 8).state(of: connection) else {
      Issue.record("another application's file was taken for ours")
      return
    }
  }

  @Test func `a step that fails leaves the steps before it`() throws {
    let connection = try Connection(folder.path + "/a.db", .create)
    let broken = Migrations(applicationID: 7, [steps[0], Migration("bad", "CREATE TABLE a (v)")])
    #expect(throws: DatabaseError.self) { try broken.apply(to: connection) }
    #expect(try broken.state(of: connection) == .older(applied: 1))
  }
}
