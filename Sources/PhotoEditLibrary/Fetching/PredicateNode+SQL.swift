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
  func sql<Object>(for source: FetchSource<Object>) -> SQLFragment {
    var compiler = PredicateCompiler(source: source)
    let text = compiler.text(self)
    return SQLFragment(text, compiler.values)
  }
}

private struct PredicateCompiler<Object: Sendable> {
  let source: FetchSource<Object>
  var values: [DatabaseValue] = []

  mutating func text(_ node: PredicateNode) -> String {
    switch node {
    case .constant(let value): return value ? "1" : "0"
    case .compare(let column, let comparison, let value, let ignoringCase):
      return compare(column, comparison, value, ignoringCase)
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
      values += [low, high]
      return "(\(name(column)) BETWEEN ? AND ?)"
    case .text(let column, let test, let text, let ignoringCase):
      return match(column, test, text, ignoringCase)
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

  private func name(_ column: FetchColumn) -> String { source.expressions[column.name] ?? "NULL" }

  private func sqlOperator(_ comparison: PredicateNode.Comparison) -> String {
    switch comparison {
    case .equal: "="
    case .notEqual: "<>"
    case .less, .lessOrEqual, .greater, .greaterOrEqual: comparison.rawValue
    }
  }

  private mutating func compare(
    _ column: FetchColumn, _ comparison: PredicateNode.Comparison, _ value: DatabaseValue,
    _ ignoringCase: Bool
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
    case (.text, .text(let text)) where ignoringCase:
      values.append(.text(text.asciiLowercased))
      return "(lower(\(name)) \(sqlOperator) ?)"
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
    _ column: FetchColumn, _ test: PredicateNode.TextTest, _ text: String, _ ignoringCase: Bool
  ) -> String {
    let name = ignoringCase ? "lower(\(name(column)))" : name(column)
    let text = ignoringCase ? text.asciiLowercased : text
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

extension String {
  /// The string with A to Z as a to z, like SQLite's `lower`; all other letters are unchanged.
  var asciiLowercased: String {
    String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }
}
