// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

/// A condition on keys, as a tree.
///
/// It follows the logic of SQL: a comparison with a missing value is neither true nor false, nor is
/// its negation, and only a true condition matches.
indirect enum PredicateNode: Sendable, Hashable {
  case constant(Bool)
  case compare(FetchColumn, Comparison, DatabaseValue, folding: TextFolding)
  case compareColumns(FetchColumn, Comparison, FetchColumn)
  /// `(column & mask) == value`, or `!=`.
  case masked(FetchColumn, mask: Int64, isEqual: Bool, value: Int64)
  case among(FetchColumn, [DatabaseValue])
  case between(FetchColumn, DatabaseValue, DatabaseValue)
  case text(FetchColumn, TextTest, String, folding: TextFolding)
  /// At least one of the texts of a list meets the test.
  case list(FetchColumn, ListTest, String, folding: TextFolding)
  /// All words of a `WordQuery` occur.
  case words(FetchColumn, String)
  /// A location is in an area; `west` is greater than `east` across the antimeridian.
  case box(south: Double, west: Double, north: Double, east: Double)
  case isNull(FetchColumn, Bool)
  case not(PredicateNode)
  case all([PredicateNode])
  case any([PredicateNode])

  enum Comparison: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    var flipped: Comparison {
      switch self {
      case .equal, .notEqual: self
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      }
    }
  }

  enum TextTest: String, Sendable, CaseIterable {
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
  }

  enum ListTest: String, Sendable, CaseIterable {
    case equal = "=="
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
  }

  /// The conditions joined by AND; a list never contains another one.
  var conjuncts: [PredicateNode] { if case .all(let nodes) = self { nodes } else { [self] } }

  /// The conditions joined by OR; a list never contains another one.
  var disjuncts: [PredicateNode] { if case .any(let nodes) = self { nodes } else { [self] } }

  var columns: Set<FetchColumn> {
    switch self {
    case .constant: []
    case .compare(let column, _, _, _), .masked(let column, _, _, _), .among(let column, _),
      .between(let column, _, _), .text(let column, _, _, _), .list(let column, _, _, _),
      .words(let column, _), .isNull(let column, _):
      [column]
    case .compareColumns(let first, _, let second): [first, second]
    case .box: [.location]
    case .not(let node): node.columns
    case .all(let nodes), .any(let nodes): nodes.reduce(into: []) { $0.formUnion($1.columns) }
    }
  }

  /// Joins conditions with AND; chains become one list.
  static func && (first: PredicateNode, second: PredicateNode) -> PredicateNode {
    .all(first.conjuncts + second.conjuncts)
  }

  /// Joins conditions with OR; chains become one list.
  static func || (first: PredicateNode, second: PredicateNode) -> PredicateNode {
    .any(first.disjuncts + second.disjuncts)
  }

  /// Throws an error for a condition that SQLite would reject, before any query runs.
  func check() throws(LibraryError) {
    var values = 0
    try check(depth: 1, &values)
  }

  private func check(depth: Int, _ values: inout Int) throws(LibraryError) {
    guard depth <= PredicateLimits.depth else { throw .predicateTooDeep }
    switch self {
    case .constant, .compareColumns, .isNull, .compare: values += 1
    case .masked, .between: values += 4
    case .list: values += 2
    case .words: values += 8
    case .box: values += 6
    case .among(_, let list): values += max(1, list.count)
    case .text(_, let test, let text, _):
      values += 3
      guard test != .like || text.utf8.count <= PredicateLimits.pattern else {
        throw .patternTooLong(text.utf8.count)
      }
    case .not(let node): try node.check(depth: depth + 1, &values)
    case .all(let nodes), .any(let nodes):
      for node in nodes { try node.check(depth: depth + 1, &values) }
    }
    guard values <= PredicateLimits.values else { throw .predicateTooLarge }
  }

  /// The condition in the format syntax, which the parser reads as the same condition.
  var format: String {
    switch self {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .compare(let column, let comparison, let value, let folding):
      let operatorName = comparison.rawValue + folding.rawValue
      return "\(column.name) \(operatorName) \(column.literal(value))"
    case .compareColumns(let first, let comparison, let second):
      return "\(first.name) \(comparison.rawValue) \(second.name)"
    case .masked(let column, let mask, let isEqual, let value):
      return "(\(column.name) & \(mask)) \(isEqual ? "==" : "!=") \(value)"
    case .among(let column, let list):
      return "\(column.name) IN {\(list.map(column.literal).joined(separator: ", "))}"
    case .between(let column, let low, let high):
      return "\(column.name) BETWEEN {\(column.literal(low)), \(column.literal(high))}"
    case .text(let column, let test, let text, let folding):
      let operatorName = test.rawValue + folding.rawValue
      return "\(column.name) \(operatorName) \(column.literal(.text(text)))"
    case .list(let column, let test, let text, let folding):
      return "ANY \(column.name) \(test.rawValue)\(folding.rawValue) "
        + column.literal(.text(text))
    case .words(let column, let query):
      return "\(column.name) MATCHES-WORDS \(column.literal(.text(query)))"
    case .box(let south, let west, let north, let east):
      return "location IN BOX(\(south), \(west), \(north), \(east))"
    case .isNull(let column, let isNull):
      return "\(column.name) \(isNull ? "==" : "!=") NULL"
    case .not(let node): return "NOT (\(node.format))"
    case .all(let nodes): return Self.list(nodes, " AND ", "TRUEPREDICATE")
    case .any(let nodes): return Self.list(nodes, " OR ", "FALSEPREDICATE")
    }
  }

  private static func list(_ nodes: [PredicateNode], _ operatorName: String, _ empty: String)
    -> String
  {
    if nodes.isEmpty { return empty }
    return nodes.map { node in
      switch node {
      case .all, .any: "(\(node.format))"
      default: node.format
      }
    }.joined(separator: operatorName)
  }
}

/// The limits of predicates.
enum PredicateLimits {
  /// The levels of NOT, AND and OR.
  static let depth = 64
  /// The bytes of the format string.
  static let length = 1 << 20
  /// The values and comparisons.
  static let values = 30_000
  /// The bytes of a LIKE pattern.
  static let pattern = 10_000
}

extension FetchColumn {
  fileprivate func literal(_ value: DatabaseValue) -> String {
    switch (kind, value) {
    case (_, .null), (_, .blob): return "NULL"
    case (.day, .integer(let day)):
      return "\"\(CalendarDay(number: Int(clamping: day)))\""
    case (.flag, .integer(let flag)): return flag == 0 ? "NO" : "YES"
    case (_, .integer(let number)): return "\(number)"
    case (.date, .real(let seconds)):
      let date = Date(timeIntervalSince1970: seconds)
      return "CAST(\(Self.number(date.timeIntervalSinceReferenceDate)), \"NSDate\")"
    case (_, .real(let number)): return Self.number(number)
    case (_, .text(let text)):
      let escaped = text.unicodeScalars.map { scalar in
        scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : "\(scalar)"
      }
      return "\"\(escaped.joined())\""
    }
  }

  /// Returns a number with all its digits; infinities become a literal that is read as infinite.
  private static func number(_ value: Double) -> String {
    value.isFinite ? "\(value)" : value > 0 ? "1e999" : "-1e999"
  }
}
