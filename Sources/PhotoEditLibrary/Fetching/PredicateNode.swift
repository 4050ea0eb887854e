// SPDX-License-Identifier: Apache-2.0
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

    /// The same comparison with its sides swapped.
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

  /// The conditions that must all be true.
  var conjuncts: [PredicateNode] {
    if case .all(let nodes) = self { nodes.flatMap(\.conjuncts) } else { [self] }
  }

  /// The keys in the condition.
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
    var parts: [PredicateNode] = []
    for node in [first, second] {
      if case .all(let nodes) = node { parts += nodes } else { parts.append(node) }
    }
    return .all(parts)
  }

  /// Joins conditions with OR; chains become one list.
  static func || (first: PredicateNode, second: PredicateNode) -> PredicateNode {
    var parts: [PredicateNode] = []
    for node in [first, second] {
      if case .any(let nodes) = node { parts += nodes } else { parts.append(node) }
    }
    return .any(parts)
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

extension PredicateNode {
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
}
