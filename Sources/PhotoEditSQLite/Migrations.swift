// SPDX-License-Identifier: Apache-2.0

/// A named step of a schema migration: one transaction, never changed after its release.
package struct Migration: Sendable {
  package let name: String
  package let sql: String

  package init(_ name: String, _ sql: String) {
    self.name = name
    self.sql = sql
  }
}

/// The state of a file's schema.
package enum SchemaState: Hashable, Sendable {
  /// The file is empty.
  case empty
  /// All migrations are applied, and the schema matches them.
  case current
  /// Only the first migrations are applied, and the schema matches them.
  case older(applied: Int)
  /// Migrations are applied that this version does not know.
  case newer(version: Int)
  /// The file belongs to another application.
  case otherApplication(reason: String)
  /// The application ID is correct, but the schema does not match the migrations.
  case damaged(reason: String)
}

/// The migrations of one type of file, in order.
package struct Migrations: Sendable {
  /// The number that identifies the application; `PRAGMA application_id`.
  package let applicationID: Int32
  package let steps: [Migration]

  package init(applicationID: Int32, _ steps: [Migration]) {
    self.applicationID = applicationID
    self.steps = steps
  }

  private static let table =
    "CREATE TABLE migration (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT"

  /// Determines the state of the schema without changing anything.
  ///
  /// A schema with missing, different or additional objects is damaged: nothing in it is run.
  package func state(of connection: Connection) throws(DatabaseError) -> SchemaState {
    let application = try connection.first("PRAGMA application_id") { $0.int(0) } ?? 0
    let version = try connection.first("PRAGMA user_version") { $0.int(0) } ?? 0
    let objects = try SchemaObject.all(in: connection)
    if application == 0, version == 0, objects.isEmpty { return .empty }
    guard application == Int64(applicationID) else {
      return .otherApplication(
        reason: "application id is \(application), expected \(applicationID)")
    }
    guard objects["migration"] == SchemaObject(table: "migration", sql: Self.table) else {
      return .damaged(reason: "migration table is missing or invalid")
    }
    let names = try connection.all("SELECT name FROM migration ORDER BY id") { $0.text(0) }
    // Every version writes the number and the names together.
    guard version == names.count, version > 0,
      names.prefix(steps.count) == steps.map(\.name).prefix(names.count)
    else {
      return .damaged(reason: "schema version \(version) does not match the migrations \(names)")
    }
    guard names.count <= steps.count else { return .newer(version: names.count) }
    let expected = try schema(afterApplying: names.count)
    if let difference = SchemaObject.difference(of: objects, from: expected) {
      return .damaged(reason: difference)
    }
    return names.count == steps.count ? .current : .older(applied: names.count)
  }

  /// Returns the schema after the first migrations, created in memory.
  private func schema(
    afterApplying count: Int
  ) throws(DatabaseError) -> [String: SchemaObject] {
    let memory = try Connection(":memory:", .create)
    try memory.execute(Self.table)
    for step in steps.prefix(count) { try memory.execute(step.sql) }
    return try SchemaObject.all(in: memory)
  }

  /// Applies the missing migrations, each in its own transaction that checks the foreign keys.
  package func apply(to connection: Connection) throws(DatabaseError) {
    while true {
      let isDone = try connection.transaction(isWriting: true, wrap: { $0 }) {
        () throws(DatabaseError) -> Bool in
        // Another process may have applied the migration meanwhile.
        let applied: Int
        switch try state(of: connection) {
        case .empty:
          applied = 0
          try connection.execute("PRAGMA application_id = \(applicationID); " + Self.table)
        case .older(let count): applied = count
        case .current: return true
        case .newer(let version):
          throw DatabaseError(.error, "schema version \(version) is newer than supported")
        case .otherApplication(let reason):
          throw DatabaseError(.error, "not a photoedit file: \(reason)")
        case .damaged(let reason): throw DatabaseError(.corrupt, reason)
        }
        guard applied < steps.count else { return true }
        try connection.execute(steps[applied].sql)
        try connection.run(
          "INSERT INTO migration (id, name) VALUES (?, ?)",
          [.integer(Int64(applied + 1)), .text(steps[applied].name)])
        guard try connection.first("PRAGMA foreign_key_check", [], { _ in true }) == nil else {
          throw DatabaseError(.constraint, "foreign key violation after a migration")
        }
        // A pragma has no parameters; the number is not external input.
        try connection.execute("PRAGMA user_version = \(applied + 1)")
        return false
      }
      if isDone { return }
    }
  }
}

/// A table, index, view or trigger in the schema of a file.
struct SchemaObject: Hashable {
  let kind: String
  let table: String
  /// The SQL text; nil for objects that SQLite creates itself.
  let sql: String?

  init(table: String, sql: String) { (kind, self.table, self.sql) = ("table", table, sql) }

  private init(_ row: Row) {
    kind = row.text(0)
    table = row.text(2)
    sql = row.optionalText(3)
  }

  /// The maximum number of schema objects examined.
  private static let limit = 1000

  /// Returns every object of a schema by name, except the statistics tables of `ANALYZE`.
  static func all(in connection: Connection) throws(DatabaseError) -> [String: SchemaObject] {
    var found: [String: SchemaObject] = [:]
    try connection.each(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT \(limit)"
    ) { found[$0.text(1)] = SchemaObject($0) }
    for (name, columns) in [
      "sqlite_stat1": "tbl,idx,stat", "sqlite_stat4": "tbl,idx,neq,nlt,ndlt,sample",
    ] {
      let sql = "CREATE TABLE \(name)(\(columns))"
      if found[name] == SchemaObject(table: name, sql: sql) { found[name] = nil }
    }
    return found
  }

  /// Returns a description of the first difference between two schemas; nil if they are equal.
  static func difference(
    of found: [String: SchemaObject], from expected: [String: SchemaObject]
  ) -> String? {
    for (name, object) in expected.sorted(by: { $0.key < $1.key }) {
      guard let other = found[name] else { return "\(object.kind) \(name) is missing" }
      guard other.kind == object.kind else {
        return "found \(other.kind) instead of \(object.kind) \(name)"
      }
      guard other == object else {
        return "\(object.kind) \(name) has an unexpected definition"
      }
    }
    return found.keys.filter { expected[$0] == nil }.min().map { name in
      "unexpected \(found[name]?.kind ?? "object") \(name)"
    }
  }
}
