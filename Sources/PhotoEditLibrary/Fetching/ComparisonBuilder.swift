// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

/// The operators that are written as words, and the operators allowed for each kind of key.
enum PredicateOperators {
  static let keywords = [
    "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES-WORDS",
  ]

  static func of(_ kind: FetchColumn.Kind) -> String {
    switch kind {
    case .date, .integer, .real, .day: "==, !=, <, <=, >, >=, IN and BETWEEN"
    case .bits: "==, !=, <, <=, >, >=, IN, BETWEEN and &"
    case .flag, .identifier: "==, != and IN"
    case .text:
      "==, !=, <, <=, >, >=, IN, BETWEEN, CONTAINS, BEGINSWITH, ENDSWITH and LIKE"
    case .list, .external: "==, !=, IN, CONTAINS, BEGINSWITH and ENDSWITH"
    case .words: "MATCHES-WORDS"
    case .location: "IN BOX(south, west, north, east), == NULL and != NULL"
    }
  }

  static func values(of kind: FetchColumn.Kind) -> String {
    switch kind {
    case .date: "a date, an ISO 8601 string or CAST(seconds since 2001, \"NSDate\")"
    case .integer, .bits, .real: "a number"
    case .flag: "YES, NO, 1 or 0"
    case .text, .list, .external: "a string"
    case .words: "one or more words as a string"
    case .day: "a day as a string, such as \"2019-05-01\""
    case .location: "BOX(south, west, north, east)"
    case .identifier: "a local identifier as a string"
    }
  }
}

/// Builds a condition from a key, an operator and a value; throws an error if they do not match.
struct ComparisonBuilder<Object: Sendable> {
  let source: FetchSource<Object>
  let name: String
  let folding: TextFolding
  /// Indicates whether the key has the prefix ANY.
  var isAny = false
  let operatorPosition: Int
  let valuePosition: Int

  private typealias Comparison = PredicateNode.Comparison

  func compare(
    _ column: FetchColumn, _ value: FetchArgument
  ) throws(LibraryError) -> PredicateNode {
    let isText = column.kind == .text || column.kind == .list || column.kind == .external
    if folding != .exact, !isText || name == "IN" || name == "BETWEEN" {
      throw wrongOperator(name + folding.rawValue, column)
    }
    guard !isAny || (isText && column.kind != .text && name != "!=") else {
      throw wrongOperator("ANY \(column.name) \(name)", column)
    }
    if column.kind == .words || column.kind == .list || column.kind == .external,
      value != .null
    {
      return try search(column, value)
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
      return .compare(column, comparison, bound, folding: folding)
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
    return .text(column, test, text, folding: folding)
  }

  /// Builds a condition on a list of texts or on words.
  private func search(
    _ column: FetchColumn, _ value: FetchArgument
  ) throws(LibraryError) -> PredicateNode {
    func list(_ test: PredicateNode.ListTest, _ value: FetchArgument) throws(LibraryError)
      -> PredicateNode
    {
      guard case .text(let text) = value else { throw wrongValue(column) }
      return .list(column, test, text, folding: folding)
    }
    switch (column.kind, name) {
    case (.words, "MATCHES-WORDS"):
      guard case .text(let text) = value else { throw wrongValue(column) }
      return .words(column, text)
    case (.list, "!="), (.external, "!="): return .not(try list(.equal, value))
    case (.list, "IN"), (.external, "IN"):
      guard case .list(let values) = value else {
        throw .wrongValue(column.name, allowed: "a list such as {…}", position: valuePosition)
      }
      return .any(try values.map { value throws(LibraryError) in try list(.equal, value) })
    default:
      guard column.kind != .words, let test = PredicateNode.ListTest(rawValue: name) else {
        throw wrongOperator(name, column)
      }
      return try list(test, value)
    }
  }

  func box(_ column: FetchColumn, _ bounds: [Double]) throws(LibraryError) -> PredicateNode {
    guard column.kind == .location, name == "IN" else { throw wrongOperator(name + " BOX", column) }
    guard bounds.count == 4, abs(bounds[0]) <= 90, abs(bounds[2]) <= 90, bounds[0] <= bounds[2],
      abs(bounds[1]) <= 180, abs(bounds[3]) <= 180
    else {
      throw .wrongValue(
        column.name, allowed: "BOX(south, west, north, east) in degrees", position: valuePosition)
    }
    return .box(south: bounds[0], west: bounds[1], north: bounds[2], east: bounds[3])
  }

  func compare(_ first: FetchColumn, _ second: FetchColumn) throws(LibraryError) -> PredicateNode {
    guard let comparison = Comparison(rawValue: name), folding == .exact, !isAny,
      first.isSortable, second.isSortable,
      !isUnordered(first) || comparison == .equal || comparison == .notEqual
    else { throw wrongOperator(name + folding.rawValue, first) }
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
    guard case .compare(_, let comparison, let bound, let folding) = node else { return node }
    return .compare(column, comparison.flipped, bound, folding: folding)
  }

  func masked(
    _ column: FetchColumn, _ mask: Int64, _ value: FetchArgument
  ) throws(LibraryError) -> PredicateNode {
    guard name == "==" || name == "!=", folding == .exact else {
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
    column.kind == .flag || column.kind == .identifier || !column.isSortable
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
    try values.map { value throws(LibraryError) in try self.value(value, column) }
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
    case (.day, .text(let text)):
      let day = CalendarDay.range(text)
      found = day?.lowerBound == day?.upperBound ? day.map { .init($0.lowerBound.number) } : nil
    case (.date, .text(let text)):
      found = ISO8601Date(text).map { .real($0.date.timeIntervalSince1970) }
    default: break
    }
    guard let found else { throw wrongValue(column) }
    return found
  }
}
