// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

extension PredicateNode {
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
