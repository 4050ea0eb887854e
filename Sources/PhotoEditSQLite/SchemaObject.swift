// SPDX-License-Identifier: Apache-2.0

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
