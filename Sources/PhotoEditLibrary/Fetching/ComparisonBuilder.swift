// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

/// The operators that are written as words, and the operators allowed for each kind of key.
enum PredicateOperators {
  static let keywords = ["IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"]

  static func of(_ kind: FetchColumn.Kind) -> String {
    switch kind {
    case .date, .integer, .real: "==, !=, <, <=, >, >=, IN and BETWEEN"
    case .bits: "==, !=, <, <=, >, >=, IN, BETWEEN and &"
    case .flag, .identifier: "==, != and IN"
    case .text:
      "==, !=, <, <=, >, >=, IN, BETWEEN, CONTAINS, BEGINSWITH, ENDSWITH and LIKE"
    }
  }

  static func values(of kind: FetchColumn.Kind) -> String {
    switch kind {
    case .date: "a date, an ISO 8601 string or CAST(seconds since 2001, \"NSDate\")"
    case .integer, .bits, .real: "a number"
    case .flag: "YES, NO, 1 or 0"
    case .text: "a string"
    case .identifier: "a local identifier as a string"
    }
  }
}

/// Builds a condition from a key, an operator and a value; throws an error if they do not match.
struct ComparisonBuilder<Object: Sendable> {
  let source: FetchSource<Object>
  let name: String
  let ignoringCase: Bool
  let operatorPosition: Int
  let valuePosition: Int

  private typealias Comparison = PredicateNode.Comparison

  func compare(
    _ column: FetchColumn, _ value: FetchArgument
  ) throws(LibraryError) -> PredicateNode {
    if ignoringCase, column.kind != .text || name == "IN" || name == "BETWEEN" {
      throw wrongOperator("\(name)[c]", column)
    }
    if let comparison = Comparison(rawValue: name) {
      guard !isUnordered(column) || comparison == .equal || comparison == .notEqual else {
        throw wrongOperator(name, column)
      }
      if value == .null {
        guard comparison == .equal || comparison == .notEqual else {
          throw wrongValue(column)
        }
        return .isNull(column, comparison == .equal)
      }
      let bound = try self.value(value, column)
      return .compare(column, comparison, bound, ignoringCase: ignoringCase)
    }
    if name == "IN" {
      guard case .list(let values) = value else {
        throw .wrongValue(column.name, allowed: "a list such as {…}", position: valuePosition)
      }
      return .among(column, try self.values(values, column))
    }
    if name == "BETWEEN" {
      guard !isUnordered(column) else { throw wrongOperator(name, column) }
      guard case .list(let values) = value, values.count == 2 else {
        throw .wrongValue(
          column.name, allowed: "a list of two values for BETWEEN", position: valuePosition)
      }
      let bounds = try self.values(values, column)
      return .between(column, bounds[0], bounds[1])
    }
    guard column.kind == .text, let test = PredicateNode.TextTest(rawValue: name) else {
      throw wrongOperator(name, column)
    }
    guard case .text(let text) = value else { throw wrongValue(column) }
    return .text(column, test, text, ignoringCase: ignoringCase)
  }

  func compare(_ first: FetchColumn, _ second: FetchColumn) throws(LibraryError) -> PredicateNode {
    guard let comparison = Comparison(rawValue: name), !ignoringCase,
      !isUnordered(first) || comparison == .equal || comparison == .notEqual
    else { throw wrongOperator(ignoringCase ? "\(name)[c]" : name, first) }
    func comparableKind(_ kind: FetchColumn.Kind) -> FetchColumn.Kind {
      kind == .bits || kind == .real ? .integer : kind
    }
    guard comparableKind(first.kind) == comparableKind(second.kind) else {
      throw .wrongValue(
        first.name, allowed: PredicateOperators.values(of: first.kind), position: valuePosition)
    }
    return .compareColumns(first, comparison, second)
  }

  func flipped(
    _ column: FetchColumn, _ value: FetchArgument
  ) throws(LibraryError) -> PredicateNode {
    guard Comparison(rawValue: name) != nil else {
      throw .unexpected(
        "unexpected value before \(name)", expected: "a key", position: operatorPosition)
    }
    let node = try compare(column, value)
    guard case .compare(_, let comparison, let bound, let ignoringCase) = node else { return node }
    return .compare(column, comparison.flipped, bound, ignoringCase: ignoringCase)
  }

  func masked(
    _ column: FetchColumn, _ mask: Int64, _ value: FetchArgument
  ) throws(LibraryError) -> PredicateNode {
    guard name == "==" || name == "!=", !ignoringCase else {
      throw .wrongOperator(
        name, "(\(column.name) & bits)", allowed: "== and !=", position: operatorPosition)
    }
    guard case .integer(let bits) = value else {
      throw .wrongValue(
        "(\(column.name) & bits)", allowed: "an integer", position: valuePosition)
    }
    return .masked(column, mask: mask, isEqual: name == "==", value: bits)
  }

  // MARK: Values

  private func isUnordered(_ column: FetchColumn) -> Bool {
    column.kind == .flag || column.kind == .identifier
  }

  private func wrongOperator(_ operatorName: String, _ column: FetchColumn) -> LibraryError {
    .wrongOperator(
      operatorName, column.name, allowed: PredicateOperators.of(column.kind),
      position: operatorPosition)
  }

  private func wrongValue(_ column: FetchColumn) -> LibraryError {
    .wrongValue(
      column.name, allowed: PredicateOperators.values(of: column.kind), position: valuePosition)
  }

  private func values(
    _ values: [FetchArgument], _ column: FetchColumn
  ) throws(LibraryError) -> [DatabaseValue] {
    var bound: [DatabaseValue] = []
    for value in values { bound.append(try self.value(value, column)) }
    return bound
  }

  private func value(
    _ value: FetchArgument, _ column: FetchColumn
  ) throws(LibraryError) -> DatabaseValue {
    var found: DatabaseValue?
    switch (column.kind, value) {
    case (.date, .date), (.integer, .integer), (.integer, .real), (.bits, .integer), (.bits, .real),
      (.real, .integer), (.real, .real), (.flag, .bool), (.flag, .integer(0)), (.flag, .integer(1)),
      (.text, .text), (.identifier, .text):
      found = value.sqlValue
    case (.date, .text(let text)):
      found = ISO8601Date(text).map { .real($0.date.timeIntervalSince1970) }
    default: break
    }
    guard let found else { throw wrongValue(column) }
    return found
  }
}
