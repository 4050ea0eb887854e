// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A condition on keys, as a tree.
///
/// It has one meaning, SQL's: a comparison with a value that is not there is neither true nor
/// false, NOT of that is the same, and only what is true matches.
indirect enum PredicateNode: Sendable, Hashable {
  case constant(Bool)
  case compare(FetchColumn, Comparison, SQLValue, ignoringCase: Bool)
  case compareColumns(FetchColumn, Comparison, FetchColumn)
  /// `(column & mask) == value`, or `!=`.
  case masked(FetchColumn, mask: Int64, isEqual: Bool, value: Int64)
  case among(FetchColumn, [SQLValue])
  case between(FetchColumn, SQLValue, SQLValue)
  case text(FetchColumn, TextTest, String, ignoringCase: Bool)
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

    /// The same with its sides exchanged.
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

  /// Both conditions; chains become one list.
  static func && (first: PredicateNode, second: PredicateNode) -> PredicateNode {
    var parts: [PredicateNode] = []
    for node in [first, second] {
      if case .all(let nodes) = node { parts += nodes } else { parts.append(node) }
    }
    return .all(parts)
  }

  /// One of the conditions; chains become one list.
  static func || (first: PredicateNode, second: PredicateNode) -> PredicateNode {
    var parts: [PredicateNode] = []
    for node in [first, second] {
      if case .any(let nodes) = node { parts += nodes } else { parts.append(node) }
    }
    return .any(parts)
  }
}

/// What a predicate may be at most.
enum PredicateLimits {
  /// Levels of NOT, AND and OR.
  static let depth = 64
  /// Bytes of the text.
  static let length = 1 << 20
  /// Values and comparisons.
  static let values = 30_000
  /// Bytes of the pattern of LIKE.
  static let pattern = 10_000
}

extension PredicateNode {
  /// Refuses what SQLite would refuse, before anything runs.
  func check() throws(LibraryError) {
    var values = 0
    try check(depth: 1, &values)
  }

  private func check(depth: Int, _ values: inout Int) throws(LibraryError) {
    guard depth <= PredicateLimits.depth else { throw .predicateTooDeep }
    switch self {
    case .constant, .compareColumns, .isNull, .compare: values += 1
    case .masked, .between: values += 2
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
