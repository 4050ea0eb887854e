// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A part of a statement and the values for its parameters, in order.
struct SQLFragment {
  var text: String
  var values: [DatabaseValue] = []

  init(_ text: String, _ values: [DatabaseValue] = []) {
    self.text = text
    self.values = values
  }

  /// Joins conditions with AND; without conditions, returns true.
  static func all(_ conditions: [SQLFragment]) -> SQLFragment {
    guard !conditions.isEmpty else { return SQLFragment("1") }
    return SQLFragment(
      conditions.map(\.text).joined(separator: " AND "), conditions.flatMap(\.values))
  }

  static func + (first: SQLFragment, second: SQLFragment) -> SQLFragment {
    SQLFragment(first.text + second.text, first.values + second.values)
  }
}

extension PredicateNode {
  /// Returns the condition in SQL.
  ///
  /// Strings from callers are bound and never part of the statement.
  ///
  /// - Parameter access: The use of the search tables, which show the newest commit only.
  func sql<Object>(
    for source: FetchSource<Object>, access: SearchAccess = .none
  ) -> SQLFragment {
    var compiler = PredicateCompiler(source: source, access: access)
    let text = compiler.text(self)
    return SQLFragment(text, compiler.values)
  }
}

/// Converts conditions to SQL; the values are bound in the order of their parameters.
struct PredicateCompiler<Object: Sendable> {
  let source: FetchSource<Object>
  let access: SearchAccess
  var values: [DatabaseValue] = []

  mutating func text(_ node: PredicateNode) -> String {
    switch node {
    case .constant(let value): return value ? "1" : "0"
    case .compare(let column, let comparison, let value, let folding):
      return compare(column, comparison, value, folding)
    case .compareColumns(let first, let comparison, let second):
      return "(\(name(first)) \(sqlOperator(comparison)) \(name(second)))"
    case .masked(let column, let mask, let isEqual, let value):
      let name = name(column)
      values += [.integer(mask), .integer(value)]
      let test = "((\(name) & ?) \(isEqual ? "=" : "<>") ?)"
      // The redundant condition lets SQLite use the partial index of assets with any bits set.
      return (value == 0) != isEqual ? "(\(name) <> 0 AND \(test))" : test
    case .among(let column, let list): return among(column, list)
    case .between(let column, let low, let high):
      if column.kind == .day {
        return joined(
          [
            compare(column, .greaterOrEqual, low, .exact),
            compare(column, .lessOrEqual, high, .exact),
          ], "AND", empty: "1")
      }
      values += [low, high]
      return "(\(name(column)) BETWEEN ? AND ?)"
    case .text(let column, let test, let text, let folding):
      return match(column, test, text, folding)
    case .list(let column, let test, let text, let folding):
      return list(column, test, text, folding)
    case .words(let column, let query): return words(column, WordQuery(query))
    case .box(let south, let west, let north, let east):
      values += [.real(south), .real(north), .real(west), .real(east)]
      return "((latitude BETWEEN ? AND ?) AND "
        + (west > east ? "(longitude >= ? OR longitude <= ?))" : "(longitude BETWEEN ? AND ?))")
    case .isNull(let column, let isNull) where column.kind == .external:
      return "(\(isNull ? "NOT " : "")EXISTS (\(rows(column))))"
    case .isNull(let column, let isNull):
      return "(\(name(column)) IS \(isNull ? "" : "NOT ")NULL)"
    case .not(let node): return "(NOT \(text(node)))"
    case .all(let nodes): return joined(nodes.map { text($0) }[...], "AND", empty: "1")
    case .any(let nodes): return joined(nodes.map { text($0) }[...], "OR", empty: "0")
    }
  }

  /// Joins by halves: SQLite limits expression trees to a thousand levels, and a chain has one per
  /// part.
  private func joined(_ parts: ArraySlice<String>, _ sqlOperator: String, empty: String) -> String {
    guard parts.count > 1 else { return parts.first ?? empty }
    let half = parts.startIndex + parts.count / 2
    let left = joined(parts[..<half], sqlOperator, empty: empty)
    return "(\(left) \(sqlOperator) \(joined(parts[half...], sqlOperator, empty: empty)))"
  }

  func name(_ column: FetchColumn) -> String { source.expressions[column.name] ?? "NULL" }

  func sqlOperator(_ comparison: PredicateNode.Comparison) -> String {
    switch comparison {
    case .equal: "="
    case .notEqual: "<>"
    case .less, .lessOrEqual, .greater, .greaterOrEqual: comparison.rawValue
    }
  }

  private mutating func compare(
    _ column: FetchColumn, _ comparison: PredicateNode.Comparison, _ value: DatabaseValue,
    _ folding: TextFolding
  ) -> String {
    let (name, sqlOperator) = (name(column), sqlOperator(comparison))
    switch (column.kind, value) {
    case (.flag, .integer(let flag)):
      // A literal: SQLite uses the partial index of favorites only if the statement contains the
      // value.
      return "(\(name) \(sqlOperator) \(flag == 0 ? 0 : 1))"
    case (.identifier, .text(let text)):
      guard let identity = source.identity(text) else { return comparison == .equal ? "0" : "1" }
      values.append(identity)
      return "(\(name) \(sqlOperator) ?)"
    case (.text, .text(let text)) where folding != .exact:
      values.append(.text(folding(text)))
      return "(\(folding.sql(name)) \(sqlOperator) ?)"
    case (.day, .integer(let day)): return compareDay(comparison, day)
    default:
      values.append(value)
      return "(\(name) \(sqlOperator) ?)"
    }
  }

  private mutating func among(_ column: FetchColumn, _ list: [DatabaseValue]) -> String {
    var bound = list
    if column.kind == .identifier {
      bound = list.compactMap { value in
        if case .text(let text) = value { source.identity(text) } else { nil }
      }
    }
    values += bound
    let marks = Array(repeating: "?", count: bound.count).joined(separator: ", ")
    return "(\(name(column)) IN (\(marks)))"
  }

  private mutating func match(
    _ column: FetchColumn, _ test: PredicateNode.TextTest, _ text: String, _ folding: TextFolding
  ) -> String {
    let name = folding.sql(name(column))
    let text = folding(text)
    switch test {
    case .contains:
      values.append(.text(text))
      return "(instr(\(name), ?) > 0)"
    case .beginsWith:
      values.append(.text(text))
      return "(instr(\(name), ?) = 1)"
    case .endsWith:
      guard !text.isEmpty else { return "(\(name) >= '')" }
      let bytes = Array(text.utf8)
      values += [.init(bytes.count), .init(-bytes.count), .blob(bytes)]
      // The substr of an empty blob is NULL, not an empty blob; the length check yields false.
      let blob = "CAST(\(name) AS BLOB)"
      return "(length(\(blob)) >= ? AND substr(\(blob), ?) = ?)"
    case .like:
      values.append(.text(LikePattern(text).glob))
      return "(\(name) GLOB ?)"
    }
  }
}
